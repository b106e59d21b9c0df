/**
 * The backstop: marks dead claims as failed and adds a job for every failed message that is overdue, even if its
 * earlier jobs are lost. Safe to run in every process.
 */

import type { IngestionTable } from "../ingestion/ingestion-table.ts";
import { reapDeadClaims } from "../ingestion/keep-claims.ts";
import { findOverdueMails } from "../ingestion/lease-table.ts";
import type { JobQueue } from "../jobs/job.ts";
import type { Log } from "../lib/log.ts";
import type { Database, Transaction } from "../store/database.ts";
import { ingestMail, ingestMailKey } from "./specs/ingestion.ts";

export const SWEEP_EVERY_MS = 15_000;

export interface SweepNeeds {
  readonly database: Database;
  readonly table: IngestionTable;
  readonly jobs: JobQueue;
  readonly log: Log;
}

export async function sweepIngestion(
  needs: SweepNeeds,
): Promise<{ reaped: number; retried: number }> {
  return needs.database.transaction(async (tx) => {
    const reaped = await reapDeadClaims(tx, needs.table);
    for (const { messageId, workerId } of reaped) {
      needs.log.warn({ messageId, workerId }, "a claim expired and was marked as failed");
    }
    return { reaped: reaped.length, retried: await retryOverdue(tx, needs) };
  });
}

async function retryOverdue(tx: Transaction, { table, jobs }: SweepNeeds): Promise<number> {
  const overdue = await findOverdueMails(tx, table);
  await jobs.add(
    tx,
    ingestMail,
    overdue.map(({ messageId, mailbox, attempts }) => ({
      subjectId: messageId,
      // The key of an earlier job may be used up; each attempt is a job of its own.
      idempotencyKey: `${ingestMailKey(messageId)}-retry-${attempts}`,
      payload: { mailbox, messageId },
    })),
  );
  return overdue.length;
}
