import type { Clock } from "../lib/clock.ts";

/**
 * An address may have this many refused requests in a burst, and one more each second; beyond that it gets
 * 429.
 */
const BURST = 100;
const PER_SECOND = 1;
const ADDRESSES_MAX = 10_000;

/** Counts only refused requests: genuine deliveries always pass, even from the same address. */
export interface RejectionLimit {
  /** Returns false if this address has used up its refusals. */
  spend(address: string): boolean;
  isSpent(address: string): boolean;
}

export function createRejectionLimit(clock: Clock): RejectionLimit {
  const buckets = new Map<string, { left: number; atMs: number }>();
  const bucketOf = (address: string) => {
    const nowMs = clock.now();
    const known = buckets.get(address) ?? { left: BURST, atMs: nowMs };
    const refilled = known.left + ((nowMs - known.atMs) / 1_000) * PER_SECOND;
    return { left: Math.min(BURST, refilled), atMs: nowMs };
  };
  return {
    spend(address) {
      const bucket = bucketOf(address);
      const isAllowed = bucket.left >= 1;
      buckets.delete(address); // the map keeps the order of last use
      buckets.set(address, isAllowed ? { ...bucket, left: bucket.left - 1 } : bucket);
      const oldest = buckets.size > ADDRESSES_MAX ? buckets.keys().next().value : undefined;
      if (oldest !== undefined) buckets.delete(oldest);
      return isAllowed;
    },
    isSpent: (address) => bucketOf(address).left < 1,
  };
}
