import { type Backoff, backoffMs } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";

/** How often a call is tried, and which waits are short enough to wait out inside the call. */
export interface Patience {
  readonly tries: number;
  /** A longer wait is thrown, so that a job can give its place to another. */
  readonly waitHereMs: number;
  readonly backoff: Backoff;
}

/**
 * Waits before the next try. Returns false if there must not be one; the caller then throws the error it has.
 */
export async function waitOut(
  patience: Patience,
  needs: { readonly clock: Clock; readonly random: Random },
  attempt: number,
  askedForMs = 0,
  signal?: AbortSignal,
): Promise<boolean> {
  const waitMs = backoffMs(patience.backoff, attempt, needs.random, askedForMs);
  if (attempt >= patience.tries || waitMs > patience.waitHereMs) return false;
  await needs.clock.sleep(waitMs, signal);
  return signal?.aborted !== true;
}

/** Converts `Retry-After`, in seconds or as a date, to milliseconds; undefined if absent or unreadable. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
