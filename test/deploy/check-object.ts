/** Checks Kubernetes objects with the validators that kubernetes-models compiled from the API's own schema. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { KubernetesObject } from "../../src/cli/deploy/values.ts";
import { installPackages } from "../servers/packages.ts";

interface Problem {
  readonly instancePath: string;
  readonly keyword: string;
}
type Validate = ((data: unknown) => boolean) & { errors?: readonly Problem[] | null };

/** What is wrong with an object: a value of the wrong type, a field that is missing, a field that the API does not have. */
export async function problemsOf(object: KubernetesObject): Promise<string[]> {
  const validate = await loadValidate(object);
  const read = new Map<object, Set<string>>();
  if (!validate(watched(object, read)))
    return (validate.errors ?? []).map((each) => `${each.instancePath} ${each.keyword}`);
  return unread(object, read, "");
}

async function loadValidate({ apiVersion, kind }: KubernetesObject): Promise<Validate> {
  const folder = join(await installPackages(), "node_modules/kubernetes-models/_schemas");
  const [version = "", group = "core"] = apiVersion.split("/").reverse();
  const name = ["Io", "K8s", "Api", group.split(".")[0]!, version, kind].map(capital).join("");
  const { validate } = (await import(pathToFileURL(join(folder, `${name}.mjs`)).href)) as {
    validate: Validate;
  };
  return validate;
}

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

/** The validators ignore fields that the schema does not have, but read every one that it has. */
function watched(value: unknown, read: Map<object, Set<string>>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const names = new Set<string>();
  read.set(value, names);
  const inner = new Map<string, unknown>();
  return new Proxy(value, {
    get(target, name) {
      if (typeof name === "symbol") return Reflect.get(target, name);
      names.add(name);
      if (!inner.has(name)) inner.set(name, watched(Reflect.get(target, name), read));
      return inner.get(name);
    },
  });
}

function unread(value: unknown, read: Map<object, Set<string>>, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const names = read.get(value);
  return Object.entries(value).flatMap(([name, each]) =>
    names?.has(name) === false
      ? [`${path}/${name} unknown`]
      : unread(each, read, `${path}/${name}`),
  );
}
