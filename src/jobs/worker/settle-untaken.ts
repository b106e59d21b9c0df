/**
 * Tickets whose job could not be taken: it has ended, another worker has it, it is not due yet, its type is
 * unknown here, or another program sent the message.
 */

import { NO_HANDLER } from "../cause.ts";
import type { Ticket } from "../engine.ts";
import { explainUntaken, parkJobs, type UntakenRow } from "../job-table.ts";
import { sendJobs } from "../sending/send-jobs.ts";
import { adoptMessages } from "./adopt-message.ts";
import { settleQuietly, untilStored, type WorkerBench } from "./worker-bench.ts";

const SOON_MS = 1_000;
const PARK_MS_MIN = 30_000;
const PARK_MS_MAX = 5 * 60_000;

export async function settleUntaken(bench: WorkerBench, tickets: readonly Ticket[]): Promise<void> {
  const ids = tickets.map((ticket) => ticket.jobId!);
  const rows = await untilStored(bench, () => explainUntaken(bench.database, ids));
  if (rows === null) return settleQuietly(bench, tickets, { kind: "release" });
  const known = new Set(rows.map((row) => row.id));
  // A leased job needs nothing: its worker finishes it, or the sweep sends it again.
  const free = rows.filter((row) => row.is_open && !row.is_leased);
  await untilStored(bench, () => sendLater(bench, free));
  await settleQuietly(
    bench,
    tickets.filter((ticket) => known.has(ticket.jobId!)),
    { kind: "done" },
  );
  await adoptMessages(
    bench,
    tickets.filter((ticket) => !known.has(ticket.jobId!)),
  );
}

async function sendLater(bench: WorkerBench, rows: readonly UntakenRow[]): Promise<void> {
  if (rows.length === 0) return;
  // Due and free, but not taken: this worker had lost its lease at that moment.
  const again = rows.map((row) => ({ ...row, delayMs: row.is_due ? SOON_MS : row.wait_ms }));
  await bench.database.transaction((tx) => sendJobs(bench.engine, tx, again));
}

/**
 * This process has no handler for the type. During a rolling deploy another process will soon have one, so
 * the job waits without losing an attempt and says why. If that does not happen, the sweep ends it, and the
 * engine's message ends among the engine's own dead letters.
 */
export async function parkUnknown(bench: WorkerBench, tickets: readonly Ticket[]): Promise<void> {
  const ids = tickets.map((ticket) => ticket.jobId!);
  const rows = await untilStored(bench, async () => {
    const found = await explainUntaken(bench.database, ids);
    for (const row of found.filter((one) => one.is_open && !one.is_leased)) await park(bench, row);
    return found;
  });
  if (rows === null) return settleQuietly(bench, tickets, { kind: "release" });
  const deadCodes = new Map(rows.map((row) => [row.id, row.dead_code]));
  const isDead = (ticket: Ticket) => deadCodes.get(ticket.jobId!) === NO_HANDLER;
  const known = tickets.filter((ticket) => deadCodes.has(ticket.jobId!));
  const description = "no running worker knows this type";
  const dead = { kind: "dead", reason: NO_HANDLER, description } as const;
  await settleQuietly(bench, known.filter(isDead), dead);
  await settleQuietly(
    bench,
    known.filter((ticket) => !isDead(ticket)),
    { kind: "done" },
  );
  await adoptMessages(
    bench,
    tickets.filter((ticket) => !deadCodes.has(ticket.jobId!)),
  );
}

async function park(bench: WorkerBench, row: UntakenRow): Promise<void> {
  const message = `no handler for "${row.type}"`;
  const delayMs = Math.min(PARK_MS_MAX, Math.max(PARK_MS_MIN, row.age_ms / 10));
  bench.metrics.parked(row.queue, row.type);
  await bench.database.transaction(async (tx) => {
    const parked = await parkJobs(tx, [row.id], "job.unknown-type", message, delayMs);
    await sendJobs(
      bench.engine,
      tx,
      parked.map(() => ({ ...row, delayMs })),
    );
  });
}
