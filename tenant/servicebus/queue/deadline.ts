import type { Clock } from "../../clock.ts";

/** A timer that is always set to the earliest requested time. */
export interface Deadline {
  /** Infinity requests nothing. */
  arm(dueMs: number): void;
  stop(): void;
}

/** Node's timers cannot wait longer than 24 days, so it waits one day at a time. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** `run` does what is due and returns when it wants to be called next. */
export function createDeadline(clock: Clock, run: (nowMs: number) => number): Deadline {
  let armedForMs = Number.POSITIVE_INFINITY;
  let cancel: (() => void) | null = null;

  const stop = () => {
    cancel?.();
    cancel = null;
    armedForMs = Number.POSITIVE_INFINITY;
  };
  const arm = (dueMs: number) => {
    if (dueMs >= armedForMs) return;
    stop();
    armedForMs = dueMs;
    const waitMs = Math.min(Math.max(0, dueMs - clock.now()), LONGEST_WAIT_MS);
    cancel = clock.after(waitMs, () => {
      stop();
      arm(run(clock.now()));
    });
  };
  return { arm, stop };
}
