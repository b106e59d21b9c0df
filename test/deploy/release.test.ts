/** What a release says about the packages that it brings. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Licences that ask for no more than their own text; a package under another one needs a decision. */
const ALLOWED = [
  ...["MIT", "MIT-0", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"],
  ...["BlueOak-1.0.0", "(MIT OR CC0-1.0)"],
];
/** Packages whose manifest names no licence, with how their licence begins. */
const UNNAMED: Readonly<Record<string, string>> = { "node_modules/png-js": "MIT License" };

interface Locked {
  readonly dev?: boolean;
  readonly license?: string;
  readonly version: string;
}
interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes: readonly { readonly content: string }[];
}
const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> };
const released = Object.entries(packages).filter(([path, { dev }]) => path !== "" && !dev);

describe("the packages of a release", () => {
  it("have licences that an Apache-2.0 program may bring along", () => {
    const others = released
      .filter(([path, { license }]) => !ALLOWED.includes(license ?? "") && !(path in UNNAMED))
      .map(([path, { license }]) => `${path}: ${license}`);
    expect(others).toEqual([]);
    for (const [path, begin] of Object.entries(UNNAMED))
      expect(read(`${path}/LICENSE`).trimStart().startsWith(begin)).toBe(true);
  });

  it("are all in the bill of materials, with version, licence and hash", () => {
    const run = spawnSync("npm", ["run", "--silent", "sbom"], { cwd: ROOT, encoding: "utf8" });
    const { components } = JSON.parse(run.stdout) as { components: Component[] };
    const versions = new Map(components.map(({ name, version }) => [name, version]));
    const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
      read("package.json"),
    ) as Record<string, Record<string, string>>;
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies }))
      expect([name, versions.get(name)]).toEqual([name, version]);
    expect(
      Object.keys(devDependencies!).filter((name) => name === "vitest" && versions.has(name)),
    ).toEqual([]);
    for (const { name, purl, hashes } of components)
      expect([name, purl.startsWith("pkg:npm/"), hashes[0]!.content.length]).toEqual([
        ...[name, true, 128],
      ]);
  });
});

describe("the changelog", () => {
  it("begins with the version of the package", () => {
    const { version } = JSON.parse(read("package.json")) as { version: string };
    const [, first] = /^## \[?v?([\w.-]+)/m.exec(read("CHANGELOG.md")) ?? [];
    expect([version, "Unreleased"]).toContain(first);
  });
});
