/** Places that another program puts contract notes into: a folder of this machine, or a bucket. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore } from "../../files/blob-store.ts";
import type { Clock } from "../../lib/clock.ts";
import { key16, sha256Hex } from "../../lib/hash.ts";

export interface WatchedPlace {
  /** Paths of all files, relative to the place. */
  list(): AsyncIterable<string>;
  /** Null if the file is gone, or need not be looked at again yet. */
  versionOf(path: string): Promise<FileVersion | null>;
  /** Null if the file is gone. */
  read(path: string): Promise<Buffer | null>;
}

export interface FileVersion {
  /** Changes with the bytes: Google's generation, or what comes closest elsewhere. */
  readonly generation: string;
  /** Identifies this version of this file in the place. */
  readonly key: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export function folderPlace(folder: string): WatchedPlace {
  return {
    async *list() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      yield* entries
        .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort();
    },
    async versionOf(path) {
      const found = await stat(join(folder, path)).catch(() => null);
      if (found === null) return null;
      const generation = sha256Hex(`${path}|${found.size}|${found.mtimeMs}`).slice(0, 16);
      return { generation, key: generation };
    },
    read: (path) =>
      readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      }),
  };
}

/** What Postroom itself writes, in case the archive is in the same bucket. */
const OWN_PREFIX = "archive/";
/** Each look at a file in a bucket costs a request, so a file is looked at again only after this time. */
const LOOK_AGAIN_MS = 10 * 60_000;

export function storePlace(store: BlobStore, prefix: string, clock: Clock): WatchedPlace {
  const lookedAt = new Map<string, number>();
  return {
    async *list() {
      for await (const path of store.list(prefix)) if (!path.startsWith(OWN_PREFIX)) yield path;
    },
    async versionOf(path) {
      if (clock.now() - (lookedAt.get(path) ?? Number.NEGATIVE_INFINITY) < LOOK_AGAIN_MS)
        return null;
      const head = await store.head(path);
      lookedAt.set(path, clock.now());
      if (head === null) return null;
      const { version: generation, metadata } = head;
      return { generation, metadata, key: key16(path, generation) };
    },
    read: (path) => store.get(path),
  };
}
