import { type Clock, sleepWith } from "../lib/clock.ts";

export interface Heartbeat {
  /** Aborted when the lease has passed to somebody else. */
  readonly signal: AbortSignal;
  stop(): Promise<void>;
}

/**
 * Renews after a third of the lease, so that two renewals in a row may fail. An error does not end the lease:
 * the holder's fence decides when it writes.
 */
export function keepLease(clock: Clock, leaseMs: number, renew: () => Promise<boolean>): Heartbeat {
  const lost = new AbortController();
  const ended = new AbortController();
  const beat = async () => {
    while (!ended.signal.aborted) {
      await sleepWith(clock, leaseMs / 3, ended.signal);
      if (ended.signal.aborted) return;
      const isHeld = await renew().catch(() => true);
      if (!isHeld) return lost.abort();
    }
  };
  const beating = beat();
  return {
    signal: lost.signal,
    stop: async () => {
      ended.abort();
      await beating;
    },
  };
}
