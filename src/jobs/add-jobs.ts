import { canonicalJson } from "../lib/canonical-json.ts";
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { currentCorrelation } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import { type Transaction, toStorableText } from "../store/database.ts";
import type { EngineMessage, JobEngine } from "./engine.ts";
import { PAYLOAD_BYTES_MAX } from "./envelope.ts";
import type { JobQueue, JobSpec, NewJob } from "./job.ts";
import { createJobIds } from "./job-id.ts";
import { toStoredKey } from "./job-keys.ts";
import { findKeyHolders, type InsertRow, insertJobs } from "./job-table.ts";

const TOGETHER = 10;

/**
 * Adds jobs in the caller's transaction. A key that is held by an open or completed job answers that
 * job's id and adds nothing; with another payload it is refused.
 */
export function createJobQueue(needs: {
  engine: JobEngine;
  clock: Clock;
  random: Random;
  /** Told after each add, perhaps before its commit. */
  onAdded: (queue: string) => void;
}): JobQueue {
  const { engine } = needs;
  return {
    async add(tx, spec, jobs) {
      if (jobs.length === 0) return [];
      const rows = toRows(jobs, needs.clock, needs.random);
      const together = spec.together ?? TOGETHER;
      const shared = { ...spec, outbox: engine.isTransactional ? null : { together } };
      const added = await insertJobs(tx, shared, rows);
      if (engine.isTransactional && added.size > 0) {
        const messages = rows
          .filter((row) => added.has(row.id))
          .map((row) => toMessage(spec, row, needs.clock));
        await engine.send(messages, tx);
      }
      needs.onAdded(spec.queue);
      return added.size === rows.length ? rows.map((row) => row.id) : idsOf(tx, spec, rows, added);
    },
  };
}

function toRows<Payload>(
  jobs: readonly NewJob<Payload>[],
  clock: Clock,
  random: Random,
): InsertRow[] {
  const ids = createJobIds(jobs.length, clock, random);
  const correlationId = currentCorrelation();
  return jobs.map((job, index) => ({
    id: ids[index]!,
    subjectId: toStorableText(job.subjectId),
    correlationId: job.correlationId ?? correlationId ?? null,
    ownerId: job.ownerId ?? null,
    key: toStoredKey(job.idempotencyKey),
    payload: toPayloadText(job.payload, job.idempotencyKey),
    runAtMs: job.runAt?.getTime() ?? null,
  }));
}

/** JSON that PostgreSQL can keep and every engine can carry. */
export function toPayloadText(payload: unknown, key: string): string {
  const text = JSON.stringify(payload ?? null);
  // UTF-8 takes at most three bytes for each unit of a JavaScript string.
  if (text.length * 3 > PAYLOAD_BYTES_MAX && Buffer.byteLength(text) > PAYLOAD_BYTES_MAX) {
    throw new Fault(
      "job.malformed",
      `the payload of a job is limited to ${PAYLOAD_BYTES_MAX} bytes`,
      {
        facts: { key },
      },
    );
  }
  return text;
}

function toMessage(spec: JobSpec, row: InsertRow, clock: Clock): EngineMessage {
  return {
    jobId: row.id,
    queue: spec.queue,
    type: spec.type,
    idempotencyKey: row.key,
    attempt: 1,
    together: spec.together ?? TOGETHER,
    delayMs: row.runAtMs === null ? 0 : Math.max(0, row.runAtMs - clock.now()),
  };
}

async function idsOf(
  tx: Transaction,
  spec: JobSpec,
  rows: readonly InsertRow[],
  added: ReadonlySet<string>,
): Promise<string[]> {
  const keys = rows.filter((row) => !added.has(row.id)).map((row) => row.key);
  const holders = new Map(
    (await findKeyHolders(tx, spec.type, keys)).map((holder) => [holder.key, holder]),
  );
  return rows.map((row) => {
    if (added.has(row.id)) return row.id;
    const holder = holders.get(row.key);
    if (holder === undefined) {
      throw new Fault("job.busy", "the job that held this key ended at this very moment", {
        facts: { key: row.key },
      });
    }
    if (canonicalJson(holder.payload) !== canonicalJson(JSON.parse(row.payload))) {
      throw new Fault("job.key-reused", "an idempotency key came again with another payload", {
        facts: { key: row.key, type: spec.type, jobId: holder.id },
      });
    }
    return holder.id;
  });
}
