import { pdfFileName } from "../lib/file-name.ts";
import { sha256Hex } from "../lib/hash.ts";
import { isPdf } from "./file-type.ts";

/** A file that may enter: known by its hash, named so that any store takes it. */
export interface AdmittedFile {
  name: string;
  /** The name as it was sent, for people; never for a path. */
  originalName: string;
  size: number;
  sha256: string;
}

export type AdmitRefusal = "empty" | "too-large" | "not-a-pdf";

export type AdmitResult =
  | { ok: true; file: AdmittedFile }
  | { ok: false; reason: AdmitRefusal; detail: string };

export const FILE_BYTES_MAX = 25 * 2 ** 20;

/** Decides by content alone whether bytes are a PDF that we take; the sender's word for it counts nothing. */
export function admitPdf(name: string, bytes: Uint8Array, sizeMax = FILE_BYTES_MAX): AdmitResult {
  if (bytes.length === 0) return { ok: false, reason: "empty", detail: "the file has no bytes" };
  if (bytes.length > sizeMax) {
    const detail = `${bytes.length} bytes, at most ${sizeMax} are taken`;
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
