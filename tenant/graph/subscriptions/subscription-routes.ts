import type { TenantResponse } from "../../http.ts";
import type { GraphCall } from "../call/graph-call.ts";
import { contextUrl, json, readJson } from "../call/graph-call.ts";
import { badRequest, GraphProblem } from "../call/graph-error.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import { wrongSkipToken } from "../call/paging.ts";
import { checkNoParameters } from "../call/parameters.ts";
import type { RouteTable } from "../call/route-table.ts";
import type { SubscriptionCall } from "../call/throttle.ts";
import {
  answer,
  createSubscription,
  type SubscriptionWorld,
  validateUrl,
} from "./create-subscription.ts";
import * as input from "./subscription-input.ts";
import type { Subscription } from "./subscription-model.ts";
import { isOwn, showSubscription } from "./subscription-model.ts";

const LIST_PAGE = 100;
const TRAP_MS = 10 * 60_000;

export function addSubscriptionRoutes(routes: RouteTable, world: SubscriptionWorld): void {
  const on = (
    method: string,
    path: string,
    kind: SubscriptionCall,
    handler: (call: GraphCall) => TenantResponse | Promise<TenantResponse>,
  ) => {
    const checked = (call: GraphCall) => {
      world.throttle.checkSubscriptions(call.caller.appId, kind);
      return handler(call);
    };
    routes.on(method, path, checked, kind === "list" ? ["$skiptoken"] : []);
  };
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
    checkNoParameters(call.request);
    noteReauthorize(world, subscription, "reauthorize");
    world.release(subscription);
    return { status: 204 };
  });
}

async function updateSubscription(world: SubscriptionWorld, call: GraphCall) {
  const { context, subscriptions } = world;
  const subscription = load(world, call);
  const body = readJson(call.request);
  input.checkNames(body);
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

/**
 * Reauthorizing and renewing within ten minutes of each other may leave the service in an inconsistent state.
 */
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
  const token = query.get("$skiptoken");
  if (token !== null && !/^\d+$/.test(token)) throw wrongSkipToken();
  const skip = Number(token ?? 0);
  const own = world.subscriptions.all().filter((each) => isOwn(each, call.caller));
  const body: Record<string, unknown> = {
    "@odata.context": contextUrl(world.context, call, "subscriptions"),
    value: own
      .slice(skip, skip + LIST_PAGE)
      .map((each) => showSubscription(each, { hidesClientState: true })),
  };
  if (own.length > skip + LIST_PAGE) {
    body["@odata.nextLink"] =
      `${world.context.origin()}/${call.version}/subscriptions?$skiptoken=${skip + LIST_PAGE}`;
  }
  return json(200, body, call);
}

/** Another app's subscription looks identical to one that does not exist. */
function load(world: SubscriptionWorld, call: GraphCall): Subscription {
  const subscription = world.subscriptions.get(call.params["subscription"]!.toLowerCase());
  if (subscription !== null && isOwn(subscription, call.caller)) return subscription;
  throw new GraphProblem(404, "ResourceNotFound", "The object was not found.");
}
