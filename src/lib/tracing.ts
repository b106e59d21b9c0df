/**
 * Spans: which step took how long, and which step caused it. A step knows the one that it runs in; a job carries the
 * trace of the step that added it from one process to another. A span says what was done and how it ended, in words of
 * ours: never an address, a subject, a token or the text of an error. Without a receiver, nothing is measured.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { Fault } from "./fault.ts";

export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export interface Span {
  /** As W3C's `traceparent`. */
  readonly trace: string;
  note(facts: SpanFacts): void;
  /** `code` says how it failed; null if it did not. */
  end(code: string | null): void;
}

export interface SpanStart {
  readonly kind: "server" | "client" | "consumer" | "internal";
  readonly facts?: SpanFacts;
  /** The step that caused it; if absent, the one that it runs in. */
  readonly cause?: string | null;
  /** Other steps that it also works for. */
  readonly alsoFor?: readonly string[];
}

/** Begins a span under the cause, or a new trace if that is null. */
export type BeginSpan = (
  name: string,
  start: Required<Pick<SpanStart, "kind" | "facts" | "cause" | "alsoFor">>,
) => Span;

const running = new AsyncLocalStorage<Span>();
let begin: BeginSpan | null = null;

/** One receiver for the process; null ends measuring. */
export function setTracing(given: BeginSpan | null): void {
  begin = given;
}

export const isTracing = (): boolean => begin !== null;

/** The step that runs now, for what it causes elsewhere. */
export function currentTrace(): string | null {
  return begin === null ? null : (running.getStore()?.trace ?? null);
}

/** Null if nothing is measured. */
export function startSpan(name: string, start: SpanStart): Span | null {
  if (begin === null) return null;
  const { kind, facts = {}, alsoFor = [], cause = currentTrace() } = start;
  return begin(name, { kind, facts, alsoFor, cause });
}

/** Everything that `work` does belongs to the span. */
export function within<T>(span: Span, work: () => T): T {
  return running.run(span, work);
}

export async function inSpan<T>(
  name: string,
  start: SpanStart,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, start);
  if (span === null) return work(null);
  try {
    const result = await within(span, () => work(span));
    span.end(null);
    return result;
  } catch (error) {
    span.end(error instanceof Fault ? error.code : "unexpected");
    throw error;
  }
}

const TRACE = /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** What a row says may have been written by anybody who writes to the database. */
export function toTrace(text: string | null | undefined): string | null {
  return text !== null && text !== undefined && TRACE.test(text) ? text : null;
}
