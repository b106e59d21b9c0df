/**
 * The backstop: marks dead claims as failed and adds a job for every failed message that is overdue, even if its
 * earlier jobs are lost, and for every message whose result another program wrote over. Ends the documents of messages
 * that another program finished. Safe to run in every process.
 */

import { recordConflict } from "../../ingestion/conflict-table.ts";
import { endDocumentsElsewhere } from "../../ingestion/document-table.ts";
import type { IngestionTable } from "../../ingestion/ingestion-table.ts";
import { findOverwritten } from "../../ingestion/ingestion-view.ts";
import { reapDeadClaims } from "../../ingestion/keep-claims.ts";
import { findOverdueMails } from "../../ingestion/lease-table.ts";
import type { JobQueue } from "../../jobs/job.ts";
import { findUnfinishedSubjects } from "../../jobs/job-table.ts";
import type { Log } from "../../lib/log.ts";
import type { Database, Transaction } from "../../store/database.ts";
import { ingestMail, ingestMailKey } from "../specs/ingestion.ts";

export const SWEEP_EVERY_MS = 15_000;

export interface SweepNeeds {
  readonly database: Database;
  readonly table: IngestionTable;
  readonly jobs: JobQueue;
  readonly log: Log;
}

export interface Swept {
  readonly reaped: number;
  readonly retried: number;
  /** Messages whose final result another program overwrote with a failure. */
  readonly overwritten: number;
  /** Documents of messages that another program finished. */
  readonly elsewhere: number;
}

/** The sweep comes again soon, so the rest may wait. */
const AT_ONCE = 500;

export async function sweepIngestion(needs: SweepNeeds): Promise<Swept> {
  return needs.database.transaction(async (tx) => {
    const reaped = await reapDeadClaims(tx, needs.table);
    for (const { messageId, workerId } of reaped) {
      needs.log.warn({ messageId, workerId }, "a claim expired and was marked as failed");
    }
    return {
      reaped: reaped.length,
      retried: await retryOverdue(tx, needs),
      overwritten: await retryOverwritten(tx, needs),
      elsewhere: await endDocumentsElsewhere(tx, needs.table, AT_ONCE),
    };
  });
}

/** A message that is processed again takes no effect twice, and its mark says again what is true. */
async function retryOverwritten(tx: Transaction, needs: SweepNeeds): Promise<number> {
  const { table, jobs, log } = needs;
  const found = await findOverwritten(tx, table, AT_ONCE);
  const ids = found.map(({ messageId }) => messageId);
  const known = await findUnfinishedSubjects(tx, ingestMail.type, ids);
  const overwritten = found.filter(({ messageId }) => !known.has(messageId));
  for (const { messageId } of overwritten) {
    log.warn({ messageId }, "another program wrote a failure over a final result");
    await recordConflict(tx, table, { messageId, kind: "overwritten", ours: null });
  }
  await jobs.add(
    tx,
    ingestMail,
    overwritten.map(({ messageId, mailbox, failedAt }) => ({
      subjectId: messageId,
      idempotencyKey: `${ingestMailKey(messageId)}-overwritten-${failedAt.getTime()}`,
      payload: { mailbox, messageId },
    })),
  );
  return overwritten.length;
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
