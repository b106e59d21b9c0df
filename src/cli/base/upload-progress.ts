/** Shows a person how far a large file has been sent. */
import { Readable } from "node:stream";
import type { Output } from "./output.ts";

const MEGABYTE = 1_000_000;
/** Smaller files are gone before anybody could read a line about them. */
const SHOWN_FROM = 2 * MEGABYTE;
const PIECE = 256 * 1024;

/** A stream whose length is known, so that the server can refuse it before it is sent. */
export type SizedStream = Readable & { readonly size: number };

/** The bytes as a stream that overwrites a line while it is sent; unchanged if nobody watches. */
export function withProgress(bytes: Buffer, { terminal }: Output): Buffer | SizedStream {
  if (!terminal.isWatched || bytes.length < SHOWN_FROM) return bytes;
  const inMegabytes = (size: number) => (size / MEGABYTE).toFixed(1);
  const total = inMegabytes(bytes.length);
  function* pieces() {
    for (let at = 0; at < bytes.length; at += PIECE) {
      yield bytes.subarray(at, at + PIECE);
      const sent = Math.min(at + PIECE, bytes.length);
      const end = sent === bytes.length ? "\n" : "";
      terminal.writeNote(`\r${inMegabytes(sent)} of ${total} MB sent${end}`);
    }
  }
  return Object.assign(Readable.from(pieces(), { objectMode: false }), { size: bytes.length });
}
