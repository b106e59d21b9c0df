/** What Graph says about a subscription itself, and what we do about it. */
import { handle, type JobHandler } from "../jobs/handler.ts";
import { excluded, type JobOutcome, success } from "../jobs/outcome.ts";
import {
  create,
  ensureSubscriptions,
  renew,
  type SubscriptionNeeds,
} from "../mailbox/ensure-subscriptions.ts";
import { getMailbox, type Mailbox } from "../mailbox/mailbox-table.ts";
import { type SubscriptionRequest, subscriptionFor } from "../mailbox/subscription.ts";
import {
  findSubscriptions,
  getActiveSubscription,
  markRemoved,
  type SubscriptionRow,
} from "../mailbox/subscription-table.ts";
import { ensureSubscriptionsJob, lifecycleEvent } from "./specs.ts";

type Payload = (typeof lifecycleEvent)["payload"]["_output"];

export function lifecycleHandler(needs: SubscriptionNeeds): JobHandler<Payload> {
  return handle(lifecycleEvent, async (job): Promise<JobOutcome> => {
    const { event, notifiedAt } = job.payload;
    const mailbox = await getMailbox(needs.database, job.payload.mailbox);
    if (mailbox === null || needs.webhookUrl === null)
      return excluded("the mailbox is no longer subscribed");
    const row = (await findSubscriptions(needs.database)).find(
      (other) => other.id === job.payload.subscription,
    );
    needs.log.warn(
      {
        lifecycleEvent: event,
        mailbox: mailbox.address,
        from: mailbox.lastEventAt,
        to: notifiedAt,
      },
      `Graph says ${event}`,
    );
    const wanted = subscriptionFor(mailbox, needs.webhookUrl);
    if (event === "subscriptionRemoved" && row !== undefined)
      await replace(needs, mailbox, wanted, row);
    if (event === "reauthorizationRequired" && wanted !== null)
      await reauthorize(needs, mailbox, wanted);
    if (event === "missed")
      await needs.readNow(mailbox, "Graph says that notifications were missed");
    return success(event);
  });
}

async function replace(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  wanted: SubscriptionRequest | null,
  removed: SubscriptionRow,
): Promise<void> {
  if (removed.status === "active" || removed.status === "pending")
    await markRemoved(needs.database, removed.id);
  if (
    wanted === null ||
    (await getActiveSubscription(needs.database, mailbox.id, wanted.resource)) !== null
  )
    return;
  await create(needs, mailbox, wanted);
}

/** One PATCH renews and reauthorizes; the two must not be sent separately within ten minutes. */
async function reauthorize(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  wanted: SubscriptionRequest,
): Promise<void> {
  const active = await getActiveSubscription(needs.database, mailbox.id, wanted.resource);
  if (active === null) await create(needs, mailbox, wanted);
  else await renew(needs, mailbox, wanted, active);
}

export function ensureSubscriptionsHandler(
  needs: SubscriptionNeeds,
): JobHandler<(typeof ensureSubscriptionsJob)["payload"]["_output"]> {
  return handle(ensureSubscriptionsJob, async (): Promise<JobOutcome> => {
    const reports = await ensureSubscriptions(needs);
    if (reports === null) return excluded("another process is at it");
    const failed = reports.filter((report) => report.result === "failed");
    needs.log.info({ job: "graph_subscription_renewal", reports }, "subscriptions checked");
    return success(`${reports.length} mailboxes, ${failed.length} failed`);
  });
}
