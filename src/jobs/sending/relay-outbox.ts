/**
 * Sends jobs from the outbox to an engine outside the database. A row is deleted only after the engine has
 * acknowledged it, so a crash repeats a message and never loses one.
 */
import { systemClock } from "../../lib/clock.ts";
import { killPoint } from "../../lib/kill-points.ts";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../../store/database.ts";
import { createBell } from "../bell.ts";
import type { EngineMessage, JobEngine } from "../engine.ts";
import { toJob } from "../envelope.ts";
import { deleteOutbox, lockOutbox, type OutboxRow } from "./outbox-table.ts";

/** Sends one batch; returns how many rows left the outbox. */
export async function relayOutbox(
  database: Database,
  engine: JobEngine,
  batchMax = 500,
): Promise<number> {
  return database.transaction(async (tx) => {
    // Rows that come back after a crash of the database are sent again, so the commit need not wait for the disk.
    await tx.query("SET LOCAL synchronous_commit = off");
    const rows = await lockOutbox(tx, batchMax);
    if (rows.length === 0) return 0;
    await killPoint("dispatch.outbox-locked");
    const sending = engine.send(rows.filter((row) => row.is_open).map(toEnvelopeMessage));
    await killPoint("dispatch.sent");
    await sending;
    await killPoint("dispatch.acknowledged");
    await deleteOutbox(tx, rows);
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
    jobsPerMessageMax: row.together,
    outside: { messageId: `${row.id}-${row.seq}`, envelope: { ...toJob(row), attempt } },
  };
}

const AFTER_FAILURE_MS = 1_000;
/** How soon rows are found for which nobody rang the bell. */
const POLL_MS = 500;

/** Sends jobs as the outbox fills. */
export function startRelay(needs: { database: Database; engine: JobEngine; log: Log }): {
  wake(): void;
  stop(): Promise<void>;
} {
  const bell = createBell();
  let isStopped = false;
  const loop = async (): Promise<void> => {
    while (!isStopped) {
      const sent = await relayOutbox(needs.database, needs.engine).catch((error: unknown) => {
        needs.log.warn({ err: error }, "the outbox could not be handed over; trying again");
        return -1;
      });
      // After a failure, the engine gets time to recover, however many jobs are added meanwhile.
      if (sent < 0) await systemClock.sleep(AFTER_FAILURE_MS);
      else if (sent === 0 && !isStopped) await bell.sleep(POLL_MS);
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
