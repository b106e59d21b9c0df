/** Content on its way to a drive. Of a large file, at most one chunk is in memory. */
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { Fault } from "../lib/fault.ts";
import { sha256Hex } from "../lib/hash.ts";
import { createQuickXor } from "../lib/quick-xor.ts";

/** A file's content. A stream can be read once; bytes that we have can be read again. */
export interface Content {
  readonly size: number;
  /** Null if the content has to be read first. */
  readonly sha256: string | null;
  readonly isRereadable: boolean;
  /** Pieces of exactly `chunkBytes`; the last one may be shorter. */
  chunks(chunkBytes: number): AsyncIterable<Buffer>;
}

export function contentOfBytes(bytes: Buffer): Content {
  return {
    size: bytes.length,
    sha256: sha256Hex(bytes),
    isRereadable: true,
    async *chunks(chunkBytes) {
      for (let at = 0; at < bytes.length; at += chunkBytes)
        yield bytes.subarray(at, at + chunkBytes);
    },
  };
}

/** Fails if the sender sends more or fewer bytes than announced. */
export function contentOfStream(stream: Readable | AsyncIterable<Buffer>, size: number): Content {
  return {
    size,
    sha256: null,
    isRereadable: false,
    async *chunks(chunkBytes) {
      let pieces: Buffer[] = [];
      let held = 0;
      let seen = 0;
      for await (const piece of stream as AsyncIterable<Buffer>) {
        seen += piece.length;
        if (seen > size) break;
        pieces.push(piece);
        held += piece.length;
        while (held >= chunkBytes) {
          const joined = Buffer.concat(pieces, held);
          yield joined.subarray(0, chunkBytes);
          pieces = [joined.subarray(chunkBytes)];
          held -= chunkBytes;
        }
      }
      if (seen !== size)
        throw new Fault("request.bad", "the file does not have the announced length");
      if (held > 0) yield Buffer.concat(pieces, held);
    },
  };
}

/** The whole content; for small files only. */
export async function bytesOf(content: Content): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of content.chunks(content.size)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Values that are measured while content passes through. */
export interface Measured {
  readonly sha256: string;
  readonly quickXor: string;
  /** Enough bytes to detect the type. */
  readonly start: Buffer;
}

const START_BYTES = 1_024;

export function createMeasure(): { update(chunk: Buffer): void; end(): Measured } {
  const sha256 = createHash("sha256");
  const quickXor = createQuickXor();
  let start: Buffer = Buffer.alloc(0);
  return {
    update(chunk) {
      sha256.update(chunk);
      quickXor.update(chunk);
      if (start.length < START_BYTES)
        start = Buffer.concat([start, chunk.subarray(0, START_BYTES - start.length)]);
    },
    end: () => ({ sha256: sha256.digest("hex"), quickXor: quickXor.digest(), start }),
  };
}
