/** Scheduled work: reading mailboxes, audits, removing old rows. */
import { handle, type JobHandler } from "../../jobs/handler.ts";
import type { JobQueue } from "../../jobs/job.ts";
import { excluded, type JobOutcome, success } from "../../jobs/outcome.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { forgetBefore } from "../../mailbox/events/event-log.ts";
import { findMailboxes, type Mailbox } from "../../mailbox/mailbox-table.ts";
import { removeNotificationsBefore } from "../../mailbox/notifications/notification-table.ts";
import { removeSnapshotsBefore } from "../../mailbox/notifications/snapshot-table.ts";
import { type AuditNeeds, auditMailbox } from "../../mailbox/operating/audit-mailbox.ts";
import {
  removeAuditPages,
  removeAuditPagesBefore,
} from "../../mailbox/operating/audit-page-table.ts";
import { removeOutboxBefore } from "../../sinks/sink-outbox-table.ts";
import type { Database } from "../../store/database.ts";
import { inBatches } from "../../store/in-batches.ts";
import { auditMailboxes, deltaSync, forgetOld, readMailboxes } from "../specs/watching.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Graph repeats an unanswered notification for four hours; a week is ample for recognising repeats. */
const NOTIFICATIONS_KEPT_MS = 7 * DAY_MS;

const REMOVED_AT_ONCE = 5_000;

export function readMailboxesHandler(needs: {
  readonly database: Database;
  readonly queue: () => JobQueue;
}): JobHandler<(typeof readMailboxes)["payload"]["_output"]> {
  return handle(readMailboxes, async (job, run): Promise<JobOutcome> => {
    const isWanted = (mailbox: Mailbox) =>
      mailbox.status !== "paused" && (job.payload.which === "all" || mailbox.delivery !== "push");
    const mailboxes = (await findMailboxes(needs.database)).filter(isWanted);
    await run.commit([job], (tx) =>
      needs.queue().add(
        tx,
        deltaSync,
        mailboxes.map((mailbox) => ({
          subjectId: String(mailbox.id),
          idempotencyKey: `delta-${mailbox.id}-${job.jobId}`,
          payload: { mailbox: mailbox.id, reason: "on schedule" },
        })),
      ),
    );
    return success(`${mailboxes.length} mailboxes`);
  });
}

/**
 * Adds one job per mailbox, so that a large mailbox delays no other and a failure repeats only its own audit.
 */
export function auditHandler(
  needs: AuditNeeds & { readonly log: Log; readonly queue: () => JobQueue },
): JobHandler<(typeof auditMailboxes)["payload"]["_output"]> {
  return handle(auditMailboxes, async (job, run): Promise<JobOutcome> => {
    const { mailbox: wanted, repair } = job.payload;
    const mailboxes = (await findMailboxes(needs.database)).filter(
      (mailbox) => mailbox.status === "active" && (wanted === null || mailbox.id === wanted),
    );
    if (mailboxes.length === 0) return excluded("there is nothing to audit");
    if (wanted === null) {
      await run.commit([job], (tx) =>
        needs.queue().add(
          tx,
          auditMailboxes,
          mailboxes.map(({ id }) => ({
            subjectId: String(id),
            idempotencyKey: `audit-${id}-${job.jobId}`,
            payload: { mailbox: id, repair },
          })),
        ),
      );
      return success(`${mailboxes.length} mailboxes`);
    }
    const options = { since: null, repair, onProgress: run.progress, jobId: job.jobId };
    const { findings, ...report } = await auditMailbox(needs, mailboxes[0]!, options);
    await run.commit([job], (tx) => removeAuditPages(tx, job.jobId));
    needs.log[findings.length === 0 ? "info" : "warn"](
      { ...report, findings: findings.length },
      "the log was compared with the mailbox",
    );
    return success(`${findings.length} findings`);
  });
}

export function forgetOldHandler(needs: {
  readonly database: Database;
  readonly clock: Clock;
  readonly eventsKeptDays: number;
}): JobHandler<(typeof forgetOld)["payload"]["_output"]> {
  return handle(forgetOld, async (_job, run): Promise<JobOutcome> => {
    const nowMs = needs.clock.now();
    const { database } = needs;
    const removeAll = (remove: (limit: number) => Promise<number>) =>
      inBatches(REMOVED_AT_ONCE, (limit) => {
        run.progress();
        return remove(limit);
      });
    const noRepeatsBefore = new Date(nowMs - NOTIFICATIONS_KEPT_MS);
    const notifications = await removeAll((limit) =>
      removeNotificationsBefore(database, noRepeatsBefore, limit),
    );
    const eventsBefore = new Date(nowMs - needs.eventsKeptDays * DAY_MS);
    const events = await forgetBefore(database, eventsBefore, run.progress);
    await removeAll((limit) => removeSnapshotsBefore(database, new Date(nowMs - DAY_MS), limit));
    await removeAll((limit) => removeAuditPagesBefore(database, noRepeatsBefore, limit));
    await removeAll((limit) => removeOutboxBefore(database, eventsBefore, limit));
    return success(`${events} events, ${notifications} notifications`);
  });
}
