import type { Random } from "./random.ts";

export interface Backoff {
  readonly firstMs: number;
  readonly capMs: number;
}

/**
 * Full jitter: anywhere between zero and a bound that doubles, so that many waiters spread out.
 * A wait that the other side asked for is a lower bound.
 */
export function backoffMs(
  backoff: Backoff,
  attempt: number,
  random: Random,
  askedForMs = 0,
): number {
  const bound = Math.min(backoff.capMs, backoff.firstMs * 2 ** Math.max(0, attempt - 1));
  return Math.round(askedForMs + random.fraction() * bound);
}
