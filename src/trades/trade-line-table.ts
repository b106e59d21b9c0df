import { uuidFor } from "../lib/hash.ts";
import type { Queryable, Transaction } from "../store/database.ts";
import { toJson } from "../store/storable.ts";
import type { TradeFacts } from "./trade.ts";

export type TradeLineOutcome = "confirmed" | "same" | "cancels" | "amends" | "review" | "rejected";

/** A trade as one document reports it, and what became of it. */
export interface TradeLine {
  readonly id: string;
  readonly documentId: string;
  /** Counts from 0. */
  readonly position: number;
  readonly facts: TradeFacts;
  readonly confidence: number;
  readonly outcome: TradeLineOutcome;
  readonly tradeId: string | null;
  readonly explanation: readonly string[];
  /** Where each fact is printed in the document. */
  readonly evidence: object;
}

const COLUMNS = `id, document_id AS "documentId", position, facts, confidence::float8 AS confidence, outcome,
  trade_id AS "tradeId", explanation, evidence`;

export const tradeLineIdOf = (documentId: string, position: number): string =>
  uuidFor("trade-line", `${documentId}|${position}`);

export async function insertTradeLine(on: Queryable, line: Omit<TradeLine, "id">): Promise<string> {
  const id = tradeLineIdOf(line.documentId, line.position);
  await on.query(
    `INSERT INTO postroom.trade_line (id, document_id, position, facts, confidence, outcome, trade_id,
            explanation, evidence)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      line.documentId,
      line.position,
      toJson(line.facts),
      line.confidence,
      line.outcome,
      line.tradeId,
      toJson(line.explanation),
      toJson(line.evidence),
    ],
  );
  return id;
}

export async function updateTradeLine(
  on: Queryable,
  id: string,
  change: Pick<TradeLine, "outcome" | "tradeId" | "explanation"> & { facts?: TradeFacts },
): Promise<void> {
  await on.query(
    `UPDATE postroom.trade_line SET outcome = $2, trade_id = $3, explanation = $4, facts = coalesce($5, facts)
      WHERE id = $1`,
    [
      id,
      change.outcome,
      change.tradeId,
      toJson(change.explanation),
      change.facts === undefined ? null : toJson(change.facts),
    ],
  );
}

/** Rejects the trade lines of a document that still wait for a person. */
export async function rejectOpenTradeLines(
  on: Queryable,
  documentId: string,
  explanation: readonly string[],
): Promise<void> {
  await on.query(
    `UPDATE postroom.trade_line SET outcome = 'rejected', explanation = $2
      WHERE document_id = $1 AND outcome = 'review'`,
    [documentId, toJson(explanation)],
  );
}

export async function nextPosition(on: Queryable, documentId: string): Promise<number> {
  const { rows } = await on.query<{ next: number }>(
    "SELECT coalesce(max(position) + 1, 0) AS next FROM postroom.trade_line WHERE document_id = $1",
    [documentId],
  );
  return rows[0]!.next;
}

export async function countTradeLines(on: Queryable, documentId: string): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    "SELECT count(*) AS n FROM postroom.trade_line WHERE document_id = $1",
    [documentId],
  );
  return rows[0]!.n;
}

export async function getTradeLine(on: Queryable, id: string): Promise<TradeLine | null> {
  const { rows } = await on.query<TradeLine>(
    `SELECT ${COLUMNS} FROM postroom.trade_line WHERE id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

export async function findTradeLines(on: Queryable, documentId: string): Promise<TradeLine[]> {
  const { rows } = await on.query<TradeLine>(
    `SELECT ${COLUMNS} FROM postroom.trade_line WHERE document_id = $1 ORDER BY position`,
    [documentId],
  );
  return rows;
}

/** Erases the lines of these documents. Lines of other documents stay, without the trades that are erased. */
export async function eraseTradeLines(
  tx: Transaction,
  of: { readonly trades: readonly string[]; readonly documents: readonly string[] },
): Promise<void> {
  await tx.query(
    "UPDATE postroom.trade_line SET trade_id = NULL WHERE trade_id = ANY($1::uuid[])",
    [of.trades],
  );
  await tx.query("DELETE FROM postroom.trade_line WHERE document_id = ANY($1::uuid[])", [
    of.documents,
  ]);
}
