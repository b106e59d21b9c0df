/** Wakes one sleeper. A ring while nobody sleeps ends the next sleep immediately. */
import { systemClock } from "../lib/clock.ts";

export interface Bell {
  ring(): void;
  /** Resolves at the next ring, or after `limitMs`. */
  sleep(limitMs: number): Promise<void>;
}

export function createBell(): Bell {
  let hasRung = false;
  let wakeUp: (() => void) | null = null;
  return {
    ring() {
      hasRung = true;
      wakeUp?.();
    },
    sleep: (limitMs) =>
      new Promise((resolve) => {
        const cancel = systemClock.after(limitMs, () => wakeUp?.());
        wakeUp = () => {
          cancel();
          wakeUp = null;
          hasRung = false;
          resolve();
        };
        if (hasRung) wakeUp();
      }),
  };
}
