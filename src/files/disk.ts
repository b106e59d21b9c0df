import { link, open, readdir, readFile, rm, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { makeFolder } from "../lib/make-folder.ts";
import type { Random } from "../lib/random.ts";

const LEFT_OVER_AFTER_MS = 60 * 60 * 1000;

// EFBIG and EDQUOT are limits of the account rather than of the disk; the remedy is the same.
const FULL_CODES = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const BROKEN_CODES = new Set(["EIO", "EROFS", "EACCES", "EPERM", "EMFILE", "ENFILE", "ESTALE"]);

/** A full or failing disk becomes a Fault; any other error stays as it is. */
export function toDiskFault(error: unknown): unknown {
  const code = codeOf(error);
  if (FULL_CODES.has(code)) {
    return new Fault("store.full", "the disk is full", { cause: error, facts: { code } });
  }
  if (BROKEN_CODES.has(code)) {
    return new Fault("blob.unavailable", "the disk cannot be used", {
      cause: error,
      facts: { code },
    });
  }
  return error;
}

export function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? "";
}

/** Returns null if there is no such file or folder. */
export async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return null;
    throw toDiskFault(error);
  }
}

/**
 * Writes all bytes to a new file in `folder` and waits until they are on disk. The file has a temporary name,
 * so a crash or a full disk leaves no incomplete file where a reader could find it.
 */
export async function writeAside(
  folder: string,
  bytes: Uint8Array,
  random: Random,
): Promise<string> {
  const path = join(folder, random.uuid());
  await writeNew(path, bytes);
  return path;
}

/** Writes a new file and waits until it is on disk; leaves nothing behind on failure. */
export async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600).catch((error) => {
    throw toDiskFault(error);
  });
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await unlink(path).catch(() => {}); // the first error is the one that matters
    throw toDiskFault(error);
  } finally {
    await file.close();
  }
}

/**
 * The content of a small file that is written once and never changed, such as a key: creates it unless it exists. Of
 * many processes that create it at once, one decides, and all get the same. It is complete or absent, even after a
 * full disk or a power cut.
 */
export async function readOrCreate(path: string, text: string, random: Random): Promise<string> {
  const known = await orNull(readFile(path, "utf8"));
  if (known !== null) return known;
  const draft = `${path}.${random.uuid()}`;
  await writeNew(draft, Buffer.from(text));
  try {
    await link(draft, path).catch((error) => {
      if (codeOf(error) !== "EEXIST") throw toDiskFault(error); // otherwise another process was quicker
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
  return readFile(path, "utf8");
}

/** Makes a new name in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates the folder and its parents; new names are durable afterwards. */
export async function ensureFolder(folder: string): Promise<void> {
  try {
    const first = await makeFolder(folder, 0o700);
    if (first === undefined) return;
    for (let at = folder; ; at = dirname(at)) {
      await syncFolder(dirname(at));
      if (at === first) return;
    }
  } catch (error) {
    throw toDiskFault(error);
  }
}

/** Removes files that a killed process left half-written. An hour is far longer than any write takes. */
export async function removeLeftOvers(folder: string, clock: Clock): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await orNull(stat(path));
    if (found !== null && clock.now() - found.mtimeMs > LEFT_OVER_AFTER_MS) {
      await rm(path, { force: true });
    }
  }
}
