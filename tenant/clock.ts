/**
 * The tenant's only source of time: the machine's clock, or a virtual one that stands still until it is
 * advanced. Timers of a virtual clock run one after another in the order of their due time, each awaited, so
 * that every run is the same.
 */
export interface Clock {
  readonly isVirtual: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, task: () => void | Promise<void>): () => void;
  /** Moves a virtual clock forward and runs everything that falls due; a real clock refuses. */
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
  isCancelled: boolean;
}

export function createVirtualClock(startMs: number): Clock {
  let nowMs = startMs;
  let sequence = 0;
  const timers = createTimerHeap();

  return {
    isVirtual: true,
    now: () => nowMs,
    after(delayMs, task) {
      const dueMs = nowMs + Math.max(0, delayMs);
      const timer = { dueMs, sequence: sequence++, task, isCancelled: false };
      timers.push(timer);
      return () => {
        timer.isCancelled = true;
      };
    },
    async advance(byMs) {
      const untilMs = nowMs + byMs;
      for (let timer = timers.pop(untilMs); timer !== null; timer = timers.pop(untilMs)) {
        nowMs = Math.max(nowMs, timer.dueMs);
        await timer.task();
      }
      nowMs = Math.max(nowMs, untilMs);
    },
    restore(atMs) {
      nowMs = Math.max(nowMs, atMs);
    },
    stop: () => timers.clear(),
  };
}

/** A binary heap, earliest first: a simulation arms many thousands of timers. */
function createTimerHeap() {
  let heap: Timer[] = [];
  const isBefore = (one: Timer, other: Timer) =>
    one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.sequence < other.sequence);
  const swap = (one: number, other: number) => {
    [heap[one], heap[other]] = [heap[other]!, heap[one]!];
  };
  const sink = () => {
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isBefore(heap[child]!, heap[least]!)) least = child;
      }
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  };
  return {
    push(timer: Timer): void {
      let at = heap.push(timer) - 1;
      while (at > 0 && isBefore(heap[at]!, heap[(at - 1) >> 1]!)) {
        swap(at, (at - 1) >> 1);
        at = (at - 1) >> 1;
      }
    },
    /** Takes the first timer that is due by then, and discards cancelled ones on the way. */
    pop(untilMs: number): Timer | null {
      while (heap.length > 0 && heap[0]!.dueMs <= untilMs) {
        const first = heap[0]!;
        const last = heap.pop()!;
        if (heap.length > 0) {
          heap[0] = last;
          sink();
        }
        if (!first.isCancelled) return first;
      }
      return null;
    },
    clear(): void {
      heap = [];
    },
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
        // A failing task must not stop the tenant; the error is printed and the rest continues.
        Promise.resolve()
          .then(task)
          .catch((error: unknown) => console.error("tenant: a timer failed", error));
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
