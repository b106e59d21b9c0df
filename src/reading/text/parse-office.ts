/** Text of zipped Office files. Formulas, macros and references to other files are neither run nor followed. */
import { unzipSync } from "fflate";
import type { DocumentText, TextLimits, TextPage } from "./document-text.ts";
import { tidy } from "./document-text.ts";

/** Thrown for a file that declares itself larger than we read. */
export class TooMuch extends Error {}

export async function readDocx(bytes: Uint8Array, limits: TextLimits): Promise<DocumentText> {
  assertModest(bytes, limits);
  const { default: mammoth } = await import("mammoth");
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  return { pages: [page(1, null, value)], omitted: [] };
}

type Cell = string | number | boolean | Date | null;

/** One page per sheet, one line per row that has a value. */
export async function readXlsx(bytes: Uint8Array, limits: TextLimits): Promise<DocumentText> {
  assertModest(bytes, limits);
  const { default: readSheets } = await import("read-excel-file/node");
  const sheets = await readSheets(Buffer.from(bytes));
  let cells = 0;
  const pages = sheets.map(({ sheet, data }, index) => {
    const rows = data as Cell[][];
    cells += rows.reduce((sum, row) => sum + row.length, 0);
    if (cells > limits.cellsMax) throw new TooMuch(`more than ${limits.cellsMax} cells`);
    return page(index + 1, sheet, rows.map(rowText).join("\n"));
  });
  return { pages, omitted: [] };
}

function rowText(row: readonly Cell[]): string {
  return row
    .map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell ?? "")))
    .filter((text) => text !== "")
    .join(" | ");
}

/** One page per slide, with the notes of the speaker. */
export async function readPptx(bytes: Uint8Array, limits: TextLimits): Promise<DocumentText> {
  assertModest(bytes, limits);
  const { XMLParser } = await import("fast-xml-parser");
  const parser = new XMLParser({
    preserveOrder: true,
    processEntities: true,
    trimValues: false,
    parseTagValue: false,
  });
  const files = unzipSync(bytes, {
    filter: ({ name }) => /^ppt\/(?:slides|notesSlides)\/[^/]+\.xml$/.test(name),
  });
  const textOf = (path: string) => {
    const file = files[path];
    return file === undefined ? "" : shownText(parser.parse(Buffer.from(file).toString("utf8")));
  };
  const numbers = Object.keys(files)
    .flatMap((name) => /^ppt\/slides\/slide(\d+)\.xml$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  const pages = numbers.map((number) =>
    page(
      number,
      null,
      `${textOf(`ppt/slides/slide${number}.xml`)}\n${textOf(`ppt/notesSlides/notesSlide${number}.xml`)}`,
    ),
  );
  return { pages, omitted: [] };
}

type Node = Readonly<Record<string, unknown>>;

/** Runs of text joined, with a line for every paragraph. */
function shownText(nodes: readonly Node[]): string {
  let text = "";
  for (const node of nodes) {
    for (const [name, value] of Object.entries(node)) {
      if (name === "#text") continue;
      if (name === "a:t") text += rawText(value as readonly Node[]);
      else if (name === "a:br") text += "\n";
      else if (Array.isArray(value)) text += shownText(value as Node[]);
      if (name === "a:p") text += "\n";
    }
  }
  return text;
}

const rawText = (nodes: readonly Node[]): string =>
  nodes.map((node) => String(node["#text"] ?? "")).join("");

function page(number: number, label: string | null, text: string): TextPage {
  return { number, label, text: tidy(text), boxes: [] };
}

/** Refuses by the sizes in the directory of the file, before anything is unpacked. If they are false, the sandbox stops it. */
function assertModest(bytes: Uint8Array, limits: TextLimits): void {
  let total = 0;
  let count = 0;
  unzipSync(bytes, {
    filter: ({ originalSize }) => {
      total += originalSize;
      count += 1;
      return false;
    },
  });
  if (total > limits.unzippedBytesMax || count > 10_000)
    throw new TooMuch(`${total} bytes in ${count} parts; the limit is ${limits.unzippedBytesMax}`);
}
