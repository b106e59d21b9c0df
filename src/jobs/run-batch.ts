/**
 * One batch from delivery to settlement: claim the jobs under a new token, check their payloads, run
 * the handler, write effects and done marks under that token, put back or end what failed, and only
 * then tell the engine. A crash at any point leaves either everything or nothing of a job written.
 */
import { Fault } from "../lib/fault.ts";
import { killPoint } from "../lib/kill-points.ts";
import { callHandler } from "./call-handler.ts";
import type { Delivery } from "./engine.ts";
import { toJob } from "./envelope.ts";
import type { JobHandler } from "./handler.ts";
import type { Job } from "./job.ts";
import { claimJobs, type JobRow } from "./job-table.ts";
import { failure, type JobOutcome } from "./outcome.ts";
import { settleUnclaimed } from "./settle-unclaimed.ts";
import { settleQuietly, untilStored, type WorkerBench } from "./worker-bench.ts";
import { type Ending, type RunResult, writeResults } from "./write-results.ts";

/** A job that took this many workers down with it is not given to another. */
const TAKEOVERS_MAX = 10;

export async function runBatch(
  bench: WorkerBench,
  handler: JobHandler,
  deliveries: readonly Delivery[],
): Promise<void> {
  await killPoint("jobs.taken");
  const rows = await claimBatch(bench, handler, deliveries);
  if (rows === null) return settleQuietly(bench, deliveries, { kind: "release" });
  const claimed = new Set(rows.map((row) => row.id));
  const ours = deliveries.filter((delivery) => claimed.has(delivery.jobId!));
  if (ours.length < deliveries.length) {
    const others = deliveries.filter((delivery) => !claimed.has(delivery.jobId!));
    await settleUnclaimed(bench, others);
  }
  if (rows.length === 0) return;
  await killPoint("jobs.key-claimed");
  const startedMs = bench.clock.now();
  const results = await runRows(bench, handler, rows);
  await killPoint("jobs.handler-done");
  const endings = await untilStored(bench, () => writeResults(bench, rows, results));
  // Nothing could be written before the stop; whoever takes the message next finds the job open.
  if (endings === null) return settleQuietly(bench, ours, { kind: "release" });
  await killPoint("jobs.effects-committed");
  await settleEndings(bench, ours, endings);
  await killPoint("jobs.settled");
  bench.metrics.ran(handler.spec, rows, results, endings, bench.clock.now() - startedMs);
}

function claimBatch(
  bench: WorkerBench,
  handler: JobHandler,
  deliveries: readonly Delivery[],
): Promise<JobRow[] | null> {
  // In order, so that two workers with the same messages wait for each other instead of crosswise.
  const ids = [...new Set(deliveries.map((delivery) => delivery.jobId!))].sort();
  return untilStored(bench, async () => {
    const { workerId } = bench.lease;
    if (workerId === null) throw new Fault("store.unavailable", "this worker holds no lease");
    const types = [handler.spec.type];
    return claimJobs(bench.database, { ids, workerId, types, stuckMs: bench.stuckMs });
  });
}

async function runRows(
  bench: WorkerBench,
  handler: JobHandler,
  rows: readonly JobRow[],
): Promise<RunResult[]> {
  const checked = rows.map((row) => checkRow(handler, row));
  const fit = checked.filter((entry) => entry.refusal === null).map((entry) => entry.job);
  const { outcomes, committed } = await callHandler(bench, handler, fit, rows[0]!.lease_token);
  const outcomeOf = new Map(fit.map((job, index) => [job.jobId, outcomes[index]!]));
  return checked.map(({ job, refusal }) => ({
    job,
    outcome: refusal ?? outcomeOf.get(job.jobId)!,
    isCommitted: committed.has(job.jobId),
  }));
}

function checkRow(handler: JobHandler, row: JobRow): { job: Job; refusal: JobOutcome | null } {
  const job = toJob(row);
  const refuse = (code: string, text: string) => ({
    job,
    refusal: failure(code, text, { retryable: false }),
  });
  if (row.takeovers >= TAKEOVERS_MAX) {
    return refuse("job.lease-lost", `${row.takeovers} workers stopped while they ran it`);
  }
  const payload = handler.spec.payload.safeParse(row.payload);
  if (payload.success) return { job: { ...job, payload: payload.data }, refusal: null };
  const issue = payload.error.issues[0];
  return refuse("job.malformed", `payload ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
}

async function settleEndings(
  bench: WorkerBench,
  deliveries: readonly Delivery[],
  endings: ReadonlyMap<string, Ending>,
): Promise<void> {
  const isDead = (delivery: Delivery) => endings.get(delivery.jobId!)?.kind === "dead";
  const others = deliveries.filter((delivery) => !isDead(delivery));
  await settleQuietly(bench, others, { kind: "done" });
  for (const delivery of deliveries.filter(isDead)) {
    const { code, message } = endings.get(delivery.jobId!)!;
    const settlement = { kind: "dead", reason: code ?? "", description: message ?? "" } as const;
    await settleQuietly(bench, [delivery], settlement);
  }
}
