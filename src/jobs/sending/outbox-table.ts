/**
 * Jobs on their way to an engine outside the database. A row is deleted once the engine has acknowledged it.
 */
import type { Transaction } from "../../store/database.ts";
import { CREATED_MS, type JobRow } from "../job-table.ts";

export async function insertOutbox(
  tx: Transaction,
  jobs: readonly {
    readonly id: string;
    readonly delayMs: number;
    readonly jobsPerMessageMax?: number;
  }[],
): Promise<void> {
  await tx.query(
    `INSERT INTO postroom.job_outbox (job_id, due_at, together)
     SELECT r.id, t.now + r.delay_ms * interval '1 ms', r.together
       FROM unnest($1::uuid[], $2::float8[], $3::smallint[]) AS r (id, delay_ms, together),
            (SELECT postroom.now() AS now) t`,
    [
      jobs.map((job) => job.id),
      jobs.map((job) => job.delayMs),
      jobs.map((job) => job.jobsPerMessageMax ?? 1),
    ],
  );
}

export type OutboxRow = JobRow & {
  readonly seq: number;
  readonly delay_ms: number;
  readonly is_open: boolean;
  readonly together: number;
};

/** The oldest rows that no other relay is sending, locked until the end of the transaction. */
export async function lockOutbox(tx: Transaction, limit: number): Promise<OutboxRow[]> {
  const { rows } = await tx.query<OutboxRow>(
    `SELECT o.seq, o.together, j.id, j.type, j.queue, j.subject_id, j.correlation_id, j.key, j.attempt,
            j.max_attempts, j.payload, j.is_open, ${CREATED_MS},
            greatest(0, extract(epoch FROM o.due_at - postroom.now()) * 1000)::float8 AS delay_ms
       FROM postroom.job_outbox o JOIN postroom.job j ON j.id = o.job_id
      ORDER BY o.seq LIMIT $1 FOR UPDATE OF o SKIP LOCKED`,
    [limit],
  );
  return rows;
}

export async function deleteOutbox(tx: Transaction, rows: readonly OutboxRow[]): Promise<void> {
  await tx.query("DELETE FROM postroom.job_outbox WHERE seq = ANY($1::bigint[])", [
    rows.map((row) => row.seq),
  ]);
}
