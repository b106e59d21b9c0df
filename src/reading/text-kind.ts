import { isPdf } from "./file-type.ts";
import { hasByteOrderMark, type TextKind } from "./text/document-text.ts";

/** The part that a zipped Office file of a kind always has. */
const OFFICE: readonly (readonly [TextKind, string])[] = [
  ["docx", "word/document.xml"],
  ["xlsx", "xl/workbook.xml"],
  ["pptx", "ppt/presentation.xml"],
];
const ZIP = "504b0304";
const COMPOUND = "d0cf11e0a1b11ae1";
/** Every stream of an Outlook message has a name that begins like this, in UTF-16. */
const OUTLOOK = Buffer.from("__substg1.0_", "utf16le");
const HEAD_BYTES = 4_096;

/** Decides by content; the name only decides between kinds of plain text. Null if there is no text to read. */
export function textKindOf(name: string, bytes: Uint8Array): TextKind | null {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const hex = all.subarray(0, 8).toString("hex");
  if (isPdf(bytes)) return "pdf";
  if (hex.startsWith(ZIP)) return OFFICE.find(([, part]) => all.includes(part))?.[0] ?? null;
  if (hex.startsWith(COMPOUND)) return all.includes(OUTLOOK) ? "msg" : null;
  const head = all.subarray(0, HEAD_BYTES);
  if (head.includes(0) && !hasByteOrderMark(all)) return null;
  return kindOfPlainText(name, head.toString("latin1"));
}

function kindOfPlainText(name: string, head: string): TextKind {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if (head.startsWith("{\\rtf")) return "rtf";
  if (ending === "eml" || isMail(head)) return "eml";
  if (ending === "html" || ending === "htm" || /^\s*<(?:!doctype html|html)\b/i.test(head))
    return "html";
  return ending === "csv" ? "csv" : "txt";
}

/** A message begins with header fields, and one of them names the sender or the way it took. */
function isMail(head: string): boolean {
  if (!/^[A-Za-z][\w-]*:[ \t]/.test(head)) return false;
  return /^(?:From|Received|Return-Path|MIME-Version|Message-ID):[ \t]/im.test(head);
}
