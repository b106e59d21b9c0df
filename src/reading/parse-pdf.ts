/**
 * Reads a PDF in this process. A file can be crafted to take gigabytes or minutes, so only the
 * sandbox's child process and the benchmarks may read an untrusted file with `parsePdf`.
 */
import { getDocumentProxy } from "unpdf";
import type { Face } from "./glyph-widths.ts";
import { layOutPage, type Run } from "./lay-out-words.ts";
import type { Page } from "./reading.ts";

export interface ParseLimits {
  pagesMax: number;
  charactersMax: number;
}

export type ParseRefusal = "encrypted" | "damaged" | "too-many-pages" | "too-much-text";

export type ParseResult =
  | { ok: true; pages: Page[] }
  | { ok: false; reason: ParseRefusal; detail: string };

type OpenPdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<OpenPdf["getPage"]>>;

/** The library takes over the buffer of `bytes`, which is empty afterwards. */
export async function parsePdf(
  bytes: Uint8Array,
  limits: ParseLimits,
  password?: string,
): Promise<ParseResult> {
  let pdf: OpenPdf | undefined;
  try {
    pdf = await getDocumentProxy(bytes, {
      verbosity: 0,
      isEvalSupported: false,
      enableXfa: false,
      useSystemFonts: false,
      disableFontFace: true,
      maxImageSize: 1,
      ...(password === undefined ? {} : { password }),
    });
    return await parsePages(pdf, limits);
  } catch (error) {
    return refusalFor(error, password !== undefined);
  } finally {
    await pdf?.destroy();
  }
}

async function parsePages(pdf: OpenPdf, limits: ParseLimits): Promise<ParseResult> {
  if (pdf.numPages > limits.pagesMax) {
    const detail = `${pdf.numPages} pages; the limit is ${limits.pagesMax}`;
    return { ok: false, reason: "too-many-pages", detail };
  }
  const pages: Page[] = [];
  let charactersLeft = limits.charactersMax;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
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

/** Returns null as soon as there are more than `charactersMax` characters; the rest is not parsed. */
async function readRuns(
  page: PdfPage,
  charactersMax: number,
): Promise<{ runs: Run[]; characters: number } | null> {
  const toViewport = page.getViewport({ scale: 1 }).transform;
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
      runs.push(toRun(item, toViewport, faces.get(item.fontName) ?? "sans-serif"));
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

function toRun(item: TextItem, toViewport: number[], face: Face): Run {
  const [a, b, c, d, e, f] = multiply(toViewport, item.transform);
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

const DETAIL_LENGTH_MAX = 300;

function refusalFor(error: unknown, hasPassword: boolean): ParseResult {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === "PasswordException") {
    const detail = hasPassword
      ? "the password does not open the file"
      : "the file requires a password";
    return { ok: false, reason: "encrypted", detail };
  }
  return {
    ok: false,
    reason: "damaged",
    detail: `${name}: ${message}`.slice(0, DETAIL_LENGTH_MAX),
  };
}
