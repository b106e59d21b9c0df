/** The tree as the rules see it: files, and which of them import one another. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export interface Source {
  /** Relative to the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  readonly target: string;
  readonly isType: boolean;
}

export function readSources(root: string, folders: readonly string[]): Source[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("node_modules"))
    .map((path) => ({
      path: relative(root, path).replaceAll("\\", "/"),
      text: readFileSync(path, "utf8"),
    }));
}

export const isTest = (path: string): boolean =>
  /\.(test|suite)\.tsx?$/.test(path) || path.startsWith("test/");

const IMPORT =
  /(?:^|\n)\s*(?:im|ex)port (type )?(?:[^;"']*?from )?"(\.[^"]+)"|import\("(\.[^"]+)"\)/g;

export function importsOf(source: Source): Import[] {
  return [...source.text.matchAll(IMPORT)].map(([, type, from, dynamic]) => ({
    target: relative(".", resolve(dirname(source.path), (from ?? dynamic)!)).replaceAll("\\", "/"),
    isType: type !== undefined,
  }));
}

/** Every import between the given files, type-only ones included. */
export function graphOf(sources: readonly Source[]): Map<string, string[]> {
  const known = new Set(sources.map((source) => source.path));
  return new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .map((found) => found.target)
        .filter((target) => known.has(target)),
    ]),
  );
}

export const folderOf = (path: string): string => dirname(path);

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "");
}
