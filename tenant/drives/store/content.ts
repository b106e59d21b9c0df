/** The bytes of a file: in memory, or on disk if the file is large, so that memory use stays flat. */
import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createQuickXor, quickXorHash, resumeQuickXor } from "./quick-xor.ts";

export type Content = Buffer | LargeContent;

/** Plain data, so that a snapshot can hold it. */
export interface LargeContent {
  readonly path: string;
  readonly length: number;
  readonly quickXorHash: string;
}

/** A large content that is still arriving. */
export interface Arriving {
  readonly path: string;
  length: number;
  hash: { ring: Buffer; bit: number };
}

export interface ContentStore {
  /** Moves large content to disk; small content stays in memory. */
  keep(bytes: Buffer): Content;
  begin(): Arriving;
  append(arriving: Arriving, bytes: Buffer): void;
  finish(arriving: Arriving): LargeContent;
  stop(): void;
}

/** Larger contents go to disk. */
export const LARGE_BYTES = 16 * 1024 * 1024;

/**
 * Files stay until the store stops, since a snapshot may still name them; in the caller's folder `kept` they
 * stay for the next start.
 */
export function createContentStore(kept?: string): ContentStore {
  let folder: string | null = null;
  const begin = (): Arriving => {
    if (folder === null && kept !== undefined) mkdirSync(kept, { recursive: true });
    folder ??= kept ?? mkdtempSync(join(tmpdir(), "postroom-tenant-files-"));
    return { path: join(folder, randomUUID()), length: 0, hash: createQuickXor().state() };
  };
  const append = (arriving: Arriving, bytes: Buffer): void => {
    appendFileSync(arriving.path, bytes);
    const hash = resumeQuickXor(arriving.hash);
    hash.update(bytes);
    arriving.hash = hash.state();
    arriving.length += bytes.length;
  };
  const finish = ({ path, length, hash }: Arriving): LargeContent => ({
    path,
    length,
    quickXorHash: resumeQuickXor(hash).digest(length),
  });
  return {
    begin,
    append,
    finish,
    keep(bytes) {
      if (bytes.length < LARGE_BYTES) return bytes;
      const arriving = begin();
      append(arriving, bytes);
      return finish(arriving);
    },
    stop() {
      if (folder !== null && kept === undefined) rmSync(folder, { recursive: true, force: true });
      folder = null;
    },
  };
}

/** The bytes from `start` up to, but not including, `end`. */
export function bytesOf(content: Content, start = 0, end = content.length): Buffer {
  if (Buffer.isBuffer(content)) return content.subarray(start, end);
  const bytes = Buffer.allocUnsafe(end - start);
  const file = openSync(content.path, "r");
  try {
    let read = 0;
    while (read < bytes.length) {
      read += readSync(file, bytes, read, bytes.length - read, start + read);
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

const hashes = new WeakMap<Buffer, string>();

export function hashOf(content: Content): string {
  if (!Buffer.isBuffer(content)) return content.quickXorHash;
  const known = hashes.get(content) ?? quickXorHash(content);
  hashes.set(content, known);
  return known;
}
