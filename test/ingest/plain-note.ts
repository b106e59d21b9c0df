/** Notes that print every fact on its own line, so that tests of the walk do not depend on the extractor. */
import PDFDocument from "pdfkit";
import type { Extract } from "../../src/flows/ingestion/stages/needs.ts";
import type { DocumentContent, ReadTradeLine } from "../../src/trades/document-content.ts";
import { NO_FACTS, type TradeFacts } from "../../src/trades/trade.ts";

export interface PlainNote {
  readonly trades: readonly (Partial<TradeFacts> & { confidence?: number })[];
  readonly type?: string;
  /** Makes two notes of the same trades different documents. */
  readonly remark?: string;
}

const NOTHING_SAID = "no remark";

export function plainPdf(note: PlainNote): Promise<Buffer> {
  const pdf = new PDFDocument({ info: { CreationDate: new Date(0) } });
  const chunks: Buffer[] = [];
  pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise<Buffer>((resolve) =>
    pdf.on("end", () => resolve(Buffer.concat(chunks))),
  );
  pdf.fontSize(9).text(`type = ${note.type ?? "contract-note"}`);
  pdf.text(`remark = ${note.remark ?? NOTHING_SAID}`);
  for (const trade of note.trades) {
    pdf.text("trade = next");
    for (const [name, value] of Object.entries(trade)) {
      if (value !== null) pdf.text(`${name} = ${JSON.stringify(value)}`);
    }
  }
  pdf.end();
  return done;
}

export const plainExtract: Extract = Object.assign(
  (reading: { text: string }): DocumentContent => {
    const lines: (ReadTradeLine & { facts: TradeFacts })[] = [];
    let documentType = "other";
    for (const line of reading.text.split(/[\n\f]/)) {
      const [name, value] = line.split(" = ", 2) as [string, string | undefined];
      if (value === undefined) continue;
      if (name === "type") documentType = value;
      else if (name === "trade") lines.push({ facts: NO_FACTS, confidence: 0.95, doubts: [] });
      else if (name !== "remark") setFact(lines, name, JSON.parse(value));
    }
    const isNote = documentType === "contract-note";
    return {
      documentType,
      kind: documentType === "statement" ? "statement" : "note",
      lines,
      mentions: [],
      notes: [],
      missing: isNote && lines.length === 0 ? "a contract note without a trade" : null,
    };
  },
  { version: "plain-1" },
);

function setFact(lines: ReadTradeLine[], name: string, value: unknown): void {
  const last = lines.pop()!;
  if (name === "confidence") lines.push({ ...last, confidence: value as number });
  else lines.push({ ...last, facts: { ...last.facts, [name]: value } });
}
