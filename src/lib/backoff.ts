import type { Random } from "./random.ts";

export interface Backoff {
  readonly firstMs: number;
  readonly capMs: number;
}

/**
 * Full jitter: a random wait between zero and a bound that doubles each time, so that many waiters spread
 * out. A wait that the other side requested is a lower bound.
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
