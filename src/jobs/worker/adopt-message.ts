/**
 * Messages without a job: other programs may put envelopes, or anything else, into our queues. A valid
 * envelope becomes a job like any other, in the queue of its type; the rest becomes a dead letter with a reason.
 */
import { canonicalJson } from "../../lib/canonical-json.ts";
import { uuidFor } from "../../lib/hash.ts";
import { toStorableText } from "../../store/database.ts";
import { toJson } from "../../store/storable.ts";
import { causeOf } from "../cause.ts";
import type { Ticket } from "../engine.ts";
import { PAYLOAD_BYTES_MAX, parseEnvelope } from "../envelope.ts";
import type { Job } from "../job.ts";
import { toStoredKey } from "../job-keys.ts";
import { findKeyHolders, insertDeadMessage, insertJobs } from "../job-table.ts";
import { sendJobs } from "../sending/send-jobs.ts";
import { settleQuietly, untilStored, type WorkerBench } from "./worker-bench.ts";

export async function adoptMessages(bench: WorkerBench, tickets: readonly Ticket[]): Promise<void> {
  for (const ticket of tickets) await adopt(bench, ticket);
}

async function adopt(bench: WorkerBench, ticket: Ticket): Promise<void> {
  // It has an id of ours but no row: the job ended long ago and was purged.
  if (ticket.foreign === null) return settleQuietly(bench, [ticket], { kind: "done" });
  const parsed = parseEnvelope(ticket.foreign.body);
  const problem =
    "problem" in parsed
      ? { code: "job.malformed", reason: "InvalidFormat", text: `not a job: ${parsed.problem}` }
      : await untilStored(bench, () => takeIn(bench, ticket.queue, parsed.job));
  if (problem === null) return settleQuietly(bench, [ticket], { kind: "done" });
  await untilStored(bench, () => bury(bench, ticket, problem));
  bench.log.warn({ queue: ticket.queue, problem: problem.text }, "a message is not a job");
  const { reason, text } = problem;
  await settleQuietly(bench, [ticket], { kind: "dead", reason, description: text });
}

interface Problem {
  readonly code: string;
  readonly reason: string;
  readonly text: string;
}

/** Returns null if the envelope became a job, or if a job with the same key and payload exists. */
async function takeIn(bench: WorkerBench, from: string, job: Job): Promise<Problem | null> {
  const queue = bench.queueOf(job.jobType) ?? from;
  const payload = toJson(job.payload ?? null);
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
    const shared = { type: job.jobType, queue, maxAttempts: job.maxAttempts };
    const added = await insertJobs(tx, shared, [row]);
    if (added.size === 1) {
      const key = row.key;
      const again = { id: row.id, queue, type: job.jobType, key, attempt: 0, delayMs: 0 };
      await sendJobs(bench.engine, tx, [again]);
      return null;
    }
    const [holder] = await findKeyHolders(tx, job.jobType, [row.key]);
    if (holder === undefined || canonicalJson(holder.payload) === canonicalJson(job.payload)) {
      return null;
    }
    const text = "the idempotency key was used before with another payload";
    return { code: "job.key-reused", reason: "KeyReused", text };
  });
}

/** The id is derived from the message, so a message that arrives twice leaves one dead letter. */
async function bury(bench: WorkerBench, ticket: Ticket, problem: Problem): Promise<void> {
  const { messageId, body, sizeBytes } = ticket.foreign!;
  const id = uuidFor("postroom dead message", `${ticket.queue}\n${messageId}\n${sizeBytes}`);
  const payload = toJson({ messageId, sizeBytes, start: toStorableText(body, 2_000) });
  const type = ticket.type ?? "unknown";
  await insertDeadMessage(bench.database, {
    id,
    type: toStorableText(type, 200),
    queue: ticket.queue,
    messageId: toStorableText(messageId, 200),
    payload: payload.length > PAYLOAD_BYTES_MAX ? "{}" : payload,
    code: problem.code,
    message: toStorableText(problem.text),
    cause: causeOf(type, problem.code, problem.text),
  });
}
