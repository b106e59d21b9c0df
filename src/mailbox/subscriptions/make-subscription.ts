/** Creates, renews, replaces and ends one mailbox's subscription, and learns from Graph's refusals. */
import type { Clock } from "../../lib/clock.ts";
import { sha256 } from "../../lib/hash.ts";
import { killPoint } from "../../lib/kill-points.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { GraphClient } from "../../microsoft/graph/graph-client.ts";
import { GraphApiError } from "../../microsoft/graph/graph-fault.ts";
import type { Database } from "../../store/database.ts";
import { type Mailbox, setMailboxDelivery, setSubscriptionMinutesMax } from "../mailbox-table.ts";
import type { Mirror } from "../mirror.ts";
import {
  createSubscription,
  deleteSubscription,
  isNotFound,
  listSubscriptions,
  renewSubscription,
} from "./graph-subscriptions.ts";
import { expectHandshakes } from "./subscribing.ts";
import {
  type EncryptionCertificate,
  isSameResource,
  nextShorterLifetime,
  RICH_SUBSCRIPTION_MINUTES_MAX,
  type SubscriptionInfo,
  type SubscriptionRequest,
} from "./subscription.ts";
import {
  activate,
  insertPending,
  markRemoved,
  markRenewed,
  removePending,
  type SubscriptionRow,
} from "./subscription-table.ts";

export interface SubscriptionNeeds {
  readonly database: Database;
  readonly graphOf: (mailbox: Mailbox) => GraphClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Null if there is no public address; then all mail is read by delta. */
  readonly webhookUrl: string | null;
  readonly lifetimeMinutes: number;
  /** The secret from the settings, for mailboxes that are only ingested. */
  readonly sharedSecret: string | null;
  /** Why the public address does not answer; null if it does. Absent if this cannot be checked. */
  readonly whyUnreachable?: () => Promise<string | null>;
  /** Present if notifications are to carry the message's properties, encrypted for this key. */
  readonly encryption?: () => Promise<EncryptionCertificate | null>;
  /** Called if something may have been missed: reads the mailbox. */
  readonly readNow: (mailbox: Mailbox, reason: string) => Promise<void>;
  /** Makes intake accept a new secret. */
  readonly refreshDirectory: () => Promise<void>;
  /** Forgets a mailbox that is removed. */
  readonly mirror?: Mirror;
}

/**
 * The secret's hash is stored before Graph is called, so a notification that overtakes Graph's answer
 * is recognised. Notifications of the previous subscription are still accepted for a while.
 */
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
    certificateId: wanted.encryption?.id ?? null,
  });
  await needs.refreshDirectory();
  await killPoint("subscription.pending-committed");
  const granted = await requestUntilGranted(needs, mailbox, wanted, clientState, pending);
  await killPoint("subscription.created");
  await activate(needs.database, pending, granted);
  await killPoint("subscription.activated");
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
  const ask = () =>
    withLearnedLifetime(needs, mailbox, wanted, async (expirationMinutes) => {
      await killPoint("subscription.create-sent");
      return createSubscription(graphNeeds(needs, mailbox), {
        ...wanted,
        clientState,
        expirationMinutes,
      });
    });
  try {
    return await ask().catch(async (error: unknown) => {
      if (!(error instanceof GraphApiError) || error.status !== 409) throw error;
      await removeTwins(needs, mailbox, wanted);
      return ask();
    });
  } catch (error) {
    // Only a clear refusal frees the secret: after a lost answer the subscription may exist.
    if (error instanceof GraphApiError && error.status < 500)
      await removePending(needs.database, pending);
    throw error;
  }
}

/**
 * Graph has changed its limit more than once, so after a refusal this tries shorter lifetimes and keeps the
 * one granted.
 */
async function withLearnedLifetime(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  wanted: SubscriptionRequest,
  ask: (minutes: number) => Promise<SubscriptionInfo>,
): Promise<SubscriptionInfo> {
  let minutes = lifetimeOf(needs, mailbox, wanted);
  for (;;) {
    try {
      const wantedMinutes = minutes;
      return await expectHandshakes(needs.database, String(mailbox.id), () => ask(wantedMinutes));
    } catch (error) {
      const shorter = isLifetimeRefusal(error) ? nextShorterLifetime(minutes) : null;
      if (shorter === null) throw error;
      minutes = shorter;
      await setSubscriptionMinutesMax(needs.database, mailbox.id, minutes);
    }
  }
}

/** Graph refuses a second subscription on the same resource, so the unknown one is deleted. */
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
 * Renews at once, which also reauthorizes: the two must not be sent separately within ten minutes.
 * A subscription that Graph no longer has, or will not renew, is created again.
 */
export async function renew(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  wanted: SubscriptionRequest,
  active: SubscriptionRow,
): Promise<"renewed" | "recreated"> {
  try {
    const granted = await withLearnedLifetime(needs, mailbox, wanted, (minutes) =>
      renewSubscription(
        graphNeeds(needs, mailbox),
        active.subscriptionId!,
        minutes,
        wanted.encryption,
      ),
    );
    await killPoint("subscription.renewal-sent");
    await markRenewed(needs.database, active.id, granted, wanted.encryption?.id ?? null);
    await killPoint("subscription.expiry-stored");
    return "renewed";
  } catch (error) {
    if (isNotFound(error)) {
      await markRemoved(needs.database, active.id);
      await create(needs, mailbox, wanted);
    } else if (isRefusal(error)) await replace(needs, mailbox, wanted, active);
    else throw error;
    return "recreated";
  }
}

/** Creates the successor, then ends the old one; if Graph allows only one, the old one ends first. */
export async function replace(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  wanted: SubscriptionRequest,
  old: SubscriptionRow,
): Promise<void> {
  await create(needs, mailbox, wanted);
  await retire(needs, mailbox, old);
}

/** Ends a subscription at Graph; its late notifications are accepted for a while. */
export async function retire(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  old: SubscriptionRow,
): Promise<void> {
  if (old.subscriptionId !== null)
    await deleteSubscription(graphNeeds(needs, mailbox), old.subscriptionId);
  await markRemoved(needs.database, old.id);
  await needs.refreshDirectory();
}

export function graphNeeds(needs: SubscriptionNeeds, mailbox: Mailbox) {
  return { graph: needs.graphOf(mailbox), now: needs.clock.now };
}

export function lifetimeOf(
  needs: SubscriptionNeeds,
  mailbox: Mailbox,
  wanted: SubscriptionRequest,
): number {
  return Math.min(
    needs.lifetimeMinutes,
    mailbox.subscriptionMinutesMax ?? Number.POSITIVE_INFINITY,
    wanted.encryption === undefined ? Number.POSITIVE_INFINITY : RICH_SUBSCRIPTION_MINUTES_MAX,
  );
}

function isLifetimeRefusal(error: unknown): boolean {
  return (
    error instanceof GraphApiError && error.status === 400 && error.graphCode === "ExtensionError"
  );
}

/** Whether Graph refused, rather than being busy, down or unreachable. */
function isRefusal(error: unknown): boolean {
  return error instanceof GraphApiError && error.code === "graph.rejected";
}
