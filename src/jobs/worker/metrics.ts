/** Metrics and log lines about jobs. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../../store/database.ts";
import type { JobSpec } from "../job.ts";
import type { JobRow } from "../job-table.ts";
import type { JobOutcome } from "../outcome.ts";
import { findParked } from "../status/worker-views.ts";
import type { Ending, RunResult } from "./run-result.ts";

export interface JobMetrics {
  ran(
    spec: JobSpec,
    rows: readonly JobRow[],
    results: readonly RunResult[],
    endings: ReadonlyMap<string, Ending>,
    durationMs: number,
  ): void;
  parked(queue: string, type: string): void;
  /** Jobs whose message the engine has lost. */
  hintsLost(queue: string, count: number): void;
  leasesLost(count: number): void;
}

const SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600];

export function createJobMetrics(needs: {
  registry: Registry;
  database: Database;
  log: Log;
}): JobMetrics {
  const { registry, database, log } = needs;
  const registers = [registry];
  const ended = new Counter({
    name: "postroom_jobs_total",
    help: "Runs of jobs by how they ended",
    labelNames: ["queue", "type", "stage", "outcome"],
    registers,
  });
  const duration = new Histogram({
    name: "postroom_job_seconds",
    help: "How long handlers took for a batch",
    labelNames: ["queue", "type"],
    buckets: SECONDS,
    registers,
  });
  const parked = new Counter({
    name: "postroom_jobs_parked_total",
    help: "Jobs parked because no handler knows their type",
    labelNames: ["queue", "type"],
    registers,
  });
  const hintsLost = new Counter({
    name: "postroom_hints_lost_total",
    help: "Jobs sent again because they were overdue and the engine had no message for them",
    labelNames: ["queue"],
    registers,
  });
  const leasesLost = new Counter({
    name: "postroom_leases_lost_total",
    help: "Workers whose lease expired",
    registers,
  });
  collectFromTable(registers, database);

  return {
    ran(spec, rows, results, endings, durationMs) {
      const { queue, type } = spec;
      const stage = spec.stage ?? type;
      duration.observe({ queue, type }, durationMs / 1_000);
      const counts = new Map<string, number>();
      for (const result of results) {
        const ending = endings.get(result.job.jobId)!;
        const outcome = nameOf(result, ending);
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
        if (!result.outcome.isSuccess || rows.length === 1) {
          logRun(log, spec, result, ending, durationMs);
        }
      }
      for (const [outcome, count] of counts) ended.inc({ queue, type, stage, outcome }, count);
    },
    parked: (queue, type) => parked.inc({ queue, type }),
    hintsLost(queue, count) {
      hintsLost.inc({ queue }, count);
      log.warn({ queue, count }, "the engine had no message for overdue jobs; sent them again");
    },
    leasesLost: (count) => leasesLost.inc(count),
  };
}

function nameOf(result: RunResult, ending: Ending): string {
  if (ending.kind !== "done") return ending.kind;
  return result.outcome.isSuccess && "excluded" in result.outcome ? "excluded" : "completed";
}

/**
 * One line per failed job and per job that runs alone. The capitalised names are those that existing queries of the systems that
 * Postroom replaces read; `Duration` is in milliseconds.
 */
function logRun(
  log: Log,
  spec: JobSpec,
  result: RunResult,
  ending: Ending,
  durationMs: number,
): void {
  const { job, outcome } = result;
  const facts = {
    Category: spec.queue.startsWith("office-") ? "OfficeWorker" : "Worker",
    WorkerType: spec.type,
    JobId: job.jobId,
    correlationId: job.correlationId,
    Attempt: job.attempt,
    Duration: durationMs,
    JobStatus: STATUSES[ending.kind],
    Outcome: outcomeName(outcome),
    ErrorCode: outcome.isSuccess ? undefined : outcome.errorCode,
    Stage: spec.stage ?? spec.type,
    StageStatus: outcome.isSuccess ? "completed" : "failed",
  };
  if (outcome.isSuccess) log.info(facts, "job done");
  else log.warn(facts, "job failed");
}

const STATUSES: Readonly<Record<Ending["kind"], string>> = {
  done: "Completed",
  retry: "Retrying",
  dead: "Failed",
  lost: "Lost",
};

function outcomeName(outcome: JobOutcome): string {
  if (outcome.isSuccess) return "success";
  return outcome.isThrown ? "processing_error" : "failure";
}

/** Gauges read the table on each scrape, so every process reports the same. */
function collectFromTable(registers: Registry[], database: Database): void {
  const open = new Gauge({
    name: "postroom_jobs_open",
    help: "Jobs that are not finished",
    labelNames: ["queue", "state"],
    registers,
    async collect() {
      const { rows } = await database.query<{ queue: string; state: string; count: number }>(
        "SELECT queue, state, count(*) FROM postroom.job WHERE is_open GROUP BY queue, state",
      );
      this.reset();
      for (const { queue, state, count } of rows) open.set({ queue, state }, count);
    },
  });
  const oldest = new Gauge({
    name: "postroom_jobs_oldest_seconds",
    help: "How long the oldest job that is due has waited",
    labelNames: ["queue"],
    registers,
    async collect() {
      const { rows } = await database.query<{ queue: string; age: number }>(
        `SELECT queue, greatest(0, extract(epoch FROM postroom.now() - min(due_at)))::float8 AS age
           FROM postroom.job WHERE is_open GROUP BY queue`,
      );
      this.reset();
      for (const { queue, age } of rows) oldest.set({ queue }, age);
    },
  });
  const parked = new Gauge({
    name: "postroom_jobs_parked",
    help: "Jobs that wait because no worker knows their type",
    labelNames: ["queue", "type"],
    registers,
    async collect() {
      this.reset();
      for (const { queue, type, jobs } of await findParked(database))
        parked.set({ queue, type }, jobs);
    },
  });
  const dead = new Gauge({
    name: "postroom_dead_letters",
    help: "Dead letters that were neither replayed nor dismissed",
    labelNames: ["queue", "type", "code"],
    registers,
    async collect() {
      const { rows } = await database.query<
        Record<"queue" | "type" | "code", string> & { count: number }
      >(
        `SELECT queue, type, error_code AS code, count(*) FROM postroom.job WHERE is_dead
          GROUP BY queue, type, error_code`,
      );
      this.reset();
      for (const { count, ...labels } of rows) dead.set(labels, count);
    },
  });
}
