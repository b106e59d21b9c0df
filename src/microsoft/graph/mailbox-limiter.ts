import type { Clock } from "../../lib/clock.ts";
import type { Limiter } from "../transport/transport.ts";

/** Graph serves four requests at a time for one app and mailbox; a fifth is throttled. */
export const CONCURRENT_PER_MAILBOX = 4;

/** Longest pause of a mailbox, however long Graph asks for. */
const PAUSE_MAX_MS = 600_000;

interface Lane {
  taken: number;
  restsUntilMs: number;
  waiting: { places: number; start: () => void }[];
}

/** Keeps each mailbox below its limit; a pause of one mailbox does not affect the others. */
export function createMailboxLimiter(clock: Clock): Limiter {
  const lanes = new Map<string, Lane>();
  const laneOf = (mailbox: string): Lane => {
    let lane = lanes.get(mailbox);
    if (lane === undefined) {
      lane = { taken: 0, restsUntilMs: 0, waiting: [] };
      lanes.set(mailbox, lane);
    }
    return lane;
  };

  const startNext = (lane: Lane): void => {
    for (let next = lane.waiting[0]; next !== undefined; next = lane.waiting[0]) {
      if (lane.taken + next.places > CONCURRENT_PER_MAILBOX) return;
      lane.waiting.shift();
      lane.taken += next.places;
      next.start();
    }
  };

  return {
    async run(mailbox, places, task) {
      const lane = laneOf(mailbox);
      await new Promise<void>((start) => {
        lane.waiting.push({ places, start });
        startNext(lane);
      });
      try {
        return await task();
      } finally {
        lane.taken -= places;
        startNext(lane);
        if (lane.taken === 0 && lane.waiting.length === 0 && lane.restsUntilMs <= clock.now()) {
          lanes.delete(mailbox);
        }
      }
    },
    pause(mailbox, forMs) {
      const lane = laneOf(mailbox);
      lane.restsUntilMs = Math.max(lane.restsUntilMs, clock.now() + Math.min(forMs, PAUSE_MAX_MS));
    },
    restsForMs: (mailbox) => Math.max(0, (lanes.get(mailbox)?.restsUntilMs ?? 0) - clock.now()),
  };
}
