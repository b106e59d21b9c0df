import { type Clock, sleepWith } from "../../src/lib/clock.ts";

/** The real clock, which a test can also move forward; what becomes due runs at once. */
export function aSkippingClock(): Clock & { skip(byMs: number): void } {
  let skippedMs = 0;
  const waiting = new Set<{ dueMs: number; run: () => void }>();
  const clock: Clock & { skip(byMs: number): void } = {
    now: () => Date.now() + skippedMs,
    after(delayMs, task) {
      const timer = setTimeout(() => entry.run(), Math.min(delayMs, 2 ** 31 - 1));
      timer.unref();
      const cancel = () => {
        clearTimeout(timer);
        waiting.delete(entry);
      };
      const entry = {
        dueMs: clock.now() + delayMs,
        run() {
          cancel();
          task();
        },
      };
      waiting.add(entry);
      return cancel;
    },
    sleep: (delayMs, signal) => sleepWith(clock, delayMs, signal),
    skip(byMs) {
      skippedMs += byMs;
      for (const entry of [...waiting]) if (entry.dueMs <= clock.now()) entry.run();
    },
  };
  return clock;
}
