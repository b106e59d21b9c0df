/** Conflicts with other programs and workers over a message, kept for the operator. */
import type { Queryable } from "../store/database.ts";
import type { IngestionTable } from "./ingestion-table.ts";

/**
 * `fenced`: we discarded our finished work because the message had been taken from us; `overwritten`: another program
 * wrote a failure over a result that was final.
 */
export type ConflictKind = "fenced" | "overwritten";

export async function recordConflict(
  on: Queryable,
  table: IngestionTable,
  conflict: { messageId: string; kind: ConflictKind; ours: string | null },
): Promise<void> {
  await on.query(
    `INSERT INTO postroom.claim_conflict (app, message_id, kind, ours, theirs)
     VALUES ($1, $2, $3, $4, (SELECT worker_id FROM ${table.name} WHERE app_name = $1 AND message_id = $2))`,
    [table.naming.appName, conflict.messageId, conflict.kind, conflict.ours],
  );
}

export async function countConflicts(on: Queryable, table: IngestionTable): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    "SELECT count(*) AS n FROM postroom.claim_conflict WHERE app = $1",
    [table.naming.appName],
  );
  return rows[0]!.n;
}

export async function removeConflictsBefore(
  on: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await on.query(
    `DELETE FROM postroom.claim_conflict WHERE id IN (
       SELECT id FROM postroom.claim_conflict WHERE at < $1 ORDER BY id LIMIT $2)`,
    [before, limit],
  );
  return rowCount;
}
