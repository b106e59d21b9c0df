/** Messages in BullMQ: one envelope, or several of one type. */
import { type Job as BullJob, type Queue, UnrecoverableError, WaitingError } from "bullmq";
import { isUuid } from "../../lib/hash.ts";
import type { EngineMessage, Ticket } from "../engine.ts";
import type { Job } from "../job.ts";
import { type Bundle, createBundle } from "./bundle.ts";

/** A message that BullMQ handed to its processor; it is settled when the processor returns. */
export interface OutMessage {
  readonly job: BullJob<unknown>;
  readonly token: string | undefined;
  readonly queue: Queue;
  readonly resolve: (value: null) => void;
  readonly reject: (error: Error) => void;
}

interface OutBundle extends Bundle {
  readonly out: OutMessage;
}

export function toBullJob(bundle: readonly EngineMessage[]) {
  const [first] = bundle;
  const { messageId } = first!.outside!;
  const envelopes = bundle.map((message) => message.outside!.envelope);
  const data = envelopes.length === 1 ? envelopes[0] : { envelopes };
  const delay = first!.delayMs > 0 ? { delay: Math.ceil(first!.delayMs) } : {};
  return { name: first!.type, data, opts: { jobId: messageId, ...delay } };
}

export function toTickets(queue: string, out: OutMessage): Ticket[] {
  const { data } = out.job;
  const envelopes = readEnvelopes(data);
  const messageId = out.job.id ?? "";
  const type = envelopes[0]?.jobType ?? "";
  const left = Math.max(1, envelopes.length);
  const handle: OutBundle = {
    ...createBundle({ messageId, type, left, onSettled() {} }),
    out,
  };
  if (envelopes.length === 0) {
    const foreign = toForeign(messageId, data);
    return [{ queue, jobId: null, type: null, foreign, handle }];
  }
  return envelopes.map((envelope) => ({
    queue,
    jobId: envelope.jobId,
    type: envelope.jobType,
    foreign: toForeign(messageId, envelope),
    handle,
  }));
}

/** Empty if the message does not look like ours. */
function readEnvelopes(data: unknown): readonly Job[] {
  const { envelopes } = (data ?? {}) as { envelopes?: unknown };
  const candidates: unknown[] = Array.isArray(envelopes) ? envelopes : [data];
  const isEnvelope = (value: unknown): value is Job => {
    const { jobId, jobType } = (value ?? {}) as { jobId?: unknown; jobType?: unknown };
    return isUuid(jobId) && typeof jobType === "string";
  };
  return candidates.every(isEnvelope) ? (candidates as Job[]) : [];
}

/** The text is needed only for a job without a row, so it is built on demand. */
function toForeign(messageId: string, data: unknown) {
  let text: string | undefined;
  const body = () => (text ??= JSON.stringify(data ?? null));
  return {
    messageId,
    get body() {
      return body();
    },
    get sizeBytes() {
      return Buffer.byteLength(body());
    },
  };
}

/** All tickets of the message are settled: it is done, goes back, or is kept as failed. */
export async function endMessage(bundle: Bundle): Promise<void> {
  const { out, released, dead } = bundle as OutBundle;
  const envelopes = readEnvelopes(out.job.data);
  if (released.length > 0 && released.length === Math.max(1, envelopes.length)) {
    await out.job.moveToWait(out.token);
    out.reject(new WaitingError());
    return;
  }
  const again = envelopes.filter(({ jobId }) => released.includes(jobId));
  if (again.length > 0) {
    await out.queue.addBulk(again.map((data) => ({ name: bundle.type, data })));
  }
  if (dead === null) out.resolve(null);
  else out.reject(new UnrecoverableError(`${dead.reason}: ${dead.description}`));
}
