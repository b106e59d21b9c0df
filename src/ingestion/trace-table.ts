import type { Queryable, Transaction } from "../store/database.ts";
import { toJson } from "../store/storable.ts";

/** The stages of ingestion in the order in which an operator reads them. */
export const STAGES = {
  "0": "id",
  "1": "check",
  "2": "claim",
  "3": "fetch",
  "4": "process",
  "5": "archive",
  "6": "mark",
  "6b": "failed",
} as const;
export type Stage = keyof typeof STAGES;

export interface TraceEntry {
  readonly step: Stage;
  readonly name: string;
  readonly worker: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

export async function recordStage(
  on: Queryable,
  entry: { messageId: string; worker: string; step: Stage; detail?: object },
): Promise<void> {
  await on.query(
    `INSERT INTO postroom.ingest_trace (message_id, worker, step, name, detail) VALUES ($1, $2, $3, $4, $5)`,
    [entry.messageId, entry.worker, entry.step, STAGES[entry.step], toJson(entry.detail ?? {})],
  );
}

export async function findStages(on: Queryable, messageId: string): Promise<TraceEntry[]> {
  const { rows } = await on.query<TraceEntry>(
    `SELECT step, name, worker, detail, at FROM postroom.ingest_trace WHERE message_id = $1 ORDER BY id`,
    [messageId],
  );
  return rows;
}

export async function removeTraceBefore(
  on: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await on.query(
    `DELETE FROM postroom.ingest_trace WHERE id IN (
       SELECT id FROM postroom.ingest_trace WHERE at < $1 ORDER BY id LIMIT $2)`,
    [before, limit],
  );
  return rowCount;
}

/** Returns how many were erased. */
export async function eraseTrace(tx: Transaction, messageIds: readonly string[]): Promise<number> {
  const sql = "DELETE FROM postroom.ingest_trace WHERE message_id = ANY($1)";
  return (await tx.query(sql, [messageIds])).rowCount;
}
