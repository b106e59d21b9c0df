import { Fault } from "../../lib/fault.ts";
import { isLoopbackHost } from "../../lib/loopback.ts";
import type { GraphClient } from "../../microsoft/graph/graph-client.ts";
import { GraphApiError } from "../../microsoft/graph/graph-fault.ts";
import {
  type EncryptionCertificate,
  SUBSCRIPTION_MINUTES_MAX,
  type SubscriptionInfo,
} from "./subscription.ts";

/** Graph's earlier limit for mail, a little under three days; like the default of `SUBSCRIPTION_MINUTES`. */
const DEFAULT_MINUTES = 4_230;
const CLIENT_STATE_MAX = 128;

interface GraphSubscription {
  id: string;
  resource: string;
  notificationUrl: string;
  lifecycleNotificationUrl?: string | null;
  expirationDateTime: string;
}

interface Needs {
  readonly graph: GraphClient;
  readonly now: () => number;
}

export interface CreateSubscription {
  readonly resource: string;
  readonly changeType?: string;
  readonly notificationUrl: string;
  readonly lifecycleUrl: string;
  readonly clientState: string;
  readonly expirationMinutes?: number;
  readonly encryption?: EncryptionCertificate;
}

export async function createSubscription(
  needs: Needs,
  request: CreateSubscription,
): Promise<SubscriptionInfo> {
  for (const url of [request.notificationUrl, request.lifecycleUrl]) assertHttps(url);
  if (request.clientState.length > CLIENT_STATE_MAX) {
    throw new Fault("request.bad", `clientState may have at most ${CLIENT_STATE_MAX} characters`);
  }
  const answer = await needs.graph.call<GraphSubscription>({
    method: "POST",
    path: "/subscriptions",
    // Graph calls our endpoint twice, with ten seconds each, before it answers.
    timeoutMs: 30_000,
    body: {
      changeType: request.changeType ?? "created",
      resource: request.resource,
      notificationUrl: request.notificationUrl,
      lifecycleNotificationUrl: request.lifecycleUrl,
      clientState: request.clientState,
      expirationDateTime: expiryIn(request.expirationMinutes ?? DEFAULT_MINUTES, needs.now()),
      ...(request.encryption === undefined
        ? {}
        : { includeResourceData: true, ...toCertificateFields(request.encryption) }),
    },
  });
  return toInfo(answer);
}

export async function renewSubscription(
  needs: Needs,
  id: string,
  expirationMinutes = DEFAULT_MINUTES,
  encryption?: EncryptionCertificate,
): Promise<SubscriptionInfo> {
  const answer = await needs.graph.call<GraphSubscription>({
    method: "PATCH",
    path: `/subscriptions/${encodeURIComponent(id)}`,
    body: {
      expirationDateTime: expiryIn(expirationMinutes, needs.now()),
      ...(encryption === undefined ? {} : toCertificateFields(encryption)),
    },
  });
  return toInfo(answer);
}

/** Null if Graph does not have it. */
export async function getSubscription(needs: Needs, id: string): Promise<SubscriptionInfo | null> {
  try {
    return toInfo(
      await needs.graph.call<GraphSubscription>({
        path: `/subscriptions/${encodeURIComponent(id)}`,
      }),
    );
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Returns false if it did not exist. */
export async function deleteSubscription(needs: Needs, id: string): Promise<boolean> {
  try {
    await needs.graph.call({ method: "DELETE", path: `/subscriptions/${encodeURIComponent(id)}` });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Returns every subscription of this app. */
export async function listSubscriptions(needs: Needs): Promise<SubscriptionInfo[]> {
  const all: SubscriptionInfo[] = [];
  let path: string | undefined = "/subscriptions";
  while (path !== undefined) {
    const page: { value: GraphSubscription[]; "@odata.nextLink"?: string } = await needs.graph.call(
      { path },
    );
    all.push(...page.value.map(toInfo));
    path = page["@odata.nextLink"];
  }
  return all;
}

export function isNotFound(error: unknown): boolean {
  return error instanceof GraphApiError && error.status === 404;
}

function toCertificateFields({ id, certificate }: EncryptionCertificate): object {
  return { encryptionCertificate: certificate, encryptionCertificateId: id };
}

function expiryIn(minutes: number, nowMs: number): string {
  if (minutes > SUBSCRIPTION_MINUTES_MAX) {
    throw new Fault(
      "request.bad",
      `a mail subscription lasts at most ${SUBSCRIPTION_MINUTES_MAX} minutes`,
    );
  }
  return new Date(nowMs + minutes * 60_000).toISOString();
}

/** Graph delivers only to https; plain http is for a tenant on this machine. */
function assertHttps(url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:" && !isLoopbackHost(hostname)) {
    throw new Fault("settings.bad", "the public address of the webhook must start with https://");
  }
}

function toInfo(answer: GraphSubscription): SubscriptionInfo {
  return {
    id: answer.id,
    resource: answer.resource,
    notificationUrl: answer.notificationUrl,
    lifecycleUrl: answer.lifecycleNotificationUrl ?? null,
    expiresAt: new Date(answer.expirationDateTime),
  };
}
