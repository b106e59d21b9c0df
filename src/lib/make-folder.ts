import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder and its parents; returns the first that was new, or undefined if the folder was there. Node's own
 * `recursive` tries forever where a parent exists and takes no folders, as /proc does.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<string | undefined> {
  const folder = resolve(path);
  if (await isMade(folder, mode)) return folder;
  if (await isFolder(folder)) return undefined;
  const parent = dirname(folder);
  const first = await makeFolder(parent, mode);
  if (await isMade(folder, mode)) return first ?? folder;
  if (await isFolder(folder)) return first; // another process was quicker
  throw new Error(`${folder}: no folder can be created in ${parent}`);
}

/** False if there is something of this name, or no parent. */
async function isMade(folder: string, mode: number): Promise<boolean> {
  return mkdir(folder, { mode }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST" || error.code === "ENOENT") return false;
      throw error;
    },
  );
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (found === null || found.isDirectory()) return found !== null;
  throw Object.assign(new Error(`${path} is a file`), { code: "ENOTDIR", path });
}
