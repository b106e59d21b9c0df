import {
  makeDocx,
  makeHtml,
  makePptx,
  makeRtf,
  makeXlsx,
  type Prose,
} from "../files/office-files.ts";
import type { LibraryDocument } from "./library.ts";

/** The bytes of a document; equal documents give equal bytes. */
export async function makeLibraryFile(document: LibraryDocument): Promise<Buffer> {
  const prose = proseOf(document);
  switch (document.kind) {
    case "docx":
      return makeDocx(prose);
    case "pdf":
      return (await import("../files/pdf-file.ts")).makePdf(prose);
    case "eml":
      return makeEml(document, prose);
    case "txt":
      return Buffer.from([prose.title, ...prose.paragraphs].join("\n\n"));
    case "html":
      return makeHtml(prose);
    case "rtf":
      return makeRtf(prose);
    case "xlsx":
      return makeXlsx([{ name: document.matter.name.slice(0, 31), rows: rowsOf(document) }]);
    case "pptx":
      return makePptx(document.sections.map(({ heading, text }) => `${heading}\n${text}`));
    case "csv":
      return Buffer.from(rowsOf(document).map(toCsvLine).join("\r\n"));
    case "msg":
      return (await import("../files/msg-file.ts")).makeMsg({
        subject: prose.title,
        senderName: document.parties.party,
        senderAddress: senderOf(document),
        body: prose.paragraphs.join("\r\n\r\n"),
      });
  }
}

function proseOf({ title, sections }: LibraryDocument): Prose {
  const paragraphs = sections.flatMap(({ heading, text }, index) =>
    index === 0 ? [text] : [heading, text],
  );
  return { title, paragraphs };
}

const rowsOf = ({ sections }: LibraryDocument): string[][] =>
  sections.map(({ heading, text }) => [heading, text]);

const toCsvLine = (row: readonly string[]): string =>
  row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");

/** Empty for documents that nobody sent. */
export function senderOf({ kind, parties }: LibraryDocument): string {
  const host = parties.name.normalize("NFD").replace(/[^A-Za-z]/g, "");
  return kind === "eml" || kind === "msg" ? `office@${host.toLowerCase()}.example` : "";
}

function makeEml(document: LibraryDocument, { title, paragraphs }: Prose): Buffer {
  const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;
  const body = Buffer.from(paragraphs.join("\r\n\r\n")).toString("base64");
  return Buffer.from(
    [
      `From: ${encoded(document.parties.party)} <${senderOf(document)}>`,
      "To: operations@ashdown.example",
      `Subject: ${encoded(title)}`,
      `Message-ID: <library-${document.number}@sample.example>`,
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64",
      "",
      ...(body.match(/.{1,76}/g) ?? []),
      "",
    ].join("\r\n"),
  );
}
