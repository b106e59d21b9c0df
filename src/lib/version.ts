import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of the package: two folders up from the sources, three from the build. */
export const VERSION: string = (() => {
  const places = ["../..", "../../.."].map((up) => join(import.meta.dirname, up, "package.json"));
  const file = places.find(existsSync)!;
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
})();
