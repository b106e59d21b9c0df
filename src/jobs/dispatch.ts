/**
 * The way from the database to the engine. An engine in the same database takes messages in the
 * transaction of their cause. For the others the transaction writes outbox rows, and the relay hands
 * them over: a row goes only after the engine has acknowledged, so a crash repeats and never loses.
 */
import { systemClock } from "../lib/clock.ts";
import { killPoint } from "../lib/kill-points.ts";
import type { Log } from "../lib/log.ts";
import type { Database, Transaction } from "../store/database.ts";
import { createBell } from "./bell.ts";
import type { EngineMessage, JobEngine } from "./engine.ts";
import { toJob } from "./envelope.ts";
import { CREATED_MS, type JobRow, type ReissuedRow } from "./job-table.ts";

export type DispatchedJob = Omit<ReissuedRow, "due_at"> & { readonly delayMs: number };

/** Tells the engine about jobs that are already in the table; `delayMs` from now. */
export async function dispatch(
  engine: JobEngine,
  tx: Transaction,
  jobs: readonly DispatchedJob[],
): Promise<void> {
  if (jobs.length === 0) return;
  if (engine.isTransactional) {
    await engine.send(jobs.map(toMessage), tx);
    return;
  }
  await tx.query(
    `INSERT INTO postroom.job_outbox (job_id, due_at)
     SELECT r.id, postroom.now() + r.delay_ms * interval '1 ms'
       FROM unnest($1::uuid[], $2::float8[]) AS r (id, delay_ms)`,
    [jobs.map((job) => job.id), jobs.map((job) => job.delayMs)],
  );
}

function toMessage(job: DispatchedJob): EngineMessage {
  return {
    jobId: job.id,
    queue: job.queue,
    type: job.type,
    idempotencyKey: job.key,
    attempt: job.attempt + 1,
    delayMs: job.delayMs,
  };
}

type OutboxRow = JobRow & {
  seq: number;
  delay_ms: number;
  is_open: boolean;
  together: number;
};

/** Hands over one batch; answers how many rows left the outbox. */
export async function relayOutbox(
  database: Database,
  engine: JobEngine,
  batchMax = 500,
): Promise<number> {
  return database.transaction(async (tx) => {
    // Rows that a crash of the database brings back are sent once more, so nobody waits for the disk.
    await tx.query("SET LOCAL synchronous_commit = off");
    const { rows } = await tx.query<OutboxRow>(
      `SELECT o.seq, o.together, j.id, j.type, j.queue, j.subject_id, j.correlation_id, j.key, j.attempt,
              j.max_attempts, j.payload, j.is_open, ${CREATED_MS},
              greatest(0, extract(epoch FROM o.due_at - postroom.now()) * 1000)::float8 AS delay_ms
         FROM postroom.job_outbox o JOIN postroom.job j ON j.id = o.job_id
        ORDER BY o.seq LIMIT $1 FOR UPDATE OF o SKIP LOCKED`,
      [batchMax],
    );
    if (rows.length === 0) return 0;
    await killPoint("dispatch.outbox-locked");
    const sending = engine.send(rows.filter((row) => row.is_open).map(toEnvelopeMessage));
    await killPoint("dispatch.sent");
    await sending;
    await killPoint("dispatch.acknowledged");
    await tx.query("DELETE FROM postroom.job_outbox WHERE seq = ANY($1::bigint[])", [
      rows.map((row) => row.seq),
    ]);
    await killPoint("dispatch.outbox-marked");
    return rows.length;
  });
}

function toEnvelopeMessage(row: OutboxRow): EngineMessage {
  const attempt = row.attempt + 1;
  return {
    jobId: row.id,
    queue: row.queue,
    type: row.type,
    idempotencyKey: row.key,
    attempt,
    delayMs: row.delay_ms,
    together: row.together,
    outside: { messageId: `${row.id}-${row.seq}`, envelope: { ...toJob(row), attempt } },
  };
}

/** Hands the outbox over as it fills; the answer wakes and stops it. */
export function startRelay(needs: { database: Database; engine: JobEngine; log: Log }): {
  wake(): void;
  stop(): Promise<void>;
} {
  const bell = createBell();
  let isStopped = false;
  const loop = async (): Promise<void> => {
    while (!isStopped) {
      const sent = await relayOutbox(needs.database, needs.engine).catch((error: unknown) => {
        needs.log.warn({ err: error }, "the outbox could not be handed over and is tried again");
        return -1;
      });
      // After a failure the engine gets a second; news of more jobs must not turn this into a storm.
      if (sent < 0) await systemClock.sleep(1_000);
      else if (sent === 0 && !isStopped) await bell.sleep(500);
    }
  };
  const running = loop();
  return {
    wake: bell.ring,
    async stop() {
      isStopped = true;
      bell.ring();
      await running;
    },
  };
}
