/**
 * One pending look per message. A look that has not begun sees everything that was notified before it begins, so
 * further notifications about the same message need no job of their own: a storm of updates costs one read per
 * message. A notification that carried its message's properties keeps its own job, because that job reads nothing.
 */
import { lockPending } from "../../jobs/job-table.ts";
import { CHANGES } from "../../mailbox/notifications/notification.ts";
import type { WaitingNotification } from "../../mailbox/notifications/notification-table.ts";
import { findKeysWithSnapshot } from "../../mailbox/notifications/snapshot-table.ts";
import type { Transaction } from "../../store/database.ts";
import { type ChangePayload, mailChanged } from "../specs/watching.ts";

const JOB_KEY = "notification-";

/** The key of the job that is made from a notification. */
export const jobKeyOf = (notification: string): string => `${JOB_KEY}${notification}`;
/** The notification that a job was made from. */
export const notificationOf = (jobKey: string): string => jobKey.slice(JOB_KEY.length);

/** The notifications that need a look which is not pending yet. */
export async function withoutPendingLook(
  tx: Transaction,
  rows: readonly WaitingNotification[],
): Promise<WaitingNotification[]> {
  const messageIds = [...new Set(rows.map((row) => row.messageId))];
  const pending = await lockPending<ChangePayload>(tx, mailChanged.type, messageIds);
  const keys = [...pending.map((job) => notificationOf(job.key)), ...rows.map((row) => row.key)];
  const withSnapshot = await findKeysWithSnapshot(tx, keys);
  const looks = new Set(
    pending
      .filter((job) => !withSnapshot.has(notificationOf(job.key)))
      .map(({ payload }) => lookOf(payload.mailbox, payload.messageId, CHANGES[payload.change])),
  );
  return rows.filter(({ key, mailbox, messageId, change }) => {
    if (withSnapshot.has(key) || messageId === "") return true;
    // A look at a new message also shows its later changes. The reverse would make new mail wait behind
    // changes.
    const covering = change === CHANGES.updated ? [CHANGES.created, CHANGES.updated] : [change];
    if (covering.some((other) => looks.has(lookOf(mailbox, messageId, other)))) return false;
    looks.add(lookOf(mailbox, messageId, change));
    return true;
  });
}

const lookOf = (mailbox: number, messageId: string, change: number): string =>
  `${mailbox}|${change}|${messageId}`;
