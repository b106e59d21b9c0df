/** Creates a subscription: checks the request and the caller's rights, and performs the handshakes. */
import type { TenantContext } from "../../context.ts";
import type { Random } from "../../random.ts";
import type { AccessPolicies } from "../call/access.ts";
import { checkMailAccess } from "../call/access.ts";
import type { GraphCall } from "../call/graph-call.ts";
import { contextUrl, json, readJson } from "../call/graph-call.ts";
import { GraphProblem } from "../call/graph-error.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import type { Throttle } from "../call/throttle.ts";
import type { MailStore } from "../mailbox/mail-store.ts";
import { shakeHands } from "./handshake.ts";
import * as input from "./subscription-input.ts";
import type { Subscription, SubscriptionTarget } from "./subscription-model.ts";
import { showSubscription } from "./subscription-model.ts";
import { parseResource } from "./subscription-resource.ts";
import type { Subscriptions } from "./subscriptions.ts";

export interface SubscriptionWorld {
  readonly context: TenantContext;
  readonly random: Random;
  readonly store: MailStore;
  readonly policies: AccessPolicies;
  readonly subscriptions: Subscriptions;
  readonly throttle: Throttle;
  /** Sends a first delivery that arrives before the response to the subscriber. */
  notifyEarly(subscription: Subscription): Promise<void>;
  /** Opens an event hub with the first message that Graph sends there. */
  greetHub(url: string): void;
  /** Releases items that were held while the service's token had expired. */
  release(subscription: Subscription): void;
}

const PER_MAILBOX_MAX = 1000;

export async function createSubscription(world: SubscriptionWorld, call: GraphCall) {
  const body = readJson(call.request);
  input.checkNames(body);
  const subscription = toSubscription(world, call, body);
  checkQuota(world, subscription);
  checkDuplicate(world, subscription);
  await validateUrl(world, subscription.notificationUrl);
  if (subscription.lifecycleNotificationUrl !== null) {
    await validateUrl(world, subscription.lifecycleNotificationUrl);
  }
  world.subscriptions.add(subscription);
  const { id: subscriptionId, resource } = subscription;
  const early = world.context.faults.strike("notification-before-201", {
    subscriptionId,
    resource,
  });
  if (early !== null) await world.notifyEarly(subscription);
  return answer(world, call, subscription, 201);
}

function toSubscription(
  world: SubscriptionWorld,
  call: GraphCall,
  body: Record<string, unknown>,
): Subscription {
  const { context } = world;
  const resource = input.required(body, "resource");
  const changeType = input.required(body, "changeType");
  const notificationUrl = input.required(body, "notificationUrl");
  const expiration = input.required(body, "expirationDateTime");
  const isRich = body["includeResourceData"] === true;
  const lifecycleNotificationUrl = input.optionalText(body, "lifecycleNotificationUrl");
  input.checkUrl(notificationUrl, "notificationUrl");
  if (lifecycleNotificationUrl !== null)
    input.checkUrl(lifecycleNotificationUrl, "lifecycleNotificationUrl");
  const target = parseResource(context, world.store, call.caller, resource, isRich);
  const isSilent = checkRights(world, call, target);
  const encryptionCertificate = input.optionalText(body, "encryptionCertificate");
  const encryptionCertificateId = input.optionalText(body, "encryptionCertificateId");
  if (isRich) input.checkCertificate(encryptionCertificate, encryptionCertificateId);
  return {
    id: world.random.uuid(),
    applicationId: call.caller.appId,
    creatorId: call.caller.objectId,
    isAppOnly: call.caller.isAppOnly,
    changeType,
    changeTypes: input.toChangeTypes(changeType, target),
    resource,
    target,
    idForm: call.idForm,
    clientState: input.toClientState(context, body),
    lifecycleNotificationUrl,
    latestSupportedTlsVersion: input.toTlsVersion(body),
    includeResourceData:
      typeof body["includeResourceData"] === "boolean" ? body["includeResourceData"] : null,
    notificationUrlAppId: input.optionalText(body, "notificationUrlAppId"),
    createdMs: context.clock.now(),
    notificationUrl,
    expirationMs: input.toExpiration(context, expiration, target, isRich),
    encryptionCertificate,
    encryptionCertificateId,
    reauthorizedMs: null,
    renewedMs: null,
    heldSinceMs: null,
    isSilent,
  };
}

/** Returns true if the subscription is accepted although it can never fire. */
function checkRights(
  world: SubscriptionWorld,
  call: GraphCall,
  target: SubscriptionTarget,
): boolean {
  if (target.kind === "drive") return false;
  const user = world.context.users.find((each) => each.id === target.userId)!;
  const isForeign = !call.caller.isAppOnly && call.caller.objectId !== user.id;
  if (isForeign && graphSwitch(world.context.switches, "delegatedForeignMailbox") === "silent")
    return true;
  checkMailAccess(world.policies, call.caller, user, "read-basic");
  return false;
}

function checkQuota(world: SubscriptionWorld, subscription: Subscription): void {
  const { target } = subscription;
  if (target.kind !== "messages") return;
  const count = world.subscriptions
    .all()
    .filter(
      (each) => each.target.kind === "messages" && each.target.userId === target.userId,
    ).length;
  if (count < PER_MAILBOX_MAX) return;
  throw new GraphProblem(
    403,
    "Forbidden",
    `Maximum number of subscriptions (${PER_MAILBOX_MAX}) for this mailbox has been reached.`,
  );
}

function checkDuplicate(world: SubscriptionWorld, subscription: Subscription): void {
  if (world.context.switches.duplicateSubscription === "coexist") return;
  const twin = world.subscriptions
    .all()
    .find(
      (each) =>
        each.applicationId === subscription.applicationId &&
        each.creatorId === subscription.creatorId &&
        each.resource.toLowerCase() === subscription.resource.toLowerCase() &&
        [...each.changeTypes].sort().join() === [...subscription.changeTypes].sort().join(),
    );
  if (twin === undefined) return;
  throw new GraphProblem(
    409,
    "Conflict",
    `Subscription Id ${twin.id} already exists for the requested combination`,
  );
}

export async function validateUrl(world: SubscriptionWorld, url: string): Promise<void> {
  if (input.isEventHub(url)) world.greetHub(url);
  else await shakeHands(world, url);
}

export function answer(
  world: SubscriptionWorld,
  call: GraphCall,
  subscription: Subscription,
  status: number,
) {
  return json(
    status,
    {
      "@odata.context": contextUrl(world.context, call, "subscriptions/$entity"),
      ...showSubscription(subscription),
    },
    call,
  );
}
