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
const BATCH = 500;
/**
 * While intake is busy, the pause after a batch is this many times as long as the batch took, so jobs get a
 * tenth of the time until the burst is over.
 */
const REST = 9;

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
  door?: { readonly isBusy: () => boolean; readonly clock: Clock };
}): Dispatcher {
  let running: Promise<number> | null = null;
  let isWanted = false;

  const restIfBusy = async (sinceMs: number): Promise<void> => {
    if (needs.door?.isBusy() !== true) return;
    await needs.door.clock.sleep((needs.door.clock.now() - sinceMs) * REST);
  };

  const drain = async (): Promise<number> => {
    let total = 0;
    do {
      isWanted = false;
      for (let count = BATCH; count === BATCH; total += count) {
        const startedMs = needs.door?.clock.now() ?? 0;
        count = await dispatchSome(needs);
        await restIfBusy(startedMs);
      }
    } while (isWanted);
    return total;
  };

  const run = (): Promise<number> => {
    if (running !== null) {
      isWanted = true;
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

async function dispatchSome(needs: { database: Database; queue: JobQueue }): Promise<number> {
  return needs.database.transaction(async (tx) => {
    const { taken, rows } = await takeWaiting(tx, BATCH);
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
