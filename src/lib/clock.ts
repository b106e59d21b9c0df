/** The only source of time in code. SQL has its own, `postroom.now()`; tests move both together. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once after `delayMs`; the returned function cancels it. Never keeps the process alive. */
  after(delayMs: number, task: () => void): () => void;
  /** Resolves after `delayMs`, or immediately when the signal is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export interface ManualClock extends Clock {
  /** Moves time forward and runs due tasks in order. */
  advance(byMs: number): void;
  set(toMs: number): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
  sleep: (delayMs, signal) => sleepWith(systemClock, delayMs, signal),
};

export function createManualClock(startMs: number): ManualClock {
  let nowMs = startMs;
  let timers: { dueMs: number; task: () => void }[] = [];

  const runDue = (untilMs: number): void => {
    for (;;) {
      const due = timers
        .filter((timer) => timer.dueMs <= untilMs)
        .sort((a, b) => a.dueMs - b.dueMs)[0];
      if (due === undefined) break;
      timers = timers.filter((timer) => timer !== due);
      nowMs = Math.max(nowMs, due.dueMs);
      due.task();
    }
    nowMs = untilMs;
  };

  const clock: ManualClock = {
    now: () => nowMs,
    after(delayMs, task) {
      const timer = { dueMs: nowMs + delayMs, task };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    sleep: (delayMs, signal) => sleepWith(clock, delayMs, signal),
    advance: (byMs) => runDue(nowMs + byMs),
    set: (toMs) => runDue(toMs),
  };
  return clock;
}

/** Repeats `task`, with `pauseMs` between the end of one run and the start of the next. */
export function every(
  clock: Clock,
  pauseMs: number,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const stop = new AbortController();
  const loop = async () => {
    while (!stop.signal.aborted) {
      await clock.sleep(pauseMs, stop.signal);
      if (stop.signal.aborted) return;
      await task().catch(onError);
    }
  };
  const running = loop();
  return async () => {
    stop.abort();
    await running;
  };
}

/** Sleeps on a clock's timer. In a simulation `sleep` moves time, which background work must not do. */
export function sleepWith(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(delayMs, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}
