/** Scheduled work: reading mailboxes, audits, removing old rows. */
import { handle, type JobHandler } from "../jobs/handler.ts";
import type { JobQueue } from "../jobs/job.ts";
import { excluded, type JobOutcome, outcomeOf, success } from "../jobs/outcome.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { forgetBefore } from "../mailbox/events/event-log.ts";
import { findMailboxes, type Mailbox } from "../mailbox/mailbox-table.ts";
import { removeNotificationsBefore } from "../mailbox/notifications/notification-table.ts";
import { removeSnapshotsBefore } from "../mailbox/notifications/snapshot-table.ts";
import { type AuditNeeds, auditMailbox } from "../mailbox/operating/audit-mailbox.ts";
import type { Database } from "../store/database.ts";
import { auditMailboxes, deltaSync, forgetOld, readMailboxes } from "./specs.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Graph repeats an unanswered notification for four hours; a week is ample for recognising repeats. */
const NOTIFICATIONS_KEPT_MS = 7 * DAY_MS;

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

export function auditHandler(
  needs: AuditNeeds & { readonly log: Log },
): JobHandler<(typeof auditMailboxes)["payload"]["_output"]> {
  return handle(auditMailboxes, async (job): Promise<JobOutcome> => {
    const { mailbox: wanted, repair } = job.payload;
    const mailboxes = (await findMailboxes(needs.database)).filter(
      (mailbox) => mailbox.status === "active" && (wanted === null || mailbox.id === wanted),
    );
    if (mailboxes.length === 0) return excluded("there is nothing to audit");
    const failures: unknown[] = [];
    for (const mailbox of mailboxes) {
      try {
        const { findings, ...report } = await auditMailbox(needs, mailbox, { since: null, repair });
        needs.log[findings.length === 0 ? "info" : "warn"](
          { ...report, findings: findings.length },
          "the log was compared with the mailbox",
        );
      } catch (error) {
        failures.push(error);
      }
    }
    return failures.length === 0
      ? success(`${mailboxes.length} mailboxes`)
      : outcomeOf(failures[0]);
  });
}

export function forgetOldHandler(needs: {
  readonly database: Database;
  readonly clock: Clock;
  readonly eventsKeptDays: number;
}): JobHandler<(typeof forgetOld)["payload"]["_output"]> {
  return handle(forgetOld, async (): Promise<JobOutcome> => {
    const nowMs = needs.clock.now();
    const notifications = await removeNotificationsBefore(
      needs.database,
      new Date(nowMs - NOTIFICATIONS_KEPT_MS),
    );
    const events = await forgetBefore(
      needs.database,
      new Date(nowMs - needs.eventsKeptDays * DAY_MS),
    );
    await removeSnapshotsBefore(needs.database, new Date(nowMs - DAY_MS));
    return success(`${events} events, ${notifications} notifications`);
  });
}
