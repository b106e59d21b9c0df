import { canonicalJson } from "../../lib/canonical-json.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { currentCorrelation } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { currentTrace } from "../../lib/tracing.ts";
import { type Transaction, toStorableText } from "../../store/database.ts";
import { toJson } from "../../store/storable.ts";
import type { JobEngine } from "../engine.ts";
import { PAYLOAD_BYTES_MAX } from "../envelope.ts";
import type { JobQueue, JobSpec, NewJob } from "../job.ts";
import { createJobIds } from "../job-id.ts";
import { toStoredKey } from "../job-keys.ts";
import { findKeyHolders, type InsertRow, insertJobs } from "../job-table.ts";
import { type JobToSend, sendJobs } from "./send-jobs.ts";

/** How many jobs of a type share a message if its spec does not say. */
const JOBS_PER_MESSAGE_MAX = 10;

/**
 * Adds jobs in the caller's transaction. If an open or completed job holds the key, the job is not
 * added and the caller gets the other one's id; the same key with another payload is refused.
 */
export function createJobQueue(needs: {
  engine: JobEngine;
  clock: Clock;
  random: Random;
  /** Called after each add, possibly before its commit. */
  onAdded: (queue: string) => void;
}): JobQueue {
  return {
    async add(tx, spec, jobs) {
      if (jobs.length === 0) return [];
      const rows = toRows(jobs, needs.clock, needs.random);
      const added = await insertJobs(tx, spec, rows);
      const addedRows = rows.filter((row) => added.has(row.id));
      await sendJobs(
        needs.engine,
        tx,
        addedRows.map((row) => toJobToSend(spec, row, needs.clock)),
      );
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
  const trace = currentTrace();
  return jobs.map((job, index) => ({
    id: ids[index]!,
    subjectId: toStorableText(job.subjectId),
    correlationId: job.correlationId ?? correlationId ?? null,
    ownerId: job.ownerId ?? null,
    key: toStoredKey(job.idempotencyKey),
    payload: toPayloadText(job.payload, job.idempotencyKey),
    runAtMs: job.runAt?.getTime() ?? null,
    trace: job.trace ?? trace,
  }));
}

/** JSON that PostgreSQL can store and every engine can carry. */
function toPayloadText(payload: unknown, key: string): string {
  const text = toJson(payload ?? null);
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

function toJobToSend(spec: JobSpec, row: InsertRow, clock: Clock): JobToSend {
  return {
    id: row.id,
    queue: spec.queue,
    type: spec.type,
    key: row.key,
    attempt: 0,
    delayMs: row.runAtMs === null ? 0 : Math.max(0, row.runAtMs - clock.now()),
    jobsPerMessageMax: spec.jobsPerMessageMax ?? JOBS_PER_MESSAGE_MAX,
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
      throw new Fault("job.busy", "the job that held this key has just ended", {
        facts: { key: row.key },
      });
    }
    if (canonicalJson(holder.payload) !== canonicalJson(JSON.parse(row.payload))) {
      throw new Fault(
        "job.key-reused",
        "the idempotency key was used before with another payload",
        {
          facts: { key: row.key, type: spec.type, jobId: holder.id },
        },
      );
    }
    return holder.id;
  });
}
