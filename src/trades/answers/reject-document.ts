import { endDocument } from "../../ingestion/document-table.ts";
import type { Transaction } from "../../store/database.ts";
import { recordDecision } from "../decision-table.ts";
import { rejectOpenTradeLines } from "../trade-line-table.ts";

/** Marks a document as not a contract note: rejects its open trade lines and keeps the booked ones. */
export async function rejectDocument(
  tx: Transaction,
  actor: string,
  documentId: string,
  reason: string,
): Promise<void> {
  const explanation = [`${actor}: not a contract note (${reason})`];
  await endDocument(tx, documentId, { status: "rejected", reason: explanation[0]! });
  await rejectOpenTradeLines(tx, documentId, explanation);
  await recordDecision(tx, { kind: "not-a-note", actor, documentId, explanation });
}
