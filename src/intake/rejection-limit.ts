import { isIPv6 } from "node:net";
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
  const bucketOf = (caller: string) => {
    const nowMs = clock.now();
    const known = buckets.get(caller) ?? { left: BURST, atMs: nowMs };
    const refilled = known.left + ((nowMs - known.atMs) / 1_000) * PER_SECOND;
    return { left: Math.min(BURST, refilled), atMs: nowMs };
  };
  return {
    spend(address) {
      const caller = callerAt(address);
      const bucket = bucketOf(caller);
      const isAllowed = bucket.left >= 1;
      buckets.delete(caller); // the map keeps the order of last use
      buckets.set(caller, isAllowed ? { ...bucket, left: bucket.left - 1 } : bucket);
      const oldest = buckets.size > ADDRESSES_MAX ? buckets.keys().next().value : undefined;
      if (oldest !== undefined) buckets.delete(oldest);
      return isAllowed;
    },
    isSpent: (address) => bucketOf(callerAt(address)).left < 1,
  };
}

/** Whoever has one IPv6 address usually has the 2^64 addresses of its network, so these count as one. */
function callerAt(address: string): string {
  const text = address.replace(/%.*$/, "");
  if (!isIPv6(text) || /^::(ffff:)?\d+\.\d+\.\d+\.\d+$/i.test(text)) return address;
  const [front, back] = text.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros =
    back === undefined ? [] : Array(Math.max(0, 8 - front!.length - back.length)).fill("0");
  const groups = [...front!, ...zeros, ...(back ?? [])].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}
