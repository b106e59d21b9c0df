/** Smallest valid files of every kind with a given text, for the documents of the sample company and for tests. */
import { strToU8, zipSync } from "fflate";

/** A title and paragraphs; a paragraph may have several sentences. */
export interface Prose {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/** Zipped files carry a date, and the same text must give the same bytes. */
const OLD = new Date(Date.UTC(2020, 0, 1));

function zip(files: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  return Buffer.from(zipSync(Object.fromEntries(entries), { mtime: OLD }));
}

const escapeXml = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const TYPES = "http://schemas.openxmlformats.org/package/2006/content-types";
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

function contentTypes(parts: Readonly<Record<string, string>>): string {
  const overrides = Object.entries(parts)
    .map(([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`)
    .join("");
  return `${XML}<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides}</Types>`;
}

function relations(targets: readonly (readonly [kind: string, target: string])[]): string {
  const all = targets.map(
    ([kind, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${kind}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${RELATIONS}">${all.join("")}</Relationships>`;
}

const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

export function makeDocx({ title, paragraphs }: Prose): Buffer {
  const lines = [title, ...paragraphs]
    .map((text) => `<w:p><w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`)
    .join("");
  return zip({
    "[Content_Types].xml": contentTypes({ "word/document.xml": WORD }),
    "_rels/.rels": relations([["officeDocument", "word/document.xml"]]),
    "word/document.xml": `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${lines}</w:body></w:document>`,
  });
}

export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly (string | number)[])[];
}

const SHEETS = "application/vnd.openxmlformats-officedocument.spreadsheetml";

export function makeXlsx(sheets: readonly Sheet[]): Buffer {
  const parts = Object.fromEntries(
    sheets.map((_, index) => [`xl/worksheets/sheet${index + 1}.xml`, `${SHEETS}.worksheet+xml`]),
  );
  const named = sheets
    .map(
      ({ name }, index) =>
        `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
    )
    .join("");
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  return zip({
    "[Content_Types].xml": contentTypes({
      "xl/workbook.xml": `${SHEETS}.sheet.main+xml`,
      ...parts,
    }),
    "_rels/.rels": relations([["officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": `${XML}<workbook xmlns="${main}" xmlns:r="${OFFICE}"><sheets>${named}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      sheets.map((_, index) => ["worksheet", `worksheets/sheet${index + 1}.xml`] as const),
    ),
    ...Object.fromEntries(
      sheets.map(({ rows }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${XML}<worksheet xmlns="${main}"><sheetData>${rows.map(rowXml).join("")}</sheetData></worksheet>`,
      ]),
    ),
  });
}

function rowXml(row: readonly (string | number)[], index: number): string {
  const cells = row.map((value, column) => {
    const place = `${columnName(column)}${index + 1}`;
    return typeof value === "number"
      ? `<c r="${place}"><v>${value}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t>${escapeXml(value)}</t></is></c>`;
  });
  return `<row r="${index + 1}">${cells.join("")}</row>`;
}

function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last;
}

const SLIDES = "application/vnd.openxmlformats-officedocument.presentationml";

/** One slide per text; line feeds separate its paragraphs. */
export function makePptx(slides: readonly string[]): Buffer {
  const parts = Object.fromEntries(
    slides.map((_, index) => [`ppt/slides/slide${index + 1}.xml`, `${SLIDES}.slide+xml`]),
  );
  const drawing = "http://schemas.openxmlformats.org/drawingml/2006/main";
  const show = "http://schemas.openxmlformats.org/presentationml/2006/main";
  return zip({
    "[Content_Types].xml": contentTypes({
      "ppt/presentation.xml": `${SLIDES}.presentation.main+xml`,
      ...parts,
    }),
    "_rels/.rels": relations([["officeDocument", "ppt/presentation.xml"]]),
    "ppt/presentation.xml": `${XML}<p:presentation xmlns:p="${show}"/>`,
    ...Object.fromEntries(
      slides.map((text, index) => [
        `ppt/slides/slide${index + 1}.xml`,
        `${XML}<p:sld xmlns:p="${show}" xmlns:a="${drawing}"><p:cSld><p:spTree><p:sp><p:txBody>${text
          .split("\n")
          .map((line) => `<a:p><a:r><a:t>${escapeXml(line)}</a:t></a:r></a:p>`)
          .join("")}</p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
      ]),
    ),
  });
}

export function makeRtf({ title, paragraphs }: Prose): Buffer {
  const encode = (text: string) =>
    [...text]
      .map((letter) => {
        const code = letter.codePointAt(0)!;
        if (/[\\{}]/.test(letter)) return `\\${letter}`;
        return code < 128 ? letter : `\\u${code > 32_767 ? code - 65_536 : code}?`;
      })
      .join("");
  const body = [title, ...paragraphs].map((text) => `${encode(text)}\\par`).join("\n");
  return Buffer.from(
    `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Helvetica;}}{\\*\\generator Sample;}\n${body}\n}`,
  );
}

export function makeHtml({ title, paragraphs }: Prose): Buffer {
  const body = paragraphs.map((text) => `<p>${escapeXml(text)}</p>`).join("");
  return Buffer.from(
    `<!doctype html><html><head><title>${escapeXml(title)}</title><style>p{margin:0}</style></head><body><h1>${escapeXml(title)}</h1>${body}</body></html>`,
  );
}
