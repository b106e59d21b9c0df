import { getDocumentProxy } from "unpdf";
import type { Face } from "./glyph-widths.ts";
import { layOutPage, type Run } from "./lay-out-words.ts";
import type { Page } from "./reading.ts";

/**
 * Reads a PDF in this very process. A document can be made to take gigabytes or minutes, so
 * nobody but the sandbox's child and a benchmark may call this on a file that came from outside.
 */

export interface ParseLimits {
  pagesMax: number;
  charactersMax: number;
}

export type ParseRefusal = "encrypted" | "damaged" | "too-many-pages" | "too-much-text";

export type ParseResult =
  | { ok: true; pages: Page[] }
  | { ok: false; reason: ParseRefusal; detail: string };

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;
type DocumentPage = Awaited<ReturnType<Document["getPage"]>>;

/** The buffer under `bytes` is taken over by the library and is empty afterwards. */
export async function parsePdf(bytes: Uint8Array, limits: ParseLimits): Promise<ParseResult> {
  let document: Document | undefined;
  try {
    document = await getDocumentProxy(bytes, {
      verbosity: 0,
      isEvalSupported: false,
      enableXfa: false,
      useSystemFonts: false,
      disableFontFace: true,
      maxImageSize: 1,
    });
    return await parsePages(document, limits);
  } catch (error) {
    return refusalFor(error);
  } finally {
    await document?.destroy();
  }
}

async function parsePages(document: Document, limits: ParseLimits): Promise<ParseResult> {
  if (document.numPages > limits.pagesMax) {
    const detail = `${document.numPages} pages, at most ${limits.pagesMax} are read`;
    return { ok: false, reason: "too-many-pages", detail };
  }
  const pages: Page[] = [];
  let charactersLeft = limits.charactersMax;
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const runs = await readRuns(page, charactersLeft);
    if (runs === null) {
      const detail = `more than ${limits.charactersMax} characters by page ${number}`;
      return { ok: false, reason: "too-much-text", detail };
    }
    charactersLeft -= runs.characters;
    pages.push({ number, width, height, lines: layOutPage(runs.runs, width, height) });
    page.cleanup();
  }
  return { ok: true, pages };
}

/** Null as soon as there are more than `charactersMax` characters; the rest is then never parsed. */
async function readRuns(
  page: DocumentPage,
  charactersMax: number,
): Promise<{ runs: Run[]; characters: number } | null> {
  const toShown = page.getViewport({ scale: 1 }).transform;
  const stream = page.streamTextContent().getReader();
  const faces = new Map<string, Face>();
  const runs: Run[] = [];
  let characters = 0;
  for (;;) {
    const { done, value } = await stream.read();
    if (done) return { runs, characters };
    for (const [name, style] of Object.entries<{ fontFamily: string }>(value.styles)) {
      faces.set(name, toFace(style.fontFamily));
    }
    for (const item of value.items) {
      characters += item.str.length;
      if (item.str.trim() === "") continue;
      runs.push(toRun(item, toShown, faces.get(item.fontName) ?? "sans-serif"));
    }
    if (characters > charactersMax) {
      await stream.cancel(new Error("too much text"));
      return null;
    }
  }
}

function toFace(family: string): Face {
  return family === "serif" || family === "monospace" ? family : "sans-serif";
}

interface TextItem {
  str: string;
  transform: number[];
  width: number;
  height: number;
}

function toRun(item: TextItem, toShown: number[], face: Face): Run {
  const [a, b, c, d, e, f] = multiply(toShown, item.transform);
  const size = Math.hypot(c, d) || item.height || 1;
  const turns = ((Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4) as Run["turns"];
  return { text: item.str, x: e, y: f, width: item.width, size, turns, face };
}

type Matrix = [number, number, number, number, number, number];

function multiply(outer: number[], inner: number[]): Matrix {
  const [a, b, c, d, e, f] = outer as Matrix;
  const [p, q, r, s, t, u] = inner as Matrix;
  return [
    a * p + c * q,
    b * p + d * q,
    a * r + c * s,
    b * r + d * s,
    a * t + c * u + e,
    b * t + d * u + f,
  ];
}

function refusalFor(error: unknown): ParseResult {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === "PasswordException") {
    return { ok: false, reason: "encrypted", detail: "the file asks for a password" };
  }
  return { ok: false, reason: "damaged", detail: `${name}: ${message}`.slice(0, 300) };
}
