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
import { QUEUES } from "../queues.ts";
import { createJobQueue } from "../sending/add-jobs.ts";
import { startRelay } from "../sending/relay-outbox.ts";
import { endUnserved } from "../upkeep/end-unserved.ts";
import { runDueSchedules, type Schedule, upsertSchedules } from "../upkeep/schedule.ts";
import { PATIENCE_MS, purgeFinished, reapLeases, reapStuck, reissueLost } from "../upkeep/sweep.ts";
import { DEFAULT_RETRY_RULES, type RetryRules } from "../worker/judge.ts";
import { listenForJobs } from "../worker/listen.ts";
import { createJobMetrics } from "../worker/metrics.ts";
import { createWorkerGroup } from "../worker/worker-group.ts";
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

const SCHEDULE_MS = 1_000;
const REPLAY_MS = 1_000;
const PURGE_MS = 60 * 60 * 1_000;
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
  const queues = [
    ...new Set([...QUEUES.map(({ name }) => name), ...handlers.map(({ spec }) => spec.queue)]),
  ];
  const types = handlers.map(({ spec }) => spec.type);
  assert(new Set(types).size === types.length, `two handlers take one type: ${types.join(", ")}`);
  const group = createWorkerGroup({ ...options, ...settings, handlers, metrics, queues });
  const sweepNeeds = { database, engine, metrics, held: group.heldIds, queues };
  const closers: (() => Promise<void>)[] = [];
  let wakeRelay = (): void => {};
  let isStarted = false;

  const wake = (queue: string): void => {
    if (!engine.isTransactional) wakeRelay();
    group.workers.get(queue)?.wake();
  };
  const queue = createJobQueue({ ...options, onAdded: wake });
  const schedules = options.schedules ?? [];
  const runSchedules = () => runDueSchedules({ database, queue, clock }, schedules);

  const sweepUnserved = async (): Promise<void> => {
    await group.noteServed();
    await endUnserved({ database, log });
  };

  const repeat = (pauseMs: number, what: string, task: () => Promise<unknown>): void => {
    const warn = (error: unknown) => log.warn({ err: error }, `${what} failed; trying again`);
    closers.push(every(systemClock, pauseMs, task, warn));
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

  const startUpkeep = (): void => {
    repeat(settings.leaseMs / 4, "looking for dead workers", () => reapLeases(sweepNeeds));
    repeat(settings.sweepMs, "the sweep", () => reissueLost(sweepNeeds, toLimits(settings)));
    const rareSweepMs = 4 * settings.sweepMs;
    repeat(rareSweepMs, "looking for stuck jobs", () => reapStuck(sweepNeeds, settings.stuckMs));
    repeat(rareSweepMs, "looking for jobs without a handler", sweepUnserved);
    repeat(SCHEDULE_MS, "running schedules", runSchedules);
    repeat(REPLAY_MS, "replaying dead letters", () => continueReplays(options, REPLAY_MS));
    repeat(PURGE_MS, "the purge", () => purgeFinished(database, settings.keepKeysMs, clock.now()));
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
        await group.start();
        const onListening = () => [...group.workers.keys()].forEach(wake);
        const listener = listenForJobs({ url: database.url, log, onAdded: wake, onListening });
        closers.push(() => listener.stop());
      }
      startUpkeep();
    },

    async stop() {
      if (!isStarted) return;
      isStarted = false;
      await Promise.all(closers.splice(0).map((close) => close()));
      await group.finish(settings.stopWithinMs);
      const warn = (error: unknown) =>
        log.warn(
          { err: error },
          "jobs could not be given back; they run again after the lease has expired",
        );
      await group.release().catch(warn);
      await group.endLease().catch(warn);
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
      await workUntilIdle(sweepNeeds, group.workers, limitMs);
    },
  };
}

const toLimits = (settings: JobSettings) => ({
  graceMs: settings.graceMs,
  patienceMs: Math.max(PATIENCE_MS, settings.graceMs),
});
