import PDFDocument from "pdfkit";
import type { Prose } from "./office-files.ts";

/** Written into the file, so that equal texts are equal bytes. */
const OLD = new Date(Date.UTC(2020, 0, 1));

export function makePdf({ title, paragraphs }: Prose): Promise<Buffer> {
  const document = new PDFDocument({
    size: "A4",
    margin: 56,
    pdfVersion: "1.4",
    info: { Title: title, CreationDate: OLD, ModDate: OLD },
  });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<Buffer>((resolve, reject) => {
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
  document.font("Times-Bold").fontSize(14).text(title).font("Times-Roman").fontSize(10);
  for (const paragraph of paragraphs) document.moveDown(0.6).text(paragraph);
  document.end();
  return finished;
}
