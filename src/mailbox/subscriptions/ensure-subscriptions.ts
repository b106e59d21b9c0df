/**
 * Gives every mailbox the one subscription that it should have. Safe to run at any time, and twice: at
 * start, on a schedule, after a lifecycle notice. After any possible gap the mailbox is read by delta,
 * because a new subscription says nothing about what happened before it.
 */
import { Fault, toFault } from "../../lib/fault.ts";
import { explainRefusal } from "../explain-refusal.ts";
import { findMailboxes, type Mailbox, setMailboxDelivery } from "../mailbox-table.ts";
import {
  create,
  lifetimeOf,
  renew,
  replace,
  retire,
  type SubscriptionNeeds,
} from "./make-subscription.ts";
import { reconcile } from "./reconcile-subscriptions.ts";
import { whileSubscribing } from "./subscribing.ts";
import { needsRenewal, type SubscriptionRequest, subscriptionFor } from "./subscription.ts";
import {
  findSubscriptions,
  getActiveSubscription,
  markExpired,
  recordSubscriptionError,
  type SubscriptionRow,
} from "./subscription-table.ts";

export type { SubscriptionNeeds } from "./make-subscription.ts";

export type EnsureResult =
  | "kept"
  | "renewed"
  | "created"
  | "recreated"
  | "failed"
  /** Another process is working on it. */
  | "in-progress"
  | "nothing-to-do"
  | "no-webhook-url";

export interface EnsureReport {
  readonly mailbox: string;
  readonly result: EnsureResult;
  readonly error?: string;
}

export interface EnsureOptions {
  /** If false, asks Graph only to create or renew, not for its whole list. */
  readonly lists?: boolean;
  /** Renews every subscription that was last renewed before this time. */
  readonly renewBefore?: Date;
  /** Creates every subscription again with a new secret; the old secret is accepted in the meantime. */
  readonly rotates?: boolean;
}

export async function ensureSubscriptions(
  needs: SubscriptionNeeds,
  onlyMailboxId?: number,
  options: EnsureOptions = {},
): Promise<EnsureReport[]> {
  const mailboxes = (await findMailboxes(needs.database)).filter(
    (mailbox) =>
      mailbox.status === "active" && (onlyMailboxId === undefined || mailbox.id === onlyMailboxId),
  );
  if (needs.webhookUrl !== null && (await isListWanted(needs, options)))
    await reconcile(needs, mailboxes);
  const reports: EnsureReport[] = [];
  for (const mailbox of mailboxes) {
    const report = await whileSubscribing(needs, String(mailbox.id), () =>
      ensureOne(needs, mailbox, options),
    );
    reports.push(report ?? { mailbox: mailbox.address, result: "in-progress" });
  }
  return reports;
}

/** A pending row may belong to a subscription that Graph created although its answer never arrived. */
async function isListWanted(needs: SubscriptionNeeds, options: EnsureOptions): Promise<boolean> {
  if (options.lists !== false) return true;
  return (await findSubscriptions(needs.database)).some((row) => row.status === "pending");
}

async function ensureOne(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  options: EnsureOptions,
): Promise<EnsureReport> {
  const report = (result: EnsureResult, error?: string): EnsureReport => ({
    mailbox: mailbox.address,
    result,
    ...(error === undefined ? {} : { error }),
  });
  const { webhookUrl, database } = needs;
  if (webhookUrl === null) {
    await setMailboxDelivery(database, mailbox.id, "delta", "no public webhook address is set");
    return report("no-webhook-url");
  }
  const encryption = (await needs.encryption?.()) ?? null;
  const wanted = subscriptionFor(mailbox, webhookUrl, encryption);
  if (wanted === null) return report("nothing-to-do");
  const active = await getActiveSubscription(database, mailbox.id, wanted.resource);
  try {
    const result = await createOrRenew(needs, mailbox, wanted, active, options);
    await retireOthers(needs, mailbox, wanted);
    return report(result);
  } catch (error) {
    const reason = explainRefusal(error);
    needs.log[active === null ? "error" : "warn"](
      { err: error, mailbox: mailbox.address, reason },
      "the subscription could not be made or renewed; the next check tries again",
    );
    if (active !== null) await recordSubscriptionError(database, active.id, toFault(error).message);
    else await setMailboxDelivery(database, mailbox.id, "delta", `no subscription: ${reason}`);
    return report("failed", reason);
  }
}

async function createOrRenew(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  wanted: SubscriptionRequest,
  active: SubscriptionRow | null,
  options: EnsureOptions,
): Promise<EnsureResult> {
  const now = new Date(needs.clock.now());
  const hasExpired = active !== null && (active.expiresAt === null || active.expiresAt <= now);
  if (active === null || hasExpired) {
    const reason = (await needs.whyUnreachable?.()) ?? null;
    if (reason !== null) throw new Fault("graph.unavailable", `endpoint unreachable: ${reason}`);
    if (active !== null) await markExpired(needs.database, active.id);
    await create(needs, mailbox, wanted);
    return active === null ? "created" : "recreated";
  }
  if (options.rotates || !isAsWanted(active, wanted)) {
    await replace(needs, mailbox, wanted, active);
    return "recreated";
  }
  const isAsked =
    options.renewBefore !== undefined &&
    (active.lastRenewedAt ?? active.createdAt) < options.renewBefore;
  const hasOldKey = active.certificateId !== (wanted.encryption?.id ?? null);
  const isDue = needsRenewal(active.expiresAt!, lifetimeOf(needs, mailbox, wanted), now);
  return isAsked || hasOldKey || isDue ? renew(needs, mailbox, wanted, active) : "kept";
}

/** Graph can neither add a lifecycle address later nor change the resource of a subscription. */
function isAsWanted(active: SubscriptionRow, wanted: SubscriptionRequest): boolean {
  return (
    active.lifecycleUrl === wanted.lifecycleUrl &&
    active.notificationUrl === wanted.notificationUrl &&
    active.changeType === wanted.changeType
  );
}

/** Ends subscriptions that an earlier configuration of the mailbox created. */
async function retireOthers(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  wanted: SubscriptionRequest,
): Promise<void> {
  for (const row of await findSubscriptions(needs.database, mailbox.id)) {
    if (row.status === "active" && row.resource !== wanted.resource)
      await retire(needs, mailbox, row);
  }
}
