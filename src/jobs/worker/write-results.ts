/** Writes the results of a batch in one transaction, under the token with which its jobs were taken. */
import type { Queryable, Transaction } from "../../store/database.ts";
import { toStorableText } from "../../store/database.ts";
import { completeJobs, type FailureRow, failJobs, type JobRow } from "../job-table.ts";
import type { JobOutcome } from "../outcome.ts";
import { sendJobs } from "../sending/send-jobs.ts";
import { type FailedOutcome, judgeFailure } from "./judge.ts";
import type { Ending, RunResult } from "./run-result.ts";
import type { WorkerBench } from "./worker-bench.ts";

export async function writeResults(
  bench: WorkerBench,
  rows: readonly JobRow[],
  results: readonly RunResult[],
): Promise<Map<string, Ending>> {
  const token = rows[0]!.lease_token;
  const endings = new Map<string, Ending>(
    results.map(({ job, isCommitted }) => [job.jobId, { kind: isCommitted ? "done" : "lost" }]),
  );
  const open = results.filter((result) => !result.isCommitted);
  const done = open.filter((result) => result.outcome.isSuccess);
  const failed = open.filter((result) => !result.outcome.isSuccess);
  if (failed.length === 0) {
    await writeDone(bench.database, done, token, endings);
    return endings;
  }
  const judged = failed.map(({ job, outcome }) =>
    judgeFailure(job, outcome as FailedOutcome, bench.rules, bench.random),
  );
  await bench.database.transaction(async (tx) => {
    await writeDone(tx, done, token, endings);
    await writeFailures(bench, tx, rows, judged, endings);
  });
  return endings;
}

async function writeDone(
  on: Queryable,
  done: readonly RunResult[],
  token: number,
  endings: Map<string, Ending>,
): Promise<void> {
  if (done.length === 0) return;
  const ids = done.map(({ job }) => job.jobId);
  const notes = done.map(({ outcome }) => noteOf(outcome));
  const isPlain = notes.every((note) => note === null);
  const held = await completeJobs(on, ids, token, isPlain ? null : notes);
  // Which of them were lost does not matter here: every ticket is settled either way.
  for (const id of ids) endings.set(id, { kind: held === ids.length ? "done" : "lost" });
}

function noteOf(outcome: JobOutcome): string | null {
  if (!outcome.isSuccess) return null;
  const note = "excluded" in outcome ? outcome.excluded : outcome.note;
  return note === undefined ? null : toStorableText(note);
}

async function writeFailures(
  bench: WorkerBench,
  tx: Transaction,
  rows: readonly JobRow[],
  judged: readonly FailureRow[],
  endings: Map<string, Ending>,
): Promise<void> {
  const written = await failJobs(tx, judged, rows[0]!.lease_token);
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const failureOf = new Map(judged.map((failed) => [failed.id, failed]));
  for (const { id, is_open } of written) {
    const { code, message } = failureOf.get(id)!;
    endings.set(id, { kind: is_open ? "retry" : "dead", code, message });
  }
  const again = written.filter((row) => row.is_open);
  await sendJobs(
    bench.engine,
    tx,
    again.map((row) => ({
      ...rowOf.get(row.id)!,
      ...row,
      delayMs: failureOf.get(row.id)!.retryInMs ?? 0,
    })),
  );
}
