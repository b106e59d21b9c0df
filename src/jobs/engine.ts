import type { Transaction } from "../store/database.ts";
import type { Job } from "./job.ts";

/** What an engine carries for one job. The row in the database is the truth; this says where to look. */
export interface EngineMessage {
  readonly jobId: string;
  readonly queue: string;
  readonly type: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
  /** How long from now it is kept back; 0 is not at all. */
  readonly delayMs: number;
  /** How many of a type may share a message; 1 when absent. An engine may leave it. */
  readonly together?: number;
  /** For an engine outside the database: an id that a repeated sending keeps, and the envelope. */
  readonly outside?: { readonly messageId: string; readonly envelope: Job };
}

/** A message that the engine handed out and that has to be settled. */
export interface Delivery {
  readonly queue: string;
  /** Null when the message does not name one. */
  readonly jobId: string | null;
  readonly type: string | null;
  /** The message itself, where it may have come from somebody else. */
  readonly foreign: ForeignMessage | null;
  /** The engine's own handle. */
  readonly handle: unknown;
}

/** A message as it came: perhaps put there by somebody else, perhaps damaged. */
export interface ForeignMessage {
  readonly messageId: string;
  readonly body: string;
  readonly sizeBytes: number;
}

export type Settlement =
  | { readonly kind: "done" }
  /** Back to the queue for somebody else. */
  | { readonly kind: "release" }
  | { readonly kind: "dead"; readonly reason: string; readonly description: string };

/** Takes messages of one queue until it is stopped. */
export interface Consumer {
  /** Looks for messages now; used when the database says that there are some. */
  wake(): void;
  /** Stops taking; what was handed out stays with the caller. */
  stop(): Promise<void>;
}

/**
 * Carries hints from those who add jobs to those who run them, at least once, as late as asked. It may
 * lose or repeat them: the database knows which jobs are open.
 */
export interface JobEngine {
  readonly name: "postgres" | "redis" | "service-bus";
  /** True when `send` joins the transaction of the caller; the others are fed from the outbox. */
  readonly isTransactional: boolean;
  /** Connects, makes the queues where it may, and refuses a server that would lose jobs. */
  start(queues: readonly string[]): Promise<void>;
  /** Resolves when the engine has the messages; in `tx` when it is transactional. */
  send(messages: readonly EngineMessage[], tx?: Transaction): Promise<void>;
  /** Hands messages of the queue to `deliver`, at most `limit` unsettled ones at a time. */
  consume(queue: string, limit: number, deliver: (deliveries: Delivery[]) => void): Consumer;
  /** Ends deliveries. Settling what the engine has already taken back is no error. */
  settle(deliveries: readonly Delivery[], how: Settlement): Promise<void>;
  /** Messages that wait in the queue and are due; enough to tell an empty queue from a long one. */
  depth(queue: string): Promise<number>;
  stop(): Promise<void>;
}
