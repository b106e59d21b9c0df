import type { Clock } from "../lib/clock.ts";
import { toUuid } from "../lib/hash.ts";
import type { Random } from "../lib/random.ts";

/**
 * UUIDs whose first 48 bits are the time (version 7 of RFC 9562): new rows are neighbours in the index, and a
 * range of ids is a range of time.
 */
export function createJobIds(count: number, clock: Clock, random: Random): string[] {
  const pool = random.bytes(16 * count);
  const nowMs = clock.now();
  return Array.from({ length: count }, (_, index) => {
    const bytes = pool.subarray(16 * index, 16 * index + 16);
    bytes.writeUIntBE(nowMs, 0, 6);
    // The next 12 bits are a counter, so that jobs added together keep their order.
    bytes.writeUInt16BE(0x7000 | (index & 0x0fff), 6);
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    return toUuid(bytes.toString("hex"));
  });
}

/** The smallest id of a millisecond. */
export function firstIdOf(timeMs: number): string {
  return toUuid(`${timeMs.toString(16).padStart(12, "0")}70008000000000000000`);
}
