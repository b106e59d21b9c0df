import { pdfFileName } from "../lib/file-name.ts";
import { sha256Hex } from "../lib/hash.ts";
import { isPdf } from "./file-type.ts";

/** An accepted file: identified by its hash, with a name that any store accepts. */
export interface AdmittedFile {
  name: string;
  /** The name as it was sent, to show to people; never used in a path. */
  originalName: string;
  size: number;
  sha256: string;
}

export type AdmitRefusal = "empty" | "too-large" | "not-a-pdf";

export type AdmitResult =
  | { ok: true; file: AdmittedFile }
  | { ok: false; reason: AdmitRefusal; detail: string };

export const FILE_BYTES_MAX = 25 * 2 ** 20;

/** Decides by content only whether a file is a PDF; names and declared types are ignored. */
export function admitPdf(name: string, bytes: Uint8Array, sizeMax = FILE_BYTES_MAX): AdmitResult {
  if (bytes.length === 0) return { ok: false, reason: "empty", detail: "the file is empty" };
  if (bytes.length > sizeMax) {
    const detail = `${bytes.length} bytes; the limit is ${sizeMax}`;
    return { ok: false, reason: "too-large", detail };
  }
  if (!isPdf(bytes)) {
    return { ok: false, reason: "not-a-pdf", detail: "no PDF header in the first 1,024 bytes" };
  }
  const file = {
    name: pdfFileName(name),
    originalName: name,
    size: bytes.length,
    sha256: sha256Hex(bytes),
  };
  return { ok: true, file };
}
