/** Handles lifecycle notices about subscriptions, and the scheduled check of all subscriptions. */
import { handle, type JobHandler } from "../../jobs/handler.ts";
import { excluded, failure, type JobOutcome, success } from "../../jobs/outcome.ts";
import { getMailbox } from "../../mailbox/mailbox-table.ts";
import {
  ensureSubscriptions,
  type SubscriptionNeeds,
} from "../../mailbox/subscriptions/ensure-subscriptions.ts";
import { findSubscriptions, markRemoved } from "../../mailbox/subscriptions/subscription-table.ts";
import { ensureSubscriptionsJob, lifecycleEvent } from "../specs/watching.ts";

const IN_PROGRESS_RETRY_MS = 5_000;

type Payload = (typeof lifecycleEvent)["payload"]["_output"];

export function lifecycleHandler(needs: SubscriptionNeeds): JobHandler<Payload> {
  return handle(lifecycleEvent, async (job): Promise<JobOutcome> => {
    const { event, notifiedAt } = job.payload;
    const mailbox = await getMailbox(needs.database, job.payload.mailbox);
    if (mailbox === null || needs.webhookUrl === null)
      return excluded("the mailbox is no longer subscribed");
    const subscription = (await findSubscriptions(needs.database, mailbox.id)).find(
      (other) => other.id === job.payload.subscription,
    );
    needs.log.warn(
      {
        lifecycleEvent: event,
        mailbox: mailbox.address,
        from: subscription?.lastNotificationAt ?? subscription?.createdAt ?? null,
        to: notifiedAt,
      },
      `Graph says ${event}`,
    );
    if (event === "missed") {
      await needs.readNow(mailbox, "Graph says that notifications were missed");
      return success(event);
    }
    if (
      event === "subscriptionRemoved" &&
      (subscription?.status === "active" || subscription?.status === "pending")
    )
      await markRemoved(needs.database, subscription.id);
    return restoreSubscription(needs, mailbox.id, event, new Date(notifiedAt));
  });
}

/**
 * Several notices may come within a minute: the second job finds the subscription already renewed, or
 * waits for the process that is renewing it.
 */
async function restoreSubscription(
  needs: SubscriptionNeeds,
  mailbox: number,
  event: Payload["event"],
  notifiedAt: Date,
): Promise<JobOutcome> {
  const [report] = await ensureSubscriptions(needs, mailbox, {
    lists: false,
    ...(event === "reauthorizationRequired" ? { renewBefore: notifiedAt } : {}),
  });
  if (report === undefined) return excluded("the mailbox is paused or cannot be read");
  if (report.result === "in-progress")
    return failure("job.busy", "another process is working on this subscription", {
      countsAsAttempt: false,
      retryAfterMs: IN_PROGRESS_RETRY_MS,
    });
  if (report.result === "failed")
    return failure("graph.unavailable", report.error ?? "the subscription could not be made");
  return success(`${event}: ${report.result}`);
}

/** Only the two-hourly run and the one at start ask Graph for its whole list. */
const LISTING_REASONS = new Set(["renewal", "start"]);

export function ensureSubscriptionsHandler(
  needs: SubscriptionNeeds,
): JobHandler<(typeof ensureSubscriptionsJob)["payload"]["_output"]> {
  return handle(ensureSubscriptionsJob, async (job): Promise<JobOutcome> => {
    const reports = await ensureSubscriptions(needs, undefined, {
      lists: LISTING_REASONS.has(job.payload.reason),
    });
    const counts: Record<string, number> = {};
    for (const { result } of reports) counts[result] = (counts[result] ?? 0) + 1;
    needs.log.info(
      { job: "graph_subscription_renewal", reason: job.payload.reason, counts },
      "subscriptions checked",
    );
    const parts = Object.entries(counts).map(([result, count]) => `${count} ${result}`);
    return success(parts.join(", ") || "no mailboxes");
  });
}
