import type { Clock } from "../lib/clock.ts";
import { type Sandbox, type SandboxJob, type SandboxOutcome, startSandbox } from "./sandbox.ts";
import { type Isolation, sandboxCommand } from "./sandbox-command.ts";
import type { UsageCaps } from "./watch-usage.ts";

/** A few warm children and a line of documents before them. */
export interface SandboxPool {
  run(job: Omit<SandboxJob, "caps">): Promise<SandboxOutcome>;
  /** Starts the children ahead of the first document; a cold start takes about half a second. */
  warm(): void;
  stats(): PoolStats;
  close(): Promise<void>;
}

export interface PoolStats {
  isolation: Isolation;
  /** Process ids of the children at work, then of those at rest. */
  pids: number[];
  busy: number;
  waiting: number;
  started: number;
  killed: number;
  recycled: number;
  retried: number;
  peakRssBytes: number;
}

export interface PoolOptions {
  clock: Clock;
  size?: number;
  /** A child is replaced after so many documents, so that what leaks cannot add up. */
  recycleAfter?: number;
  caps?: Partial<UsageCaps>;
  childPath?: string;
}

export const DEFAULT_CAPS: UsageCaps = {
  wallMs: 10_000,
  cpuMs: 8_000,
  rssBytes: 300 * 2 ** 20,
};

/** A child that rests above this share of its cap would fail the next large document unjustly. */
const RESTING_SHARE_MAX = 0.6;

export function createSandboxPool(options: PoolOptions): SandboxPool {
  const { clock, size = 2, recycleAfter = 50 } = options;
  const caps = { ...DEFAULT_CAPS, ...options.caps };
  const command = sandboxCommand(options.childPath);
  const stats = { started: 0, killed: 0, recycled: 0, retried: 0, peakRssBytes: 0 };
  const idle: Sandbox[] = [];
  const busy = new Set<Sandbox>();
  const waiting: ((child: Sandbox | null) => void)[] = [];
  let isClosed = false;

  const start = (): Sandbox => {
    stats.started++;
    return startSandbox(command, clock);
  };

  const take = async (): Promise<Sandbox | null> => {
    if (isClosed) return null;
    if (busy.size >= size) {
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    }
    let child = idle.pop();
    while (child !== undefined && !child.isAlive()) child = idle.pop();
    child ??= start();
    busy.add(child);
    return child;
  };

  const giveBack = (child: Sandbox): void => {
    busy.delete(child);
    stats.peakRssBytes = Math.max(stats.peakRssBytes, child.rssBytes().peak);
    let next: Sandbox | null = child;
    if (!child.isAlive()) {
      stats.killed++;
      next = null;
    } else if (isClosed || isSpent(child)) {
      stats.recycled++;
      next = null;
      void child.kill();
    }
    if (isClosed) return;
    next ??= start();
    const waiter = waiting.shift();
    if (waiter === undefined) return void idle.push(next);
    busy.add(next);
    waiter(next);
  };

  const isSpent = (child: Sandbox): boolean =>
    child.jobsDone() >= recycleAfter ||
    child.rssBytes().resting > caps.rssBytes * RESTING_SHARE_MAX;

  const attempt = async (job: Omit<SandboxJob, "caps">, wallMs: number) => {
    const child = await take();
    if (child === null) return { outcome: closedOutcome, wasFresh: true, tookMs: 0 };
    const wasFresh = child.jobsDone() === 0;
    const startedMs = clock.now();
    try {
      const outcome = await child.run({ ...job, caps: { ...caps, wallMs } });
      return { outcome, wasFresh, tookMs: clock.now() - startedMs };
    } finally {
      giveBack(child);
    }
  };

  return {
    async run(job) {
      if (job.signal?.aborted)
        return { ok: false, failure: "aborted", detail: "the caller gave up" };
      const first = await attempt(job, caps.wallMs);
      const leftMs = caps.wallMs - first.tookMs;
      if (
        first.outcome.ok ||
        !deservesRetry(first.outcome.failure, first.wasFresh) ||
        leftMs <= 0
      ) {
        return first.outcome;
      }
      stats.retried++;
      return (await attempt(job, leftMs)).outcome;
    },
    warm() {
      while (idle.length + busy.size < size) idle.push(start());
    },
    stats: () => ({
      ...stats,
      isolation: command.isolation,
      pids: [...busy, ...idle].flatMap((child) => child.pid ?? []),
      busy: busy.size,
      waiting: waiting.length,
    }),
    async close() {
      isClosed = true;
      for (const waiter of waiting.splice(0)) waiter(null);
      await Promise.all([...idle.splice(0), ...busy].map((child) => child.kill()));
    },
  };
}

const closedOutcome: SandboxOutcome = {
  ok: false,
  failure: "aborted",
  detail: "the reader is closed",
};

/**
 * A crash may be the machine's fault, and a used child may hold what an earlier document left.
 * What a fresh child could not do in its time or memory, a second one cannot either.
 */
function deservesRetry(failure: string, wasFresh: boolean): boolean {
  return failure === "crashed" || (failure === "memory" && !wasFresh);
}
