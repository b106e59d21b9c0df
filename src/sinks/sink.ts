/** Ports to other programs that get events and trades as they happen. */
import type { Transaction } from "../store/database.ts";

export const SINK_KINDS = ["webhook", "event-hubs", "outbox"] as const;
export type SinkKind = (typeof SINK_KINDS)[number];

/** One event or one change of a trade, on its way out. */
export interface SinkMessage {
  /** The same for the same event or change, however often it is sent. */
  readonly id: string;
  /** `mail.arrived`, `trade.confirmed` and so on. */
  readonly type: string;
  readonly at: Date;
  readonly data: object;
}

/** How many of the messages were accepted, from the first; `problem` says why it ended before the last. */
export interface SinkOutcome {
  readonly taken: number;
  readonly problem?: { readonly text: string; readonly retryAfterMs?: number };
}

/** A receiver outside: it gets messages in order, and may get one again if its answer was lost. */
export interface RemoteSink {
  deliver(messages: readonly SinkMessage[], signal: AbortSignal): Promise<SinkOutcome>;
  close(): Promise<void>;
}

/** A receiver in our own database: its messages and our position in the feeds are one transaction. */
export interface LocalSink {
  write(tx: Transaction, messages: readonly SinkMessage[]): Promise<void>;
}

export type Sink = RemoteSink | LocalSink;

export const isLocal = (sink: Sink): sink is LocalSink => "write" in sink;

/** What every receiver gets as JSON. */
export function toBody({ type, at, data }: SinkMessage): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}
