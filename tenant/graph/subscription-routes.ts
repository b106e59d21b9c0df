import type { TenantContext } from "../context.ts";
import type { TenantResponse } from "../http.ts";
import type { Random } from "../random.ts";
import type { AccessPolicies } from "./access.ts";
import { checkMailAccess } from "./access.ts";
import type { GraphCall } from "./graph-call.ts";
import { contextUrl, json, readJson } from "./graph-call.ts";
import { accessDenied, badRequest, GraphProblem } from "./graph-error.ts";
import { graphSwitch } from "./graph-switches.ts";
import { shakeHands } from "./handshake.ts";
import type { MailStore } from "./mail-store.ts";
import type { RouteTable } from "./route-table.ts";
import * as input from "./subscription-input.ts";
import type { Subscription, SubscriptionTarget } from "./subscription-model.ts";
import { isOwn, showSubscription } from "./subscription-model.ts";
import { parseResource } from "./subscription-resource.ts";
import type { Subscriptions } from "./subscriptions.ts";
import type { SubscriptionCall, Throttle } from "./throttle.ts";

export interface SubscriptionWorld {
  readonly context: TenantContext;
  readonly random: Random;
  readonly store: MailStore;
  readonly policies: AccessPolicies;
  readonly subscriptions: Subscriptions;
  readonly throttle: Throttle;
  /** A first delivery that overtakes the answer to the subscriber. */
  tellEarly(subscription: Subscription): Promise<void>;
  /** Opens an event hub with the first message that Graph sends there. */
  greetHub(url: string): void;
  /** Lets go what was held back while the service's token had run out. */
  release(subscription: Subscription): void;
}

const PER_MAILBOX_MAX = 1000;
const LIST_PAGE = 100;
const TRAP_MS = 10 * 60_000;

export function addSubscriptionRoutes(routes: RouteTable, world: SubscriptionWorld): void {
  const on = (
    method: string,
    path: string,
    kind: SubscriptionCall,
    handler: (call: GraphCall) => TenantResponse | Promise<TenantResponse>,
  ) =>
    routes.on(method, path, (call) => {
      world.throttle.checkSubscriptions(call.caller.appId, kind);
      return handler(call);
    });
  on("POST", "/subscriptions", "write", (call) => createSubscription(world, call));
  on("GET", "/subscriptions", "list", (call) => listSubscriptions(world, call));
  on("GET", "/subscriptions/{subscription}", "get", (call) =>
    answer(world, call, load(world, call), 200),
  );
  on("PATCH", "/subscriptions/{subscription}", "write", (call) => updateSubscription(world, call));
  on("DELETE", "/subscriptions/{subscription}", "write", (call) => {
    world.subscriptions.remove(load(world, call).id, "deleted");
    return { status: 204 };
  });
  on("POST", "/subscriptions/{subscription}/reauthorize", "reauthorize", (call) => {
    const subscription = load(world, call);
    noteReauthorize(world, subscription, "reauthorize");
    world.release(subscription);
    return { status: 204 };
  });
}

async function createSubscription(world: SubscriptionWorld, call: GraphCall) {
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
  if (early !== null) await world.tellEarly(subscription);
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

/** True when the subscription is accepted though it can never fire. */
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

async function validateUrl(world: SubscriptionWorld, url: string): Promise<void> {
  if (input.isEventHub(url)) world.greetHub(url);
  else await shakeHands(world, url);
}

async function updateSubscription(world: SubscriptionWorld, call: GraphCall) {
  const { context, subscriptions } = world;
  const subscription = load(world, call);
  const body = readJson(call.request);
  const expiration = input.optionalText(body, "expirationDateTime");
  const url = input.optionalText(body, "notificationUrl");
  const certificate = input.optionalText(body, "encryptionCertificate");
  if (expiration === null && url === null && certificate === null) {
    throw badRequest(
      "expirationDateTime or notificationUrl is required to update a subscription.",
      "InvalidRequest",
    );
  }
  if (input.optionalText(body, "lifecycleNotificationUrl") !== null) {
    throw badRequest(
      "lifecycleNotificationUrl cannot be changed on an existing subscription.",
      "InvalidRequest",
    );
  }
  if (url !== null) {
    input.checkUrl(url, "notificationUrl");
    if (
      url !== subscription.notificationUrl &&
      graphSwitch(context.switches, "handshakeOnUrlChange")
    ) {
      await validateUrl(world, url);
    }
  } else if (context.switches.handshakeOnRenew) {
    await validateUrl(world, subscription.notificationUrl);
  }
  if (certificate !== null) {
    const id = input.optionalText(body, "encryptionCertificateId");
    input.checkCertificate(certificate, id);
    subscription.encryptionCertificate = certificate;
    subscription.encryptionCertificateId = id;
  }
  if (url !== null) subscription.notificationUrl = url;
  if (expiration !== null) {
    const isRich = subscription.includeResourceData === true;
    const expirationMs = input.toExpiration(context, expiration, subscription.target, isRich);
    noteReauthorize(world, subscription, "renew");
    subscriptions.renew(subscription, expirationMs);
  }
  world.release(subscription);
  return answer(world, call, subscription, 200);
}

/** Reauthorize and renew within ten minutes of each other may leave the service in disorder. */
function noteReauthorize(
  world: SubscriptionWorld,
  subscription: Subscription,
  kind: "reauthorize" | "renew",
): void {
  const { clock, journal, switches } = world.context;
  const nowMs = clock.now();
  const otherMs = kind === "reauthorize" ? subscription.renewedMs : subscription.reauthorizedMs;
  if (kind === "reauthorize") subscription.reauthorizedMs = nowMs;
  else subscription.renewedMs = nowMs;
  if (kind === "reauthorize")
    journal.record("subscription.reauthorized", { subscriptionId: subscription.id });
  if (otherMs === null || nowMs - otherMs >= TRAP_MS) return;
  journal.record("subscription.trap", {
    subscriptionId: subscription.id,
    reason: "reauthorize and renew within ten minutes",
  });
  if (graphSwitch(switches, "reauthorizeTrap") === "inconsistent") subscription.isSilent = true;
}

function listSubscriptions(world: SubscriptionWorld, call: GraphCall) {
  const { query } = call.request;
  const option = [...query.keys()].find((name) => name.startsWith("$") && name !== "$skiptoken");
  if (option !== undefined)
    throw badRequest(`The query option '${option}' is not supported.`, "BadRequest");
  const own = world.subscriptions.all().filter((each) => isOwn(each, call.caller));
  const skip = Number(query.get("$skiptoken") ?? 0) || 0;
  const body: Record<string, unknown> = {
    "@odata.context": contextUrl(world.context, call, "subscriptions"),
    value: own.slice(skip, skip + LIST_PAGE).map((each) => showSubscription(each, true)),
  };
  if (own.length > skip + LIST_PAGE) {
    body["@odata.nextLink"] =
      `${world.context.origin()}/${call.version}/subscriptions?$skiptoken=${skip + LIST_PAGE}`;
  }
  return json(200, body, call);
}

function load(world: SubscriptionWorld, call: GraphCall): Subscription {
  const id = call.params["subscription"]!;
  const subscription = world.subscriptions.get(id.toLowerCase());
  if (subscription === null)
    throw new GraphProblem(404, "ResourceNotFound", `The object was not found.`);
  if (!isOwn(subscription, call.caller))
    throw accessDenied("Access to this subscription is denied.");
  return subscription;
}

function answer(
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
