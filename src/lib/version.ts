import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** The package's manifest: two folders above the sources, three above the build. */
export const MANIFEST: Manifest = (() => {
  const places = ["../..", "../../.."].map((up) => join(import.meta.dirname, up, "package.json"));
  const file = places.find(existsSync)!;
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
})();

export const VERSION: string = MANIFEST.version;
