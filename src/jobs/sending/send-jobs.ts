import type { Transaction } from "../../store/database.ts";
import type { EngineMessage, JobEngine } from "../engine.ts";
import type { ReissuedRow } from "../job-table.ts";
import { insertOutbox } from "./outbox-table.ts";

export interface JobToSend extends ReissuedRow {
  /** How many jobs may share a message; 1 if absent. */
  readonly jobsPerMessageMax?: number;
}

/**
 * Sends jobs that are already in the table. An engine in the same database takes them in this transaction;
 * for the others the transaction fills the outbox.
 */
export async function sendJobs(
  engine: JobEngine,
  tx: Transaction,
  jobs: readonly JobToSend[],
): Promise<void> {
  if (jobs.length === 0) return;
  if (engine.isTransactional) await engine.send(jobs.map(toMessage), tx);
  else await insertOutbox(tx, jobs);
}

function toMessage(job: JobToSend): EngineMessage {
  return {
    jobId: job.id,
    queue: job.queue,
    type: job.type,
    idempotencyKey: job.key,
    attempt: job.attempt + 1,
    delayMs: job.delayMs,
    jobsPerMessageMax: job.jobsPerMessageMax ?? 1,
  };
}
