import type * as z from "zod";
import type { Transaction } from "../store/database.ts";

/** One unit of durable work in its envelope; the same on every engine. */
export interface Job<Payload = unknown> {
  readonly jobId: string;
  readonly jobType: string;
  /** What the job is about: a mailbox, a message, a document. */
  readonly subjectId: string;
  /** Passed on from the request to the job and to every log line. */
  readonly correlationId: string;
  /** Two jobs with the same key do the work once. */
  readonly idempotencyKey: string;
  /** Counts from 1. Throttling, shutdowns and waiting for locked rows do not count. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly payload: Payload;
  /** ISO time, UTC. */
  readonly createdAt: string;
}

/** What a caller provides; the rest of the envelope is filled in. */
export interface NewJob<Payload = unknown> {
  readonly subjectId: string;
  readonly idempotencyKey: string;
  readonly payload: Payload;
  readonly correlationId?: string;
  /** The person or app that may read its status; if null, operators only. */
  readonly ownerId?: string | null;
  readonly runAt?: Date;
  /** The step that caused it; if absent, the one that runs now. */
  readonly trace?: string | null;
}

/** The name, queue and payload of a kind of job: all that the API knows of a flow. */
export interface JobSpec<Payload = unknown> {
  readonly type: string;
  readonly queue: string;
  readonly payload: z.ZodType<Payload>;
  readonly maxAttempts: number;
  /**
   * How many jobs added at once may share a message, if the engine supports it; 10 if absent. The jobs of one
   * message run in one process, so use 1 for jobs that take minutes and hundreds for very short ones.
   */
  readonly jobsPerMessageMax?: number;
  /** The stage of a larger piece of work, for metrics and logs; the type if absent. */
  readonly stage?: string;
}

export function defineJob<Payload>(spec: {
  type: string;
  queue: string;
  payload: z.ZodType<Payload>;
  maxAttempts?: number;
  jobsPerMessageMax?: number;
  stage?: string;
}): JobSpec<Payload> {
  return { maxAttempts: 3, ...spec };
}

/** Adds work. With an engine outside the database the jobs leave through the outbox. */
export interface JobQueue {
  /** Adds jobs in the transaction of their cause; returns their ids in order. */
  add<Payload>(
    tx: Transaction,
    spec: JobSpec<Payload>,
    jobs: readonly NewJob<Payload>[],
  ): Promise<string[]>;
}
