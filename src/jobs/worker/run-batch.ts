/**
 * One batch from ticket to settlement: take the jobs under a new token, check their payloads, run the
 * handler, write effects and done marks under that token, retry or end what failed, and only then settle
 * the tickets. A crash at any point leaves either all or nothing of a job written.
 */
import { Fault } from "../../lib/fault.ts";
import { killPoint } from "../../lib/kill-points.ts";
import { inSpan, type SpanStart, toTrace } from "../../lib/tracing.ts";
import type { Ticket } from "../engine.ts";
import { toJob } from "../envelope.ts";
import type { JobHandler } from "../handler.ts";
import type { Job } from "../job.ts";
import { type JobRow, takeJobs } from "../job-table.ts";
import { failure, type JobOutcome } from "../outcome.ts";
import { callHandler } from "./call-handler.ts";
import type { Ending, RunResult } from "./run-result.ts";
import { settleUntaken } from "./settle-untaken.ts";
import { settleQuietly, untilStored, type WorkerBench } from "./worker-bench.ts";
import { writeResults } from "./write-results.ts";

/** A job during which this many workers died is not given to another. */
const TAKEOVERS_MAX = 10;

export async function runBatch(
  bench: WorkerBench,
  handler: JobHandler,
  tickets: readonly Ticket[],
): Promise<void> {
  await killPoint("jobs.ticket-received");
  const rows = await takeBatch(bench, handler, tickets);
  if (rows === null) return settleQuietly(bench, tickets, { kind: "release" });
  const taken = new Set(rows.map((row) => row.id));
  const ours = tickets.filter((ticket) => taken.has(ticket.jobId!));
  if (ours.length < tickets.length) {
    const others = tickets.filter((ticket) => !taken.has(ticket.jobId!));
    await settleUntaken(bench, others);
  }
  if (rows.length === 0) return;
  await killPoint("jobs.leased");
  const startedMs = bench.clock.now();
  const results = await runRows(bench, handler, rows);
  await killPoint("jobs.handler-done");
  const endings = await untilStored(bench, () => writeResults(bench, rows, results));
  // The worker stopped before anything was written; the next worker finds the job open.
  if (endings === null) return settleQuietly(bench, ours, { kind: "release" });
  await killPoint("jobs.effects-committed");
  await settleEndings(bench, ours, endings);
  await killPoint("jobs.settled");
  bench.metrics.ran(handler.spec, rows, results, endings, bench.clock.now() - startedMs);
}

function takeBatch(
  bench: WorkerBench,
  handler: JobHandler,
  tickets: readonly Ticket[],
): Promise<JobRow[] | null> {
  // Sorted, so that two workers that want the same jobs cannot deadlock.
  const ids = [...new Set(tickets.map((ticket) => ticket.jobId!))].sort();
  return untilStored(bench, async () => {
    const { workerId } = bench.lease;
    if (workerId === null) throw new Fault("store.unavailable", "this worker holds no lease");
    const types = [handler.spec.type];
    return takeJobs(bench.database, { ids, workerId, types, stuckMs: bench.stuckMs });
  });
}

async function runRows(
  bench: WorkerBench,
  handler: JobHandler,
  rows: readonly JobRow[],
): Promise<RunResult[]> {
  const checked = rows.map((row) => checkRow(handler, row));
  const runnable = checked.filter((entry) => entry.refusal === null).map((entry) => entry.job);
  const call = () => callHandler(bench, handler, runnable, rows[0]!.lease_token);
  const { outcomes, committed } = await inSpan(`job ${handler.spec.type}`, causesOf(rows), call);
  const outcomeOf = new Map(runnable.map((job, index) => [job.jobId, outcomes[index]!]));
  return checked.map(({ job, refusal }) => ({
    job,
    outcome: refusal ?? outcomeOf.get(job.jobId)!,
    isCommitted: committed.has(job.jobId),
  }));
}

/** A batch belongs to the trace of its first job and is linked to those of the others. */
function causesOf(rows: readonly JobRow[]): SpanStart {
  const [cause = null, ...alsoFor] = [
    ...new Set(rows.map(({ trace }) => toTrace(trace)).filter((trace) => trace !== null)),
  ];
  const { queue, attempt } = rows[0]!;
  const facts = {
    "postroom.queue": queue,
    "postroom.jobs": rows.length,
    "postroom.attempt": attempt,
  };
  return { kind: "consumer", cause, alsoFor, facts };
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
  return refuse(
    handler.malformedCode ?? "job.malformed",
    `payload ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
  );
}

async function settleEndings(
  bench: WorkerBench,
  tickets: readonly Ticket[],
  endings: ReadonlyMap<string, Ending>,
): Promise<void> {
  const isDead = (ticket: Ticket) => endings.get(ticket.jobId!)?.kind === "dead";
  const others = tickets.filter((ticket) => !isDead(ticket));
  await settleQuietly(bench, others, { kind: "done" });
  for (const ticket of tickets.filter(isDead)) {
    const { code, message } = endings.get(ticket.jobId!)!;
    const settlement = { kind: "dead", reason: code ?? "", description: message ?? "" } as const;
    await settleQuietly(bench, [ticket], settlement);
  }
}
