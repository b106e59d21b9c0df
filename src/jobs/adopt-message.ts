/**
 * Messages that have no job: another program may put envelopes in our queues, and anything may be in
 * a queue. A good envelope becomes a job like any other; the rest becomes a dead letter with a reason.
 */

import { canonicalJson } from "../lib/canonical-json.ts";
import { uuidFor } from "../lib/hash.ts";
import { toStorableText } from "../store/database.ts";
import { causeOf } from "./cause.ts";
import { NOT_A_JOB } from "./dead-letters.ts";
import { dispatch } from "./dispatch.ts";
import type { Delivery } from "./engine.ts";
import { PAYLOAD_BYTES_MAX, parseEnvelope } from "./envelope.ts";
import type { Job } from "./job.ts";
import { toStoredKey } from "./job-keys.ts";
import { findKeyHolders, insertJobs } from "./job-table.ts";
import { settleQuietly, untilStored, type WorkerBench } from "./worker-bench.ts";

export async function adoptMessages(
  bench: WorkerBench,
  deliveries: readonly Delivery[],
): Promise<void> {
  for (const delivery of deliveries) await adopt(bench, delivery);
}

async function adopt(bench: WorkerBench, delivery: Delivery): Promise<void> {
  // An id of ours without a row: the job was purged long after it had ended.
  if (delivery.foreign === null) return settleQuietly(bench, [delivery], { kind: "done" });
  const parsed = parseEnvelope(delivery.foreign.body);
  const problem =
    "problem" in parsed
      ? { code: "job.malformed", reason: "InvalidFormat", text: `not a job: ${parsed.problem}` }
      : await untilStored(bench, () => takeIn(bench, delivery.queue, parsed.job));
  if (problem === null) return settleQuietly(bench, [delivery], { kind: "done" });
  await untilStored(bench, () => bury(bench, delivery, problem));
  bench.log.warn({ queue: delivery.queue, problem: problem.text }, "a message is no job");
  const { reason, text } = problem;
  await settleQuietly(bench, [delivery], { kind: "dead", reason, description: text });
}

interface Problem {
  readonly code: string;
  readonly reason: string;
  readonly text: string;
}

/** Null when the envelope became a job, or its key is already held for the same request. */
async function takeIn(bench: WorkerBench, queue: string, job: Job): Promise<Problem | null> {
  const payload = JSON.stringify(job.payload ?? null);
  return bench.database.transaction(async (tx) => {
    const row = {
      id: job.jobId,
      subjectId: toStorableText(job.subjectId),
      correlationId: toStorableText(job.correlationId),
      ownerId: null,
      key: toStoredKey(job.idempotencyKey),
      payload,
      runAtMs: null,
    };
    const shared = { type: job.jobType, queue, maxAttempts: job.maxAttempts, outbox: null };
    const added = await insertJobs(tx, shared, [row]);
    if (added.size === 1) {
      const key = row.key;
      const again = { id: row.id, queue, type: job.jobType, key, attempt: 0, delayMs: 0 };
      await dispatch(bench.engine, tx, [again]);
      return null;
    }
    const [holder] = await findKeyHolders(tx, job.jobType, [row.key]);
    if (holder === undefined || canonicalJson(holder.payload) === canonicalJson(job.payload)) {
      return null;
    }
    const text = "the idempotency key stands for another payload";
    return { code: "job.key-reused", reason: "KeyReused", text };
  });
}

/** Kept under an id made of the message, so that a second delivery buries nothing twice. */
async function bury(bench: WorkerBench, delivery: Delivery, problem: Problem): Promise<void> {
  const { messageId, body, sizeBytes } = delivery.foreign!;
  const id = uuidFor("postroom dead message", `${delivery.queue}\n${messageId}\n${sizeBytes}`);
  const payload = JSON.stringify({ messageId, sizeBytes, start: toStorableText(body, 2_000) });
  const type = delivery.type ?? "unknown";
  await bench.database.query(
    `INSERT INTO postroom.job (id, type, queue, subject_id, correlation_id, key, payload, state,
       max_attempts, is_open, holds_key, is_dead, created_at, due_at, finished_at, error_code,
       error_message, cause, note)
     SELECT $1::uuid, $2, $3, $4, $1::uuid::text, $4, $5::json, 'Poisoned', 1, false, false, true, t.now, t.now, t.now, $6, $7, $8, $9
       FROM (SELECT postroom.now() AS now) t
     ON CONFLICT DO NOTHING`,
    [
      id,
      toStorableText(type, 200),
      delivery.queue,
      toStorableText(messageId, 200),
      payload.length > PAYLOAD_BYTES_MAX ? "{}" : payload,
      problem.code,
      toStorableText(problem.text),
      causeOf(type, problem.code, problem.text),
      NOT_A_JOB,
    ],
  );
}
