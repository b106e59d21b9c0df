import type { Clock } from "../lib/clock.ts";
import { type Sandbox, type SandboxJob, type SandboxOutcome, startSandbox } from "./sandbox.ts";
import { sandboxCommand } from "./sandbox-command.ts";
import type { Isolation } from "./walls.ts";
import type { UsageCaps } from "./watch-usage.ts";

/** A few warm children and a queue of files for them. */
export interface SandboxPool {
  run(job: Omit<SandboxJob, "caps">): Promise<SandboxOutcome>;
  /** Starts the children before the first file arrives; a cold start takes about half a second. */
  warm(): void;
  stats(): PoolStats;
  close(): Promise<void>;
}

export interface PoolStats {
  isolation: Isolation;
  /** Process ids of the busy children, then of the idle ones. */
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
  /**
   * The number of files after which a child is replaced, so that leaks cannot add up. A new child is slow
   * at first and costs about as much as sixty notes. Memory growth is watched separately.
   */
  recycleAfter?: number;
  caps?: Partial<UsageCaps>;
  childPath?: string;
}

export const DEFAULT_CAPS: UsageCaps = {
  wallMs: 10_000,
  cpuMs: 8_000,
  rssBytes: 300 * 2 ** 20,
};

/** An idle child above this share of its cap could fail the next large file, so it is replaced. */
const RESTING_SHARE_MAX = 0.6;

export function createSandboxPool(options: PoolOptions): SandboxPool {
  const { clock, size = 2, recycleAfter = 500 } = options;
  const caps = { ...DEFAULT_CAPS, ...options.caps };
  const stats = { started: 0, killed: 0, recycled: 0, retried: 0, peakRssBytes: 0 };
  const idle = new Set<Sandbox>();
  const busy = new Set<Sandbox>();
  /** Children that replace a used one as soon as they are ready. */
  const successors = new Set<Sandbox>();
  const waiting: ((child: Sandbox | null) => void)[] = [];
  let isClosed = false;

  const start = (): Sandbox => {
    stats.started++;
    return startSandbox(sandboxCommand(options.childPath), clock);
  };

  const warm = (): void => {
    while (idle.size + busy.size < size) idle.add(start());
  };

  const take = async (): Promise<Sandbox | null> => {
    if (isClosed) return null;
    for (const child of idle) if (!child.isAlive()) idle.delete(child);
    warm();
    // The child that worked last has the warmest code.
    const newestFirst = [...idle].reverse();
    const child = newestFirst.find((one) => one.isReady()) ?? newestFirst[0];
    if (child === undefined) return new Promise((resolve) => waiting.push(resolve));
    idle.delete(child);
    busy.add(child);
    return child;
  };

  /** Gives a free child to the file that has waited longest. */
  const offer = (child: Sandbox): void => {
    const waiter = waiting.shift();
    if (waiter === undefined) return void idle.add(child);
    busy.add(child);
    waiter(child);
  };

  const retire = (child: Sandbox): void => {
    stats.recycled++;
    idle.delete(child);
    void child.kill();
  };

  /** The used child keeps working until the new one is ready. */
  const replace = (spent: Sandbox): void => {
    const successor = start();
    successors.add(successor);
    void successor.whenReady().then(() => {
      successors.delete(successor);
      if (isClosed) return void successor.kill();
      offer(successor);
      if (idle.has(spent)) retire(spent);
    });
  };

  const giveBack = (child: Sandbox): void => {
    busy.delete(child);
    stats.peakRssBytes = Math.max(stats.peakRssBytes, child.rssBytes().peak);
    if (!child.isAlive()) stats.killed++;
    if (isClosed) return;
    if (!child.isAlive()) offer(start());
    else if (idle.size + busy.size >= size || isTooLarge(child)) {
      retire(child);
      if (idle.size + busy.size < size) offer(start());
    } else {
      if (isSpent(child) && successors.size === 0) replace(child);
      offer(child);
    }
  };

  const isTooLarge = (child: Sandbox): boolean =>
    child.rssBytes().resting > caps.rssBytes * RESTING_SHARE_MAX;

  const isSpent = (child: Sandbox): boolean => child.jobsDone() >= recycleAfter;

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
      if (job.signal?.aborted) return abortedOutcome;
      const { outcome, wasFresh, tookMs } = await attempt(job, caps.wallMs);
      const leftMs = caps.wallMs - tookMs;
      if (outcome.ok || !deservesRetry(outcome.failure, wasFresh) || leftMs <= 0) return outcome;
      stats.retried++;
      return (await attempt(job, leftMs)).outcome;
    },
    warm,
    stats: () => ({
      ...stats,
      isolation: sandboxCommand(options.childPath).isolation,
      pids: [...busy, ...idle].flatMap((child) => child.pid ?? []),
      busy: busy.size,
      waiting: waiting.length,
    }),
    async close() {
      isClosed = true;
      for (const waiter of waiting.splice(0)) waiter(null);
      await Promise.all([...idle, ...busy, ...successors].map((child) => child.kill()));
    },
  };
}

const closedOutcome: SandboxOutcome = {
  ok: false,
  failure: "aborted",
  detail: "the reader is closed",
};
const abortedOutcome: SandboxOutcome = {
  ok: false,
  failure: "aborted",
  detail: "the caller gave up",
};

/**
 * The machine may have caused a crash, and a used child may hold state of an earlier file; both deserve a
 * retry. If a fresh child ran out of time or memory, a second one would too.
 */
function deservesRetry(failure: string, wasFresh: boolean): boolean {
  return failure === "crashed" || (failure === "memory" && !wasFresh);
}
