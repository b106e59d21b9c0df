/**
 * Messages whose job could not be claimed: it has ended, it is in other hands, it is not due yet, its
 * type is unknown here, or the message came from elsewhere.
 */
import { adoptMessages } from "./adopt-message.ts";
import { causeOf } from "./cause.ts";
import { dispatch } from "./dispatch.ts";
import type { Delivery } from "./engine.ts";
import { endUnclaimed, explainUnclaimed, parkJobs, type UnclaimedRow } from "./job-table.ts";
import { settleQuietly, untilStored, type WorkerBench } from "./worker-bench.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A type that nobody has learned to run in this time is a dead letter. */
const PARKED_MS_MAX = 7 * DAY_MS;
const SOON_MS = 1_000;
const PARK_MS_MIN = 30_000;
const PARK_MS_MAX = 5 * 60_000;

export async function settleUnclaimed(
  bench: WorkerBench,
  deliveries: readonly Delivery[],
): Promise<void> {
  const ids = deliveries.map((delivery) => delivery.jobId!);
  const rows = await untilStored(bench, () => explainUnclaimed(bench.database, ids));
  if (rows === null) return settleQuietly(bench, deliveries, { kind: "release" });
  const known = new Set(rows.map((row) => row.id));
  // What is leased needs nothing: its holder finishes it, or the reaper sends it again.
  const free = rows.filter((row) => row.is_open && !row.is_leased);
  await untilStored(bench, () => sendLater(bench, free));
  await settleQuietly(
    bench,
    deliveries.filter((delivery) => known.has(delivery.jobId!)),
    { kind: "done" },
  );
  await adoptMessages(
    bench,
    deliveries.filter((delivery) => !known.has(delivery.jobId!)),
  );
}

async function sendLater(bench: WorkerBench, rows: readonly UnclaimedRow[]): Promise<void> {
  if (rows.length === 0) return;
  // Due and free, yet not claimed: this worker's lease was gone at that moment.
  const again = rows.map((row) => ({ ...row, delayMs: row.is_due ? SOON_MS : row.wait_ms }));
  await bench.database.transaction((tx) => dispatch(bench.engine, tx, again));
}

/**
 * Nobody in this process knows the type. During a rolling deploy somebody soon will, so the job waits
 * without losing an attempt and says why; after a week it is a dead letter.
 */
export async function parkUnknown(
  bench: WorkerBench,
  deliveries: readonly Delivery[],
): Promise<void> {
  const ids = deliveries.map((delivery) => delivery.jobId!);
  const rows = await untilStored(bench, async () => {
    const found = await explainUnclaimed(bench.database, ids);
    for (const row of found.filter((one) => one.is_open && !one.is_leased)) await park(bench, row);
    return found;
  });
  if (rows === null) return settleQuietly(bench, deliveries, { kind: "release" });
  const known = new Set(rows.map((row) => row.id));
  await settleQuietly(
    bench,
    deliveries.filter((delivery) => known.has(delivery.jobId!)),
    { kind: "done" },
  );
  await adoptMessages(
    bench,
    deliveries.filter((delivery) => !known.has(delivery.jobId!)),
  );
}

async function park(bench: WorkerBench, row: UnclaimedRow): Promise<void> {
  const message = `no handler for "${row.type}"`;
  if (row.age_ms > PARKED_MS_MAX) {
    const cause = causeOf(row.type, "NoHandler", message);
    await endUnclaimed(bench.database, [row.id], { code: "NoHandler", message, cause });
    return;
  }
  const delayMs = Math.min(PARK_MS_MAX, Math.max(PARK_MS_MIN, row.age_ms / 10));
  bench.metrics.parked(row.queue, row.type);
  await bench.database.transaction(async (tx) => {
    const parked = await parkJobs(tx, [row.id], "job.unknown-type", message, delayMs);
    await dispatch(
      bench.engine,
      tx,
      parked.map(() => ({ ...row, delayMs })),
    );
  });
}
