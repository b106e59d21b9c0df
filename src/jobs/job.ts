import type * as z from "zod";
import type { Transaction } from "../store/database.ts";

/** One unit of durable work in its envelope; the same on every engine. */
export interface Job<Payload = unknown> {
  readonly jobId: string;
  readonly jobType: string;
  /** What the job is about: a mailbox, a message, a document. */
  readonly subjectId: string;
  /** Goes from the request to the job to every log line. */
  readonly correlationId: string;
  /** Two jobs with the same key do the work once. */
  readonly idempotencyKey: string;
  /** Counts from 1. Throttling, shutdowns and a busy key do not count. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly payload: Payload;
  /** ISO time, UTC. */
  readonly createdAt: string;
}

/** What a caller gives; the rest of the envelope is filled in. */
export interface NewJob<Payload = unknown> {
  readonly subjectId: string;
  readonly idempotencyKey: string;
  readonly payload: Payload;
  readonly correlationId?: string;
  /** The person or app that may read its status; null is operators only. */
  readonly ownerId?: string | null;
  readonly runAt?: Date;
}

/** The name, queue and payload of a kind of job: all that a door knows of a flow. */
export interface JobSpec<Payload = unknown> {
  readonly type: string;
  readonly queue: string;
  readonly payload: z.ZodType<Payload>;
  readonly maxAttempts: number;
  /**
   * Jobs added at once that may travel in one message where the engine can; 10 when absent. Those of
   * one message run in one process, so 1 suits jobs that take minutes and hundreds very short ones.
   */
  readonly together?: number;
  /** The part of a larger piece of work that this is, in metrics and logs; the type when absent. */
  readonly stage?: string;
}

export function defineJob<Payload>(spec: {
  type: string;
  queue: string;
  payload: z.ZodType<Payload>;
  maxAttempts?: number;
  together?: number;
  stage?: string;
}): JobSpec<Payload> {
  return { maxAttempts: 3, ...spec };
}

/** Puts work in line. With an engine outside the database the jobs leave through the outbox. */
export interface JobQueue {
  /** Adds jobs in the transaction of their cause; answers their ids in order. */
  add<Payload>(
    tx: Transaction,
    spec: JobSpec<Payload>,
    jobs: readonly NewJob<Payload>[],
  ): Promise<string[]>;
}
