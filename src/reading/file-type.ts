/**
 * Detects PDFs by their bytes, because names and declared types are wrong too often. Libraries such as
 * `file-type` look for the header at the first byte only.
 */

const HEADER = Buffer.from("%PDF-");
const HEADER_WITHIN = 1024;

/** PDF readers accept up to 1,024 bytes before the header, and some files have them. */
export function isPdf(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADER_WITHIN));
  return start.includes(HEADER);
}

const TRAILER = Buffer.from("%%EOF");
const TRAILER_WITHIN = 2048;

/** A truncated file has no end marker. Line ends and zeros after the marker are ignored. */
export function hasPdfEnd(bytes: Uint8Array): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = all.length;
  while (end > 0 && (all[end - 1] === 0 || all[end - 1] === 10 || all[end - 1] === 13)) end--;
  return all.subarray(Math.max(0, end - TRAILER_WITHIN), end).includes(TRAILER);
}
