import assert from "node:assert/strict";
import { readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { sha256Hex } from "../lib/hash.ts";
import type { Random } from "../lib/random.ts";
import {
  ensureFolder,
  orNull,
  removeLeftOvers,
  syncFolder,
  toDiskFault,
  writeAside,
} from "./disk.ts";

/**
 * Keeps bytes under the SHA-256 of their content, so nothing is ever overwritten. It is also the durable
 * spool: once `put` returns, the bytes survive a crash of the process and of the machine.
 */
export interface FileStore {
  /** Putting the same bytes again is not an error: it only updates the file's time, unless the file is damaged. */
  put(bytes: Uint8Array): Promise<StoredFile>;
  /** Null if the store has no such file. Throws if the bytes no longer match their name. */
  get(id: string): Promise<Buffer | null>;
  has(id: string): Promise<boolean>;
  /** Null if the store has no such file. */
  stat(id: string): Promise<{ size: number } | null>;
  /**
   * Removes the file unless it was last put at `since` or later; returns false if it was. A missing file is not an
   * error.
   */
  removeUnused(id: string, since: Date): Promise<boolean>;
  /** The names of all files, in batches. */
  list(): AsyncIterable<readonly string[]>;
  /** Throws if the disk is full or cannot be written. */
  probe(): Promise<void>;
}

export interface StoredFile {
  /** Lower-case hex of the SHA-256 of the bytes. */
  readonly id: string;
  readonly size: number;
  readonly isNew: boolean;
}

export interface DiskFileStoreOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Too large for a file system to store inside its own metadata, so that the probe really writes to the disk.
 */
const PROBE_BYTES = 64 * 1024;

export async function openDiskFileStore(options: DiskFileStoreOptions): Promise<FileStore> {
  const { folder, clock, random } = options;
  const incoming = join(folder, "incoming");
  await ensureFolder(incoming);
  await removeLeftOvers(incoming, clock);

  // 256 subfolders keep each one small enough to list.
  const shardOf = (id: string) => join(folder, id.slice(0, 2));
  const pathOf = (id: string) => {
    assert.match(id, /^[0-9a-f]{64}$/, "a file is named by its SHA-256");
    return join(shardOf(id), id);
  };
  const read = (id: string) => orNull(readFile(pathOf(id)));
  const timeOfPut = async (path: string) => (await orNull(stat(path)))?.mtime ?? null;
  /** Marks the file as in use, so that nobody removes it as old. */
  const touch = async (id: string) => {
    const now = new Date(clock.now());
    return (await orNull(utimes(pathOf(id), now, now).then(() => true))) ?? false;
  };

  return {
    async put(bytes) {
      const id = sha256Hex(bytes);
      const stored = { id, size: bytes.length };
      const earlier = (await touch(id)) ? await read(id) : null;
      if (earlier !== null && sha256Hex(earlier) === id) return { ...stored, isNew: false };
      // The file is missing, or damaged on disk: write the good bytes.
      const aside = await writeAside(incoming, bytes, random);
      try {
        await ensureFolder(shardOf(id));
        await rename(aside, pathOf(id));
        await syncFolder(shardOf(id));
      } catch (error) {
        await rm(aside, { force: true });
        throw toDiskFault(error);
      }
      return { ...stored, isNew: true };
    },
    async get(id) {
      const bytes = await read(id);
      if (bytes === null) return null;
      if (sha256Hex(bytes) !== id) {
        throw new Fault("blob.conflict", "a stored file no longer matches its hash", {
          facts: { file: id, size: bytes.length },
        });
      }
      return bytes;
    },
    async has(id) {
      return (await orNull(stat(pathOf(id)))) !== null;
    },
    async stat(id) {
      const found = await orNull(stat(pathOf(id)));
      return found === null ? null : { size: found.size };
    },
    async removeUnused(id, since) {
      const seen = await timeOfPut(pathOf(id));
      if (seen === null) return true;
      if (seen >= since) return false;
      // After the rename it can be checked once more: a writer in the meantime has updated its time.
      const aside = join(incoming, random.uuid());
      if ((await orNull(rename(pathOf(id), aside).then(() => true))) === null) return true;
      const isUsed = (await timeOfPut(aside))! >= since;
      await (isUsed ? rename(aside, pathOf(id)) : rm(aside));
      return !isUsed;
    },
    async *list() {
      for (const shard of await readdir(folder)) {
        if (!/^[0-9a-f]{2}$/.test(shard)) continue;
        const names = (await orNull(readdir(join(folder, shard)))) ?? [];
        const ids = names.filter((name) => /^[0-9a-f]{64}$/.test(name));
        if (ids.length > 0) yield ids;
      }
    },
    async probe() {
      await rm(await writeAside(incoming, Buffer.alloc(PROBE_BYTES), random));
    },
  };
}
