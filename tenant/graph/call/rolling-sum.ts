/** A sum over a sliding window of time, kept in sixty buckets so that its cost does not grow. */
export interface RollingSum {
  add(nowMs: number, amount: number): void;
  sum(nowMs: number): number;
  /** When the oldest amount leaves the window. */
  easesInMs(nowMs: number): number;
}

const BUCKETS = 60;

export function createRollingSum(stretchMs: number): RollingSum {
  const widthMs = stretchMs / BUCKETS;
  /** Number of the bucket and its amount, oldest first. */
  const buckets: [number, number][] = [];
  let total = 0;

  const forget = (nowMs: number) => {
    const oldest = Math.floor(nowMs / widthMs) - BUCKETS;
    while (buckets.length > 0 && buckets[0]![0] <= oldest) total -= buckets.shift()![1];
  };

  return {
    add(nowMs, amount) {
      forget(nowMs);
      const number = Math.floor(nowMs / widthMs);
      const last = buckets.at(-1);
      if (last !== undefined && last[0] === number) last[1] += amount;
      else buckets.push([number, amount]);
      total += amount;
    },
    sum(nowMs) {
      forget(nowMs);
      return total;
    },
    easesInMs(nowMs) {
      forget(nowMs);
      const oldest = buckets[0];
      return oldest === undefined ? 0 : (oldest[0] + BUCKETS + 1) * widthMs - nowMs;
    },
  };
}
