import type { Random } from "../../random.ts";
import type { Block } from "./blocks.ts";
import {
  composeAccountStatement,
  composeDividend,
  composeNewsletter,
  composeTax,
} from "./compose-others.ts";
import { composeStatement, composeTrade } from "./compose-trades.ts";
import type { DocumentType, Kind } from "./note.ts";
import type { InventedTrade } from "./trade.ts";
import type { Labels } from "./words/labels.ts";
import type { Writer } from "./writer.ts";

/** All blocks of a document, from its title to the small print. */
export function composeNote(
  writer: Writer,
  random: Random,
  kind: Kind,
  trades: InventedTrade[],
): Block[] {
  const { labels, skin } = writer;
  const blocks: Block[] = [{ kind: "heading", text: [titleOf(labels, kind)] }];
  blocks.push(...bodyOf(writer, random, kind, trades));
  if (skin.hasLegalPage) blocks.push({ kind: "page-break" });
  blocks.push({ kind: "paragraph", text: [labels.legal], isSmall: true });
  return blocks;
}

function bodyOf(writer: Writer, random: Random, kind: Kind, trades: InventedTrade[]): Block[] {
  const { labels } = writer;
  const first = trades[0]!;
  if (kind === "statement") return composeStatement(writer, trades);
  if (kind === "dividend") return composeDividend(writer, random, first);
  if (kind === "tax") return composeTax(writer, random, first);
  if (kind === "account-statement") return composeAccountStatement(writer, random, first);
  if (kind === "newsletter") return composeNewsletter(writer, random);
  const bodies = trades.flatMap((trade, index) =>
    composeTrade(writer, random.fork(String(index)), trade, index),
  );
  if (kind !== "cancellation" && kind !== "amendment") return bodies;
  const opening = kind === "cancellation" ? labels.cancels : labels.replaces;
  return [{ kind: "paragraph", text: [`${opening} ${first.truth.refersTo}`] }, ...bodies];
}

const DOCUMENT_TYPES: Partial<Record<Kind, DocumentType>> = {
  statement: "statement",
  cancellation: "cancellation",
  amendment: "amendment",
  dividend: "dividend",
  tax: "tax",
  "account-statement": "account-statement",
  newsletter: "other",
};

export function documentTypeOf(kind: Kind): DocumentType {
  return DOCUMENT_TYPES[kind] ?? "contract-note";
}

const TITLES: Partial<Record<Kind, keyof Labels>> = {
  "savings-plan": "savingsPlanTitle",
  statement: "statementTitle",
  cancellation: "cancellationTitle",
  amendment: "amendmentTitle",
  dividend: "dividendTitle",
  tax: "taxTitle",
  "account-statement": "accountTitle",
  newsletter: "newsletterTitle",
};

export function titleOf(labels: Labels, kind: Kind): string {
  return labels[TITLES[kind] ?? "noteTitle"];
}
