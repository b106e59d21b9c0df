/** An analysis as a file that people can keep: Markdown, or a Word document. */
import { loadDriver } from "../lib/load-driver.ts";
import type { Analysis } from "./analysis-table.ts";
import { toPlainText } from "./plain-text.ts";
import { getPlaybook } from "./playbook.ts";

export type ExportFormat = "md" | "docx";

export interface ExportedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

const MIME_TYPES: Readonly<Record<ExportFormat, string>> = {
  md: "text/markdown; charset=utf-8",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
};

export async function exportAnalysis(
  analysis: Analysis,
  format: ExportFormat,
): Promise<ExportedFile> {
  const title = getPlaybook(analysis.playbookId)?.name ?? analysis.playbookId;
  const parts = toParts(analysis, `${title}: ${analysis.documentName}`);
  const base = analysis.documentName.replace(/\.[^.]{1,8}$/, "").slice(0, 100);
  return {
    name: `${base} - ${title}.${format}`,
    mimeType: MIME_TYPES[format],
    bytes: format === "md" ? toMarkdown(parts) : await toDocx(parts),
  };
}

interface Part {
  readonly style: "Heading1" | "Heading2" | "Normal";
  readonly text: string;
}

function toParts({ content, turns, author, error, state }: Analysis, title: string): Part[] {
  const asked = turns.flatMap(({ question, answer }): Part[] => [
    { style: "Heading2", text: question },
    { style: "Normal", text: answer },
  ]);
  const note = state === "completed" ? [] : [`This analysis is ${state} (${error ?? "stopped"}).`];
  const by = author === "extractive" ? "the built-in extract" : `the model ${author ?? ""}`;
  return [
    { style: "Heading1", text: title },
    ...note.map((text): Part => ({ style: "Normal", text })),
    { style: "Normal", text: content },
    ...asked,
    { style: "Normal", text: `Written by ${by}. Check it against the document.` },
  ];
}

const MARKS = { Heading1: "# ", Heading2: "## ", Normal: "" };

/** The name of a document and the sentences of an extract are a stranger's: as Markdown they could hold a link or a picture. */
function toMarkdown(parts: readonly Part[]): Buffer {
  const lines = parts.map(({ style, text: given }) => {
    const text = toPlainText(given);
    return style === "Normal" ? text : `${MARKS[style]}${text.replace(/\s+/g, " ")}`;
  });
  return Buffer.from(`${lines.join("\n\n")}\n`);
}

const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml";

/** The smallest package that Word opens: content types, the relation to the document, its styles and its text. */
async function toDocx(parts: readonly Part[]): Promise<Buffer> {
  const { zipSync, strToU8 } = await loadDriver(
    "export to Word",
    ["fflate"],
    () => import("fflate"),
  );
  const heading = (id: string, size: number) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="heading ${id.slice(-1)}"/><w:rPr><w:b/><w:sz w:val="${size}"/></w:rPr></w:style>`;
  const files: Record<string, string> = {
    "[Content_Types].xml": `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${WORD}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${WORD}.styles+xml"/></Types>`,
    "_rels/.rels": `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/_rels/document.xml.rels": `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    "word/styles.xml": `${HEAD}<w:styles xmlns:w="${W}"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>${heading("Heading1", 32)}${heading("Heading2", 26)}</w:styles>`,
    "word/document.xml": `${HEAD}<w:document xmlns:w="${W}"><w:body>${parts.map(toParagraphs).join("")}</w:body></w:document>`,
  };
  const bytes = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  // A fixed time: the same analysis is the same file.
  return Buffer.from(zipSync(Object.fromEntries(bytes), { mtime: "2020-01-01T00:00:00Z" }));
}

function toParagraphs({ style, text }: Part): string {
  return text
    .split(/\n+/)
    .map(
      (line) =>
        `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t xml:space="preserve">${escapeXml(line)}</w:t></w:r></w:p>`,
    )
    .join("");
}

/** XML has no place for control characters, whatever their notation. */
function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
