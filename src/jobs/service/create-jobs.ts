/** Connects the parts of the job system: built once, started and stopped with the process. */
import assert from "node:assert/strict";
import type { Registry } from "prom-client";
import { type Clock, every, systemClock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { Database } from "../../store/database.ts";
import { continueReplays } from "../dead-letters/replay.ts";
import type { JobEngine } from "../engine.ts";
import type { JobHandler } from "../handler.ts";
import type { JobQueue } from "../job.ts";
import { releaseJobs } from "../job-table.ts";
import { QUEUES } from "../queues.ts";
import { createJobQueue } from "../sending/add-jobs.ts";
import { startRelay } from "../sending/relay-outbox.ts";
import { sendJobs } from "../sending/send-jobs.ts";
import { endUnserved } from "../upkeep/end-unserved.ts";
import { runDueSchedules, type Schedule, upsertSchedules } from "../upkeep/schedule.ts";
import { PATIENCE_MS, purgeFinished, reapLeases, reapStuck, reissueLost } from "../upkeep/sweep.ts";
import { DEFAULT_RETRY_RULES, type RetryRules } from "../worker/judge.ts";
import { listenForJobs } from "../worker/listen.ts";
import { createJobMetrics } from "../worker/metrics.ts";
import { type QueueWorker, startQueueWorker } from "../worker/queue-worker.ts";
import type { WorkerBench } from "../worker/worker-bench.ts";
import { holdWorkerLease, type WorkerLease } from "../worker/worker-lease.ts";
import { noteServed } from "../worker-table.ts";
import { workUntilIdle } from "./work-until-idle.ts";

export interface JobsOptions {
  readonly database: Database;
  readonly engine: JobEngine;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Registry;
  /** What this process can run; absent in a process that only adds jobs. */
  readonly handlers?: readonly JobHandler[];
  readonly schedules?: readonly Schedule[];
  readonly settings?: Partial<JobSettings>;
}

export interface JobSettings {
  /** After a crash, the jobs of a process run again within 1.25 times this. */
  readonly leaseMs: number;
  /** A job that shows no progress for longer counts as stuck. */
  readonly stuckMs: number;
  readonly sweepMs: number;
  /** A job overdue by this much on an empty queue is sent again. */
  readonly graceMs: number;
  readonly stopWithinMs: number;
  /** How long idempotency keys are kept; at least seven days. */
  readonly keepKeysMs: number;
  readonly rules: RetryRules;
  /**
   * The largest number of batches of one type that run at once in this process, whatever its handler allows.
   */
  readonly concurrencyMax: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

export const DEFAULT_SETTINGS: JobSettings = {
  leaseMs: 60_000,
  stuckMs: 10 * 60_000,
  sweepMs: 15_000,
  graceMs: 20_000,
  stopWithinMs: 25_000,
  keepKeysMs: 8 * DAY_MS,
  rules: DEFAULT_RETRY_RULES,
  concurrencyMax: Number.POSITIVE_INFINITY,
};

export interface Jobs {
  readonly queue: JobQueue;
  readonly engine: JobEngine;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly handlers: readonly JobHandler[];
  start(): Promise<void>;
  /**
   * Takes no more jobs, lets running ones finish for a while, and returns the rest without counting an
   * attempt.
   */
  stop(): Promise<void>;
  /** One round of what otherwise runs on timers: schedules, dead workers, lost messages. */
  tick(): Promise<void>;
  /** Resolves when no job is due and none is running. For tests. */
  workUntilIdle(limitMs?: number): Promise<void>;
}

export function createJobs(options: JobsOptions): Jobs {
  const { database, engine, clock, log } = options;
  const handlers = options.handlers ?? [];
  const settings = { ...DEFAULT_SETTINGS, ...options.settings };
  if (settings.keepKeysMs < 7 * DAY_MS) {
    throw new Fault("settings.bad", "idempotency keys must be kept for at least seven days");
  }
  const metrics = createJobMetrics({ registry: options.metrics, database, log });
  const workers = new Map<string, QueueWorker>();
  const held = () => [...workers.values()].flatMap((worker) => worker.waitingIds());
  const queues = [
    ...new Set([...QUEUES.map(({ name }) => name), ...handlers.map(({ spec }) => spec.queue)]),
  ];
  const types = handlers.map(({ spec }) => spec.type);
  assert(new Set(types).size === types.length, `two handlers take one type: ${types.join(", ")}`);
  const sweepNeeds = { database, engine, metrics, held, queues };
  const stopping = new AbortController();
  const closers: (() => Promise<void>)[] = [];
  let lease: WorkerLease | null = null;
  let wakeRelay = (): void => {};
  let isStarted = false;

  const wake = (queue: string): void => {
    if (!engine.isTransactional) wakeRelay();
    workers.get(queue)?.wake();
  };
  const queue = createJobQueue({ ...options, onAdded: wake });
  const schedules = options.schedules ?? [];
  const runSchedules = () => runDueSchedules({ database, queue, clock }, schedules);

  const startWorkers = async (): Promise<void> => {
    await noteServed(database, types);
    lease = await holdWorkerLease({ database, log, types, leaseMs: settings.leaseMs });
    const bench: WorkerBench = {
      ...options,
      ...settings,
      lease,
      metrics,
      stopping: stopping.signal,
      queueOf: (type) => handlers.find(({ spec }) => spec.type === type)?.spec.queue ?? null,
    };
    // Queues without a handler are read too: a message in one would otherwise wait where nobody looks.
    for (const name of queues) {
      const ofQueue = handlers.filter((handler) => handler.spec.queue === name);
      workers.set(name, startQueueWorker(bench, name, ofQueue));
    }
  };

  const sweepUnserved = async (): Promise<void> => {
    if (lease !== null && lease.workerId !== null) await noteServed(database, types);
    await endUnserved({ database, log });
  };

  const again = (pauseMs: number, what: string, task: () => Promise<unknown>): void => {
    const warn = (error: unknown) => log.warn({ err: error }, `${what} failed; trying again`);
    closers.push(every(systemClock, pauseMs, async () => void (await task()), warn));
  };

  const release = async (): Promise<void> => {
    const workerId = lease?.workerId;
    if (workerId === null || workerId === undefined) return;
    await database.transaction(async (tx) => {
      const released = await releaseJobs(tx, [workerId], false);
      await sendJobs(engine, tx, released);
    });
  };

  /** Leaves no connection open if the engine refuses to start. */
  const startEngine = async (): Promise<void> => {
    try {
      await engine.start(queues);
    } catch (error) {
      isStarted = false;
      await engine.stop();
      throw error;
    }
  };

  const idleWithin = async (limitMs: number): Promise<void> => {
    const allIdle = Promise.all([...workers.values()].map((worker) => worker.idle()));
    const enough = new AbortController();
    await Promise.race([allIdle, systemClock.sleep(limitMs, enough.signal)]);
    enough.abort();
  };

  return {
    queue,
    engine,
    database,
    clock,
    random: options.random,
    handlers,

    async start() {
      if (isStarted) return;
      isStarted = true;
      await startEngine();
      await upsertSchedules({ database, clock }, schedules);
      if (!engine.isTransactional) {
        const relay = startRelay(options);
        wakeRelay = relay.wake;
        closers.push(relay.stop);
      }
      if (handlers.length > 0) {
        await startWorkers();
        const onListening = () => [...workers.keys()].forEach(wake);
        const listener = listenForJobs({ url: database.url, log, onAdded: wake, onListening });
        closers.push(() => listener.stop());
      }
      again(settings.leaseMs / 4, "looking for dead workers", () => reapLeases(sweepNeeds));
      again(settings.sweepMs, "the sweep", () => reissueLost(sweepNeeds, toLimits(settings)));
      again(4 * settings.sweepMs, "looking for stuck jobs", () =>
        reapStuck(sweepNeeds, settings.stuckMs),
      );
      again(4 * settings.sweepMs, "looking for jobs without a handler", sweepUnserved);
      again(1_000, "running schedules", runSchedules);
      again(1_000, "replaying dead letters", () => continueReplays(options, 1_000));
      again(60 * 60_000, "the purge", () =>
        purgeFinished(database, settings.keepKeysMs, clock.now()),
      );
    },

    async stop() {
      if (!isStarted) return;
      isStarted = false;
      await Promise.all(closers.splice(0).map((close) => close()));
      await Promise.all([...workers.values()].map((worker) => worker.stopTaking()));
      await idleWithin(settings.stopWithinMs * 0.8);
      stopping.abort();
      await idleWithin(settings.stopWithinMs * 0.2);
      const warn = (error: unknown) =>
        log.warn(
          { err: error },
          "jobs could not be given back; they run again after the lease has expired",
        );
      await release().catch(warn);
      await lease?.stop().catch(warn);
      await engine.stop();
    },

    async tick() {
      await runSchedules();
      await reapLeases(sweepNeeds);
      await reapStuck(sweepNeeds, settings.stuckMs);
      await reissueLost(sweepNeeds, toLimits(settings));
      await sweepUnserved();
    },

    async workUntilIdle(limitMs = 120_000) {
      wakeRelay();
      await workUntilIdle(sweepNeeds, workers, limitMs);
    },
  };
}

const toLimits = (settings: JobSettings) => ({
  graceMs: settings.graceMs,
  patienceMs: Math.max(PATIENCE_MS, settings.graceMs),
});
