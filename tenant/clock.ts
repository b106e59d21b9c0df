/**
 * The tenant's one source of time: the machine's clock, or a virtual one that stands still until
 * it is advanced. Timers of a virtual clock run one after another in the order of their due time,
 * each awaited, so that a run is the same every time.
 */
export interface Clock {
  readonly isVirtual: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once after `delayMs`; the answer cancels it. */
  after(delayMs: number, task: () => void | Promise<void>): () => void;
  /** Moves a virtual clock forward, running what falls due; a real clock refuses. */
  advance(byMs: number): Promise<void>;
  /** Sets a virtual clock to the time of a snapshot; timers are kept. A real clock ignores it. */
  restore(nowMs: number): void;
  /** Drops every timer. */
  stop(): void;
}

interface Timer {
  readonly dueMs: number;
  readonly sequence: number;
  readonly task: () => void | Promise<void>;
}

export function createVirtualClock(startMs: number): Clock {
  let nowMs = startMs;
  let sequence = 0;
  const timers = new Set<Timer>();

  const nextDue = (untilMs: number): Timer | null => {
    let first: Timer | null = null;
    for (const timer of timers) {
      if (timer.dueMs > untilMs) continue;
      if (first === null || timer.dueMs < first.dueMs) first = timer;
      else if (timer.dueMs === first.dueMs && timer.sequence < first.sequence) first = timer;
    }
    return first;
  };

  return {
    isVirtual: true,
    now: () => nowMs,
    after(delayMs, task) {
      const timer = { dueMs: nowMs + Math.max(0, delayMs), sequence: sequence++, task };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(byMs) {
      const untilMs = nowMs + byMs;
      for (let timer = nextDue(untilMs); timer !== null; timer = nextDue(untilMs)) {
        timers.delete(timer);
        nowMs = Math.max(nowMs, timer.dueMs);
        await timer.task();
      }
      nowMs = untilMs;
    },
    restore(atMs) {
      nowMs = Math.max(nowMs, atMs);
    },
    stop: () => timers.clear(),
  };
}

export function createRealClock(): Clock {
  const running = new Set<NodeJS.Timeout>();
  return {
    isVirtual: false,
    now: () => Date.now(),
    after(delayMs, task) {
      const timer = setTimeout(() => {
        running.delete(timer);
        void task();
      }, delayMs);
      timer.unref();
      running.add(timer);
      return () => {
        clearTimeout(timer);
        running.delete(timer);
      };
    },
    advance: () =>
      Promise.reject(
        new Error("a real clock cannot be advanced; start the tenant with a virtual one"),
      ),
    restore() {},
    stop() {
      for (const timer of running) clearTimeout(timer);
      running.clear();
    },
  };
}
