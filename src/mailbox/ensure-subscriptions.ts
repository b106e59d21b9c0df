/**
 * Brings every mailbox to the one subscription it should have. Safe to run at any time and twice: at
 * start, on a schedule, after a lifecycle notice. Whatever may have opened a gap is followed by a
 * delta walk, since a new subscription says nothing about what happened before it.
 */
import type { Clock } from "../lib/clock.ts";
import { toFault } from "../lib/fault.ts";
import { fault } from "../lib/fault-points.ts";
import { sha256 } from "../lib/hash.ts";
import type { Log } from "../lib/log.ts";
import type { Random } from "../lib/random.ts";
import type { GraphClient } from "../microsoft/graph/graph-client.ts";
import { GraphApiError } from "../microsoft/graph/graph-fault.ts";
import type { Database } from "../store/database.ts";
import { withLease } from "../store/lease.ts";
import {
  createSubscription,
  deleteSubscription,
  isNotFound,
  listSubscriptions,
  renewSubscription,
} from "./graph-subscriptions.ts";
import { findMailboxes, type Mailbox, setMailboxDelivery } from "./mailbox-table.ts";
import {
  needsRenewal,
  nextShorterLifetime,
  type SubscriptionInfo,
  type SubscriptionRequest,
  subscriptionFor,
} from "./subscription.ts";
import {
  activate,
  findSubscriptions,
  getActiveSubscription,
  insertPending,
  markExpired,
  markRemoved,
  markRenewed,
  recordSubscriptionError,
  removePending,
  type SubscriptionRow,
} from "./subscription-table.ts";

export interface SubscriptionNeeds {
  readonly database: Database;
  readonly graphOf: (mailbox: Mailbox) => GraphClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Null: no public address; everything works by delta. */
  readonly webhookUrl: string | null;
  readonly lifetimeMinutes: number;
  /** The secret from the settings, used for subscriptions that only ingest. */
  readonly sharedSecret: string | null;
  /** Something may have been missed: read the mailbox. */
  readonly readNow: (mailbox: Mailbox, reason: string) => Promise<void>;
  /** Tells the door that a secret is new. */
  readonly refreshDirectory: () => Promise<void>;
}

export type EnsureResult =
  | "kept"
  | "renewed"
  | "created"
  | "recreated"
  | "failed"
  | "nothing-to-do"
  | "no-webhook-url";

export interface EnsureReport {
  readonly mailbox: string;
  readonly result: EnsureResult;
  readonly error?: string;
}

/** Null when another process is at it. */
export async function ensureSubscriptions(
  needs: SubscriptionNeeds,
  only?: number,
): Promise<EnsureReport[] | null> {
  return withLease(needs, "ensure-subscriptions", 120, async () => {
    const mailboxes = (await findMailboxes(needs.database)).filter(
      (mailbox) => mailbox.status === "active" && (only === undefined || mailbox.id === only),
    );
    if (needs.webhookUrl !== null) await reconcile(needs, mailboxes);
    const reports: EnsureReport[] = [];
    for (const mailbox of mailboxes) reports.push(await ensureOne(needs, mailbox));
    return reports;
  });
}

async function ensureOne(needs: SubscriptionNeeds, mailbox: Mailbox): Promise<EnsureReport> {
  const report = (result: EnsureResult, error?: string): EnsureReport =>
    error === undefined
      ? { mailbox: mailbox.address, result }
      : { mailbox: mailbox.address, result, error };
  if (needs.webhookUrl === null) {
    await setMailboxDelivery(
      needs.database,
      mailbox.id,
      "delta",
      "no public webhook address is set",
    );
    return report("no-webhook-url");
  }
  const wanted = subscriptionFor(mailbox, needs.webhookUrl);
  if (wanted === null) return report("nothing-to-do");
  const active = await getActiveSubscription(needs.database, mailbox.id, wanted.resource);
  try {
    if (active === null) {
      await create(needs, mailbox, wanted);
      return report("created");
    }
    return report(await keep(needs, mailbox, wanted, active));
  } catch (error) {
    const { message } = toFault(error);
    needs.log.warn(
      { err: error, mailbox: mailbox.address },
      "the subscription could not be made or renewed; the next check tries again",
    );
    if (active !== null) await recordSubscriptionError(needs.database, active.id, message);
    await setMailboxDelivery(
      needs.database,
      mailbox.id,
      "delta",
      `no subscription: ${explain(error)}`,
    );
    return report("failed", explain(error));
  }
}

async function keep(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  wanted: SubscriptionRequest,
  active: SubscriptionRow,
): Promise<EnsureResult> {
  const now = new Date(needs.clock.now());
  const hasExpired = active.expiresAt === null || active.expiresAt <= now;
  // Graph cannot add a lifecycle address later, so one without it is made anew.
  if (hasExpired || active.lifecycleUrl === null) {
    await markExpired(needs.database, active.id);
    if (!hasExpired) await deleteSubscription(graphNeeds(needs, mailbox), active.subscriptionId!);
    await create(needs, mailbox, wanted);
    return "recreated";
  }
  if (!needsRenewal(active.expiresAt!, lifetimeOf(needs, mailbox), now)) return "kept";
  return renew(needs, mailbox, wanted, active);
}

/** Renews at once; what Graph no longer has is made anew. */
export async function renew(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  wanted: SubscriptionRequest,
  active: SubscriptionRow,
): Promise<EnsureResult> {
  try {
    const info = await renewSubscription(
      graphNeeds(needs, mailbox),
      active.subscriptionId!,
      lifetimeOf(needs, mailbox),
    );
    fault("B6");
    await markRenewed(needs.database, active.id, info);
    fault("B7");
    return "renewed";
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await markRemoved(needs.database, active.id);
    await create(needs, mailbox, wanted);
    return "recreated";
  }
}

export async function create(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  wanted: SubscriptionRequest,
): Promise<void> {
  const isIngestionOnly = wanted.changeType === "created";
  const clientState =
    isIngestionOnly && needs.sharedSecret !== null
      ? needs.sharedSecret
      : needs.random.bytes(32).toString("base64url");
  const pending = await insertPending(needs.database, {
    mailbox: mailbox.id,
    resource: wanted.resource,
    changeType: wanted.changeType,
    secretHash: sha256(clientState),
  });
  await needs.refreshDirectory();
  fault("B1");
  const info = await requestUntilGranted(needs, mailbox, wanted, clientState, pending);
  fault("B4");
  await activate(needs.database, pending, info);
  fault("B5");
  await needs.refreshDirectory();
  await setMailboxDelivery(needs.database, mailbox.id, "push", "subscribed");
  await needs.readNow(mailbox, "a new subscription says nothing about what came before it");
}

async function requestUntilGranted(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  wanted: SubscriptionRequest,
  clientState: string,
  pending: number,
): Promise<SubscriptionInfo> {
  let minutes = lifetimeOf(needs, mailbox);
  let mayClear = true;
  for (;;) {
    try {
      fault("B2");
      return await createSubscription(graphNeeds(needs, mailbox), {
        ...wanted,
        clientState,
        expirationMinutes: minutes,
      });
    } catch (error) {
      const shorter = nextShorterLifetime(minutes);
      if (isLifetimeRefusal(error) && shorter !== null) {
        minutes = shorter;
        await needs.database.query(
          "UPDATE postroom.mailbox SET subscription_minutes_max = $2 WHERE id = $1",
          [mailbox.id, minutes],
        );
        continue;
      }
      if (error instanceof GraphApiError && error.status === 409 && mayClear) {
        mayClear = false;
        await removeTwins(needs, mailbox, wanted);
        continue;
      }
      // Only a clear no frees the secret; after a lost answer Graph may have made it all the same.
      if (error instanceof GraphApiError && error.status < 500)
        await removePending(needs.database, pending);
      throw error;
    }
  }
}

/** Graph refuses a second subscription on the same thing; the one we do not know must go. */
async function removeTwins(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  wanted: SubscriptionRequest,
): Promise<void> {
  const graph = graphNeeds(needs, mailbox);
  for (const other of await listSubscriptions(graph)) {
    if (isSameResource(other.resource, wanted.resource)) await deleteSubscription(graph, other.id);
  }
}

/**
 * Compares Graph's list with ours. One that points at us and that we do not know is adopted when a
 * pending row waits for it (we crashed before its answer came), and deleted otherwise. One that we
 * think active and Graph does not have is marked removed, and made anew afterwards.
 */
async function reconcile(needs: SubscriptionNeeds, mailboxes: readonly Mailbox[]): Promise<void> {
  for (const connection of new Set(mailboxes.map((mailbox) => mailbox.connection))) {
    try {
      await reconcileConnection(
        needs,
        mailboxes.filter((mailbox) => mailbox.connection === connection),
      );
    } catch (error) {
      needs.log.warn({ err: error, connection }, "subscriptions could not be listed");
    }
  }
}

async function reconcileConnection(
  needs: SubscriptionNeeds,
  mailboxes: readonly Mailbox[],
): Promise<void> {
  const graph = graphNeeds(needs, mailboxes[0]!);
  const mailboxOf = new Map(mailboxes.map((mailbox) => [mailbox.id, mailbox]));
  const atGraph = await listSubscriptions(graph);
  const ours = await findSubscriptions(needs.database);
  const known = new Map(ours.map((row) => [row.subscriptionId, row]));
  for (const info of atGraph) {
    if (!info.notificationUrl.startsWith(`${needs.webhookUrl}/`)) continue;
    const row = known.get(info.id);
    if (row?.status === "active") continue;
    const waiting = ours.find(
      (other) => other.status === "pending" && isSameResource(other.resource, info.resource),
    );
    const mailbox = waiting === undefined ? undefined : mailboxOf.get(waiting.mailbox);
    if (row === undefined && waiting !== undefined && mailbox !== undefined) {
      await activate(needs.database, waiting.id, info);
      await needs.refreshDirectory();
      await needs.readNow(mailbox, "a subscription was found that a crash had left unrecorded");
    } else if (mailboxes.some((own) => isUnder(info.resource, own))) {
      await deleteSubscription(graph, info.id);
    }
  }
  const present = new Set(atGraph.map((info) => info.id));
  for (const row of ours) {
    const isLost = row.status === "active" && !present.has(row.subscriptionId!);
    if (isLost && mailboxOf.has(row.mailbox)) await markRemoved(needs.database, row.id);
  }
}

/** Only what concerns our own mailboxes is ours to delete. */
function isUnder(resource: string, mailbox: Mailbox): boolean {
  const user = /^\/?users\/([^/]+)/i.exec(resource)?.[1]?.toLowerCase();
  return user === mailbox.graphUserId?.toLowerCase() || user === mailbox.address;
}

function graphNeeds(needs: SubscriptionNeeds, mailbox: Mailbox) {
  return { graph: needs.graphOf(mailbox), now: needs.clock.now };
}

function lifetimeOf(needs: SubscriptionNeeds, mailbox: Mailbox): number {
  return Math.min(
    needs.lifetimeMinutes,
    mailbox.subscriptionMinutesMax ?? Number.POSITIVE_INFINITY,
  );
}

function isLifetimeRefusal(error: unknown): boolean {
  return (
    error instanceof GraphApiError && error.status === 400 && error.graphCode === "ExtensionError"
  );
}

function isSameResource(one: string, other: string): boolean {
  const plain = (resource: string) => resource.replace(/^\//, "").toLowerCase();
  return plain(one) === plain(other);
}

/** What an operator should look at first. */
function explain(error: unknown): string {
  if (
    error instanceof GraphApiError &&
    error.status === 400 &&
    /validation request/i.test(error.body)
  ) {
    return "Graph could not reach our public address (endpoint unreachable)";
  }
  return toFault(error).message;
}
