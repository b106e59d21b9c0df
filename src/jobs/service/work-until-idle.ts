import { systemClock } from "../../lib/clock.ts";
import { countDueJobs } from "../job-table.ts";
import { PATIENCE_MS, reissueLost, type SweepNeeds } from "../upkeep/sweep.ts";
import type { QueueWorker } from "../worker/queue-worker.ts";

/** Resolves when no job of these workers' queues is due and none is running; for tests. */
export async function workUntilIdle(
  needs: SweepNeeds,
  workers: ReadonlyMap<string, QueueWorker>,
  limitMs: number,
): Promise<void> {
  const untilMs = systemClock.now() + limitMs;
  for (let round = 1; ; round += 1) {
    const isBusy = [...workers.values()].some((worker) => worker.isBusy);
    const due = await countDueJobs(needs.database, [...workers.keys()]);
    if (!isBusy && due === 0) return;
    if (systemClock.now() > untilMs) throw new Error(`${due} jobs are still due`);
    // The engine does not know that a test has moved the clock, so it may still hold a message back.
    if (!isBusy && round % 20 === 0) {
      await reissueLost(needs, { graceMs: 0, patienceMs: PATIENCE_MS });
    }
    for (const worker of workers.values()) worker.wake();
    await systemClock.sleep(10);
  }
}
