/**
 * The share of answers that took longer than ten seconds, over ten minutes. Graph measures the same and drops
 * notifications above 15 %.
 */
import type { Clock } from "../lib/clock.ts";

export interface SlowShare {
  note(seconds: number): void;
  /** Between 0 and 1; 0 if nothing was answered. */
  share(): number;
}

const SLOW_SECONDS = 10;
const MINUTE_MS = 60_000;
const MINUTES = 10;

/** A warning from here on leaves time before Graph drops anything. */
const SLOW_SHARE_MAX = 0.1;

/** A warning, not a failure: taking the server out would lose the answers that are still in time. */
export function describeShare(share: number): string {
  const text = `${(share * 100).toFixed(1)} % of the answers of the last ten minutes took more than 10 s`;
  return share > SLOW_SHARE_MAX ? `warning: ${text}; above 15 % Graph drops notifications` : text;
}

export function createSlowShare(clock: Clock): SlowShare {
  let minutes: Minute[] = [];
  /** The current minute; the old ones are dropped when it begins. */
  const current = (): Minute => {
    const at = Math.floor(clock.now() / MINUTE_MS);
    const last = minutes.at(-1);
    if (last?.at === at) return last;
    const fresh = { at, all: 0, slow: 0 };
    minutes = [...minutes.filter((minute) => minute.at > at - MINUTES), fresh];
    return fresh;
  };
  return {
    note(seconds) {
      const minute = current();
      minute.all += 1;
      if (seconds > SLOW_SECONDS) minute.slow += 1;
    },
    share() {
      current();
      const sum = (part: "all" | "slow") => minutes.reduce((total, each) => total + each[part], 0);
      return sum("slow") / Math.max(1, sum("all"));
    },
  };
}

interface Minute {
  readonly at: number;
  all: number;
  slow: number;
}
