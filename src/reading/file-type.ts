/**
 * Whether a file is a PDF, judged by its bytes: names and declared types are wrong too often. Libraries
 * such as `file-type` look for the header at the first byte only.
 */

const HEADER = Buffer.from("%PDF-");
const HEADER_WITHIN = 1024;

/** Readers accept up to 1,024 bytes of anything before the header, and senders make use of it. */
export function isPdf(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADER_WITHIN));
  return start.includes(HEADER);
}

const TRAILER = Buffer.from("%%EOF");
const TRAILER_WITHIN = 2048;

/** A file that was cut off has lost its end mark. Line ends and zeros after the mark do not count. */
export function hasPdfEnd(bytes: Uint8Array): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = all.length;
  while (end > 0 && (all[end - 1] === 0 || all[end - 1] === 10 || all[end - 1] === 13)) end--;
  return all.subarray(Math.max(0, end - TRAILER_WITHIN), end).includes(TRAILER);
}
