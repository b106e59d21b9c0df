/**
 * Detects the type of a file by its first bytes; its extension decides only between types that share them.
 * We keep our own tables: the `file-type` package would parse untrusted containers in this process, which only
 * the sandbox may do, and `mime-types` looks at the name alone.
 */
import { isPdf } from "../reading/file-type.ts";

const OCTETS = "application/octet-stream";

/** First bytes that identify one type of file. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ["89504e470d0a1a0a", "image/png"],
  ["ffd8ff", "image/jpeg"],
  ["47494638", "image/gif"],
  ["49492a00", "image/tiff"],
  ["4d4d002a", "image/tiff"],
  ["4d5a", "application/vnd.microsoft.portable-executable"],
  ["7f454c46", "application/x-executable"],
];

const OFFICE = "application/vnd.openxmlformats-officedocument";
/** Types that share their first bytes, by extension. */
const ZIPPED: Readonly<Record<string, string>> = {
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  pptx: `${OFFICE}.presentationml.presentation`,
};
const COMPOUND: Readonly<Record<string, string>> = {
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
  msg: "application/vnd.ms-outlook",
};
const TEXTS: Readonly<Record<string, string>> = {
  txt: "text/plain",
  csv: "text/csv",
  html: "text/html",
  htm: "text/html",
  xml: "application/xml",
  json: "application/json",
  eml: "message/rfc822",
  rtf: "application/rtf",
  md: "text/markdown",
};

export function contentTypeOf(name: string, start: Uint8Array): string {
  const hex = Buffer.from(start.subarray(0, 8)).toString("hex");
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const [, known] = BEGINNINGS.find(([bytes]) => hex.startsWith(bytes)) ?? [];
  if (known !== undefined) return known;
  if (isPdf(start)) return "application/pdf";
  if (hex.startsWith("504b0304")) return ZIPPED[ending] ?? "application/zip";
  if (hex.startsWith("d0cf11e0a1b11ae1")) return COMPOUND[ending] ?? "application/x-ole-storage";
  return isText(start) ? (TEXTS[ending] ?? "text/plain") : OCTETS;
}

/** Text contains no zero bytes; most other files do near the start. */
function isText(start: Uint8Array): boolean {
  return start.length > 0 && !start.subarray(0, 1_024).includes(0);
}
