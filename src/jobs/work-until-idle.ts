import { systemClock } from "../lib/clock.ts";
import type { QueueWorker } from "./queue-worker.ts";
import { PATIENCE_MS, reissueLost, type SweepNeeds } from "./sweep.ts";

/** Resolves when no job of these workers' queues is due and none is running; for tests. */
export async function workUntilIdle(
  needs: SweepNeeds,
  workers: ReadonlyMap<string, QueueWorker>,
  limitMs: number,
): Promise<void> {
  const untilMs = systemClock.now() + limitMs;
  for (let round = 1; ; round += 1) {
    const isBusy = [...workers.values()].some((worker) => worker.isBusy);
    const due = await countDue(needs, [...workers.keys()]);
    if (!isBusy && due === 0) return;
    if (systemClock.now() > untilMs) throw new Error(`${due} jobs are still due`);
    // Time that a test moved is unknown to the engine, so a message may lie there with its delay.
    if (!isBusy && round % 20 === 0) {
      await reissueLost(needs, { graceMs: 0, patienceMs: PATIENCE_MS });
    }
    for (const worker of workers.values()) worker.wake();
    await systemClock.sleep(10);
  }
}

async function countDue({ database }: SweepNeeds, queues: readonly string[]): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) FROM postroom.job
      WHERE is_open AND due_at <= postroom.now() AND queue = ANY($1::text[])`,
    [queues],
  );
  return rows[0]!.count;
}
