/**
 * Turns notification rows into jobs, many at a time, new mail first and one pending look per message. The
 * rows are marked and the jobs added in one transaction, so a crash in between leaves them waiting and a
 * repeat adds nothing.
 */
import type { JobQueue, NewJob } from "../../jobs/job.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { changeOf, isLifecycle } from "../../mailbox/notifications/notification.ts";
import {
  takeWaiting,
  type WaitingNotification,
} from "../../mailbox/notifications/notification-table.ts";
import { setLastNotified } from "../../mailbox/subscriptions/subscription-table.ts";
import type { Database } from "../../store/database.ts";
import { type ChangePayload, lifecycleEvent, mailChanged } from "../specs/watching.ts";
import { jobKeyOf, withoutPendingLook } from "./one-look.ts";

/** Small enough that one batch does not delay a waiting request for long. */
const BATCH_ROWS = 500;
/**
 * While intake is busy, the pause after a batch is this many times as long as the batch took, so jobs get a
 * tenth of the time until the burst is over.
 */
const PAUSE_FACTOR = 9;

export interface Dispatcher {
  /** Called after rows were written, so that they are dispatched soon. */
  wake(): void;
  /** Dispatches the waiting notifications and returns their number. */
  run(): Promise<number>;
}

export function createDispatcher(needs: {
  database: Database;
  queue: JobQueue;
  log: Log;
  /** While many requests wait for their response, jobs can wait: Graph measures our response time. */
  busyIntake?: { readonly isBusy: () => boolean; readonly clock: Clock };
}): Dispatcher {
  let running: Promise<number> | null = null;
  let isWokenAgain = false;

  const pauseIfBusy = async (sinceMs: number): Promise<void> => {
    if (needs.busyIntake?.isBusy() !== true) return;
    await needs.busyIntake.clock.sleep((needs.busyIntake.clock.now() - sinceMs) * PAUSE_FACTOR);
  };

  const drain = async (): Promise<number> => {
    let total = 0;
    do {
      isWokenAgain = false;
      let taken: number;
      do {
        const startedMs = needs.busyIntake?.clock.now() ?? 0;
        taken = await dispatchBatch(needs);
        total += taken;
        await pauseIfBusy(startedMs);
      } while (taken === BATCH_ROWS);
    } while (isWokenAgain);
    return total;
  };

  const run = (): Promise<number> => {
    if (running !== null) {
      isWokenAgain = true;
      return running;
    }
    running = drain().finally(() => {
      running = null;
    });
    return running;
  };

  return {
    run,
    wake: () =>
      void run().catch((error) => {
        // The rows stay, and the periodic sweep takes them when the database is back.
        needs.log.warn({ err: error }, "notifications wait for their jobs");
      }),
  };
}

async function dispatchBatch(needs: { database: Database; queue: JobQueue }): Promise<number> {
  return needs.database.transaction(async (tx) => {
    const { taken, rows } = await takeWaiting(tx, BATCH_ROWS);
    const changes = rows.filter((row) => !isLifecycle(changeOf(row.change)));
    const lifecycle = rows.filter((row) => isLifecycle(changeOf(row.change)));
    const looks = changes.length > 0 ? await withoutPendingLook(tx, changes) : [];
    if (looks.length > 0) await needs.queue.add(tx, mailChanged, looks.map(toChangeJob));
    if (lifecycle.length > 0)
      await needs.queue.add(tx, lifecycleEvent, lifecycle.map(toLifecycleJob));
    await setLastNotified(tx, newestBySubscription(changes));
    return taken;
  });
}

function newestBySubscription(rows: readonly WaitingNotification[]): Map<number, Date> {
  const newest = new Map<number, Date>();
  for (const row of rows) {
    const known = newest.get(row.subscription);
    if (known === undefined || known < row.receivedAt) newest.set(row.subscription, row.receivedAt);
  }
  return newest;
}

function toChangeJob(row: WaitingNotification): NewJob<ChangePayload> {
  return {
    subjectId: row.messageId,
    idempotencyKey: jobKeyOf(row.key),
    trace: row.trace,
    payload: {
      mailbox: row.mailbox,
      messageId: row.messageId,
      change: changeOf(row.change) as "created" | "updated" | "deleted",
      notifiedAt: row.receivedAt.toISOString(),
    },
  };
}

function toLifecycleJob(
  row: WaitingNotification,
): NewJob<(typeof lifecycleEvent)["payload"]["_output"]> {
  return {
    subjectId: String(row.mailbox),
    idempotencyKey: jobKeyOf(row.key),
    payload: {
      mailbox: row.mailbox,
      subscription: row.subscription,
      event: changeOf(row.change) as "missed" | "reauthorizationRequired" | "subscriptionRemoved",
      notifiedAt: row.receivedAt.toISOString(),
    },
  };
}
