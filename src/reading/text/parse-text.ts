/**
 * Text from files of every kind but PDF. Strangers made the files, so this runs only in a child of the sandbox,
 * whose limits on memory and time hold whatever a parser does.
 */
import type { DocumentText, TextKind, TextLimits, TextPage } from "./document-text.ts";
import { tidy } from "./document-text.ts";
import { readMail } from "./parse-mail-text.ts";
import { readDocx, readPptx, readXlsx, TooMuch } from "./parse-office.ts";
import { csvText, htmlText, plainText, rtfText } from "./parse-plain.ts";

export type TextRefusal = "damaged" | "too-large" | "too-much-text" | "no-text";

export type ParsedText =
  | { ok: true; text: DocumentText }
  | { ok: false; reason: TextRefusal; detail: string };

export type NotPdf = Exclude<TextKind, "pdf">;

export async function parseText(
  kind: NotPdf,
  bytes: Uint8Array,
  limits: TextLimits,
): Promise<ParsedText> {
  try {
    const { pages, omitted } = await READERS[kind](bytes, limits);
    return cut(pages, omitted, limits);
  } catch (error) {
    if (error instanceof TooMuch) return { ok: false, reason: "too-large", detail: error.message };
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, reason: "damaged", detail: detail.slice(0, 300) };
  }
}

type Read = (bytes: Uint8Array, limits: TextLimits) => Promise<DocumentText>;

const onePage = (text: string): DocumentText => ({ pages: [pageOf(1, text)], omitted: [] });

export function pageOf(number: number, text: string, label: string | null = null): TextPage {
  return { number, label, text: tidy(text), boxes: [] };
}

const READERS: Readonly<Record<NotPdf, Read>> = {
  docx: readDocx,
  xlsx: readXlsx,
  pptx: readPptx,
  eml: (bytes, limits) => readMail("eml", bytes, limits),
  msg: (bytes, limits) => readMail("msg", bytes, limits),
  html: async (bytes) => onePage(await htmlText(plainText(bytes))),
  rtf: async (bytes) => onePage(rtfText(Buffer.from(bytes).toString("latin1"))),
  csv: async (bytes) => onePage(await csvText(plainText(bytes))),
  txt: async (bytes) => onePage(plainText(bytes)),
};

/** A text that is too long is refused as a whole: otherwise search would find only a part of it. */
function cut(
  pages: readonly TextPage[],
  omitted: readonly string[],
  limits: TextLimits,
): ParsedText {
  const filled = pages.filter((page) => page.text !== "");
  if (filled.length === 0) return { ok: false, reason: "no-text", detail: "the file has no text" };
  const length = filled.reduce((sum, page) => sum + page.text.length, 0);
  if (length > limits.charactersMax || filled.length > limits.pagesMax) {
    const detail = `${length} characters on ${filled.length} pages; the limits are ${limits.charactersMax} and ${limits.pagesMax}`;
    return { ok: false, reason: "too-much-text", detail };
  }
  return { ok: true, text: { pages: filled, omitted } };
}
