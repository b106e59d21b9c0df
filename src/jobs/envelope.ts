import * as z from "zod";
import type { Job } from "./job.ts";
import type { JobRow } from "./job-table.ts";

/** A payload has to fit into one message of every engine; Service Bus takes 256 KB with the envelope. */
export const PAYLOAD_BYTES_MAX = 192 * 1024;

const Envelope = z.object({
  jobId: z.guid(),
  jobType: z.string().min(1).max(200),
  subjectId: z.string().max(2_000),
  correlationId: z.string().max(200),
  idempotencyKey: z.string().min(1).max(2_000),
  attempt: z.number().int().min(1).default(1),
  maxAttempts: z.number().int().min(1).max(100).default(3),
  payload: z.unknown(),
  createdAt: z.string(),
});

/** Reads what another program put into a queue: a job, or why it is not one. */
export function parseEnvelope(body: string): { job: Job } | { problem: string } {
  if (Buffer.byteLength(body) > PAYLOAD_BYTES_MAX + 8_192) return { problem: "it is too large" };
  let raw: unknown;
  try {
    raw = JSON.parse(body);
  } catch {
    return { problem: "it is not JSON" };
  }
  const parsed = Envelope.safeParse(fromOffice(raw));
  if (parsed.success) return { job: parsed.data };
  const issue = parsed.error.issues[0];
  return {
    problem: `${issue?.path.join(".") || "the envelope"}: ${issue?.message ?? "wrong shape"}`,
  };
}

/**
 * Programs of the system that the Office add-in comes from capitalise the names of fields and write the payload as text.
 * Their `UserId` is dropped: only a token proves who somebody is.
 */
function fromOffice(data: unknown): unknown {
  if (typeof data !== "object" || data === null || !("JobId" in data)) return data;
  const { UserId: _, ...fields } = data as Record<string, unknown>;
  const renamed = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      (name[0] ?? "").toLowerCase() + name.slice(1),
      value,
    ]),
  );
  return { ...renamed, payload: parseIfText(renamed["payload"]) };
}

function parseIfText(payload: unknown): unknown {
  if (typeof payload !== "string") return payload;
  try {
    return JSON.parse(payload);
  } catch {
    return payload; // the handler refuses it with a reason
  }
}

export function toJob(row: JobRow): Job {
  return {
    jobId: row.id,
    jobType: row.type,
    subjectId: row.subject_id,
    correlationId: row.correlation_id,
    idempotencyKey: row.key,
    attempt: row.attempt,
    maxAttempts: row.max_attempts,
    payload: row.payload,
    createdAt: new Date(row.created_ms).toISOString(),
  };
}
