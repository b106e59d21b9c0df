import type { Transaction } from "../store/database.ts";
import type { Job } from "./job.ts";

/** What an engine carries for one job. The row in the database is the truth; this only says where to look. */
export interface EngineMessage {
  readonly jobId: string;
  readonly queue: string;
  readonly type: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
  /** How long the engine delays the message, from now. */
  readonly delayMs: number;
  /** How many jobs of one type may share a message; 1 if absent. An engine may ignore it. */
  readonly jobsPerMessageMax?: number;
  /** For an engine outside the database: an id that stays the same when the message is sent again, and the envelope. */
  readonly outside?: { readonly messageId: string; readonly envelope: Job };
}

/** What an engine hands to a worker for one job. The worker settles it once the result is written. */
export interface Ticket {
  readonly queue: string;
  /** Null if the message does not name one. */
  readonly jobId: string | null;
  readonly type: string | null;
  /** The message itself, if another program may have sent it. */
  readonly foreign: ForeignMessage | null;
  /** The engine's own handle. */
  readonly handle: unknown;
}

/** A message as it arrived: another program may have sent it, and it may be damaged. */
export interface ForeignMessage {
  readonly messageId: string;
  readonly body: string;
  readonly sizeBytes: number;
}

export type Settlement =
  | { readonly kind: "done" }
  /** Returns it to the queue for another worker. */
  | { readonly kind: "release" }
  | { readonly kind: "dead"; readonly reason: string; readonly description: string };

/** Takes messages of one queue until it is stopped. */
export interface Consumer {
  /** Looks for messages now; called when the database reports new jobs. */
  wake(): void;
  /** Stops taking messages; the caller keeps the tickets it has. */
  stop(): Promise<void>;
}

/**
 * Carries messages from the process that adds a job to one that runs it, after the requested delay. It may
 * lose or repeat them: the database knows which jobs are open.
 */
export interface JobEngine {
  readonly name: "postgres" | "redis" | "service-bus";
  /** True if `send` joins the caller's transaction; the other engines are fed from the outbox. */
  readonly isTransactional: boolean;
  /** Connects, creates queues where it can, and refuses a server that would lose jobs. */
  start(queues: readonly string[]): Promise<void>;
  /** Resolves when the engine has the messages; part of `tx` if the engine is transactional. */
  send(messages: readonly EngineMessage[], tx?: Transaction): Promise<void>;
  /** Hands out tickets of the queue, at most `limit` unsettled ones at a time. */
  consume(queue: string, limit: number, onTickets: (tickets: Ticket[]) => void): Consumer;
  /** Settling a ticket that the engine has already taken back is not an error. */
  settle(tickets: readonly Ticket[], how: Settlement): Promise<void>;
  /** Roughly how many due messages wait in the queue; 0 only if it is empty. */
  depth(queue: string): Promise<number>;
  stop(): Promise<void>;
}
