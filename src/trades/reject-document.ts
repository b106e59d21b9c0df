import { endDocument } from "../ingestion/document-table.ts";
import type { Transaction } from "../store/database.ts";
import { recordDecision } from "./decision-table.ts";

/** No contract note: what was still open of it is rejected, what was booked from it stays. */
export async function rejectDocument(
  tx: Transaction,
  actor: string,
  documentId: string,
  reason: string,
): Promise<void> {
  const explanation = [`${actor}: not a contract note (${reason})`];
  await endDocument(tx, documentId, { status: "rejected", reason: explanation[0]! });
  await tx.query(
    `UPDATE postroom.trade_line SET outcome = 'rejected', explanation = $2
      WHERE document_id = $1 AND outcome = 'review'`,
    [documentId, JSON.stringify(explanation)],
  );
  await recordDecision(tx, { kind: "not-a-note", actor, documentId, explanation });
}
