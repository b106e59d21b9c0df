/** Loaded into a child with `--import`: it finds optional packages where the tests keep them, as if they were installed. */
import { register } from "node:module";

const packages = new URL("../servers/packages/package.json", import.meta.url).href;
const hook = `export const resolve = (name, context, next) =>
  next(name, /^@azure\\/(?:identity|keyvault-secrets|monitor-opentelemetry-exporter)$|^@opentelemetry\\//.test(name) ? { ...context, parentURL: ${JSON.stringify(packages)} } : context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
