/** The built console in memory: a few hundred kilobytes, looked up by exact name, so that no path can leave the folder. */
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { sha256Hex } from "../../lib/hash.ts";

export interface ConsoleFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
  /** The name contains a hash of the content, so the file never changes. */
  readonly isImmutable: boolean;
}

/** By URL path. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

export async function loadConsoleFiles(folder: string): Promise<ConsoleFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  const read = (name: string) => readFile(join(folder, name));
  const files = names
    .filter((name) => TYPES[extname(name)] !== undefined)
    .map(async (name): Promise<[string, ConsoleFile]> => {
      const plain = await read(name);
      const file = {
        type: TYPES[extname(name)]!,
        etag: `"${sha256Hex(plain).slice(0, 24)}"`,
        plain,
        br: names.includes(`${name}.br`) ? await read(`${name}.br`) : null,
        gzip: names.includes(`${name}.gz`) ? await read(`${name}.gz`) : null,
        isImmutable: name.startsWith("assets/"),
      };
      return [`/${name}`, file];
    });
  return new Map(await Promise.all(files));
}
