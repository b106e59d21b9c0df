/** A person's word about a line. It outweighs every doubt, but not a missing or impossible fact. */
import assert from "node:assert/strict";
import { getDocument, type TradeDocument } from "../ingestion/document-table.ts";
import { uuidFor } from "../lib/hash.ts";
import type { Transaction } from "../store/database.ts";
import { bookTrade } from "./book-trade.ts";
import { cancelTrade } from "./cancel-trade.ts";
import { recordDecision } from "./decision-table.ts";
import { objectionsTo } from "./judge-trade.ts";
import { getLine, insertLine, type TradeLine, updateLine } from "./line-table.ts";
import { findPeople } from "./order-table.ts";
import { kindOfDocument } from "./place-line.ts";
import { lockRouting } from "./route-document.ts";
import { findPlace, type Question, userOf } from "./route-line.ts";
import { NO_FACTS, type TradeFacts } from "./trade.ts";
import { getTrade, linkDocument } from "./trade-table.ts";

export interface Person {
  readonly actor: string;
  readonly firmDomains: readonly string[];
  /** YYYY-MM-DD */
  readonly today: string;
}

export type PersonAnswer =
  | { readonly kind: "done"; readonly questions: readonly Question[] }
  | { readonly kind: "refused"; readonly why: string };

/** Books the line as a trade of its own, or cancels what it cancels. */
export async function confirmLine(
  tx: Transaction,
  person: Person,
  lineId: string,
  changes: Partial<TradeFacts> = {},
): Promise<PersonAnswer> {
  await lockRouting(tx);
  const { line, document } = await loadLine(tx, lineId);
  const facts = { ...line.facts, ...changes };
  if (facts.isCancelled) return cancelWhatItNames(tx, person, { line, document, facts });
  const objections = objectionsTo(facts, person.today);
  if (objections.length > 0) return { kind: "refused", why: objections.join("; ") };
  const people = await findPeople(tx);
  const user = userOf({ document, firmDomains: person.firmDomains, people }, facts);
  const place = await findPlace(tx, contextOf(document), facts);
  const changed = Object.keys(changes);
  const how = changed.length === 0 ? "as it was read" : `with ${changed.join(", ")} corrected`;
  const questions = await bookTrade(tx, {
    id: await freeTradeId(tx, lineId),
    lineId,
    documentId: document.id,
    senderEmail: document.senderEmail,
    username: user.username,
    facts,
    confidence: line.confidence,
    actor: person.actor,
    needsAudit: false,
    corrects: place?.kind === "amends" ? place.tradeId : null,
    explanation: [`confirmed by ${person.actor} ${how}`],
  });
  return { kind: "done", questions };
}

/** A line may be confirmed, taken back and confirmed again; each time it is another trade. */
async function freeTradeId(tx: Transaction, lineId: string): Promise<string> {
  for (let n = 0; ; n += 1) {
    const id = uuidFor("trade", n === 0 ? lineId : `${lineId}#${n}`);
    if ((await getTrade(tx, id)) === null) return id;
  }
}

async function cancelWhatItNames(
  tx: Transaction,
  person: Person,
  { line, document, facts }: { line: TradeLine; document: TradeDocument; facts: TradeFacts },
): Promise<PersonAnswer> {
  const place = await findPlace(tx, contextOf(document), facts);
  if (place?.kind !== "cancels") {
    return {
      kind: "refused",
      why: place?.kind === "ask" ? place.why : "no trade is known that it cancels",
    };
  }
  const why = `${person.actor} confirmed: ${place.why}`;
  await cancelTrade(tx, {
    ...place,
    lineId: line.id,
    documentId: document.id,
    actor: person.actor,
    why,
  });
  await linkDocument(tx, place.tradeId, document.id);
  await updateLine(tx, line.id, {
    outcome: "cancels",
    tradeId: place.tradeId,
    explanation: [why],
    facts,
  });
  return { kind: "done", questions: [] };
}

/** The line tells of a trade that is booked already. */
export async function linkLine(
  tx: Transaction,
  person: Person,
  lineId: string,
  tradeId: string,
): Promise<PersonAnswer> {
  await lockRouting(tx);
  const { line, document } = await loadLine(tx, lineId);
  const trade = await getTrade(tx, tradeId);
  if (trade === null) return { kind: "refused", why: `there is no trade ${tradeId}` };
  const explanation = [`${person.actor} said that it is ${trade.tradeKey}`];
  await linkDocument(tx, trade.id, document.id);
  await updateLine(tx, line.id, { outcome: "same", tradeId: trade.id, explanation });
  await recordDecision(tx, {
    kind: "same",
    actor: person.actor,
    lineId: line.id,
    tradeId: trade.id,
    documentId: document.id,
    explanation,
  });
  return { kind: "done", questions: [] };
}

export async function rejectLine(
  tx: Transaction,
  person: Person,
  lineId: string,
  reason: string,
): Promise<PersonAnswer> {
  const { line, document } = await loadLine(tx, lineId);
  const explanation = [`${person.actor} rejected it: ${reason}`];
  await updateLine(tx, line.id, { outcome: "rejected", tradeId: null, explanation });
  await recordDecision(tx, {
    kind: "reject",
    actor: person.actor,
    lineId: line.id,
    documentId: document.id,
    explanation,
  });
  return { kind: "done", questions: [] };
}

/** Lines that a person adds to a document, each as the given ones say. Answers their ids. */
export async function addLines(
  tx: Transaction,
  documentId: string,
  lines: readonly Partial<TradeFacts>[],
): Promise<string[]> {
  const { rows } = await tx.query<{ next: number }>(
    "SELECT coalesce(max(position) + 1, 0) AS next FROM postroom.trade_line WHERE document_id = $1",
    [documentId],
  );
  const ids: string[] = [];
  for (const [index, facts] of lines.entries()) {
    ids.push(
      await insertLine(tx, {
        documentId,
        position: rows[0]!.next + index,
        facts: { ...NO_FACTS, ...facts },
        confidence: 1,
        outcome: "review",
        tradeId: null,
        explanation: ["entered by a person"],
        evidence: {},
      }),
    );
  }
  return ids;
}

async function loadLine(
  tx: Transaction,
  lineId: string,
): Promise<{ line: TradeLine; document: TradeDocument }> {
  const line = await getLine(tx, lineId);
  assert(line !== null, `line ${lineId} is gone`);
  const document = await getDocument(tx, line.documentId);
  assert(document !== null, `document ${line.documentId} is gone`);
  return { line, document };
}

const contextOf = (document: TradeDocument) => ({
  kind: kindOfDocument(document.documentType),
  textHash: document.textSha256 ?? "",
  taken: new Set<string>(),
});
