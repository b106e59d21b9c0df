/**
 * Microsoft's door. Graph is answered 202 only after its notifications are committed: from then on
 * nobody but us remembers that mail. If they cannot be written the answer is 503, and Graph comes
 * again for four hours.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { fault } from "../lib/fault-points.ts";
import type { Log } from "../lib/log.ts";
import {
  CHANGES,
  isLifecycle,
  type NotificationItem,
  type NotificationRow,
  notificationKey,
} from "../mailbox/notification.ts";
import type {
  KnownSubscription,
  SubscriptionDirectory,
} from "../mailbox/subscription-directory.ts";
import { handshakeToken } from "./handshake.ts";
import { readNotifications } from "./read-notifications.ts";

export const NOTIFICATION_URLS = [
  "/api/graph/notifications",
  "/api/graph/lifecycle",
  "/webhooks/graph",
] as const;
const BODY_BYTES_MAX = 1024 * 1024;

export interface IntakeNeeds {
  readonly directory: SubscriptionDirectory;
  /** Resolves when the rows are committed. */
  readonly accept: (rows: readonly NotificationRow[]) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: IntakeMetrics;
}

export interface IntakeMetrics {
  answered(status: number, seconds: number): void;
  items(outcome: "accepted" | "rejected", count: number): void;
}

export function registerNotificationRoutes(app: FastifyInstance, needs: IntakeNeeds): void {
  void app.register(async (door) => {
    door.removeContentTypeParser("text/plain");
    door.setErrorHandler(answerError);
    door.addHook("onRequest", answerHandshake);
    door.addHook("onResponse", async (_request, reply) => {
      needs.metrics.answered(reply.statusCode, reply.elapsedTime / 1_000);
    });
    for (const url of NOTIFICATION_URLS) {
      door.post(url, { bodyLimit: BODY_BYTES_MAX }, (request, reply) =>
        receive(needs, request, reply),
      );
    }
  });
}

/** Runs before the body is looked at: Graph's handshake has none, and is not signed in. */
async function answerHandshake(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const token = handshakeToken(request.raw.url ?? "");
  if (token === "none") {
    if (request.headers["content-encoding"] !== undefined) await reply.code(415).send();
    return;
  }
  if (token === "bad") return void (await reply.code(400).send());
  fault("B3");
  await reply
    .code(200)
    .headers({
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "no-store",
    })
    .send(token.text);
}

async function receive(
  needs: IntakeNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  fault("I2");
  const read = readNotifications(request.body);
  if (read === "not-a-collection") return reply.code(400).send();
  if (read === "too-many-items") return reply.code(413).send();
  if (read.items.length === 0) return reply.code(202).send();

  const rows = await findGenuine(needs, read.items, request.ip);
  fault("I3");
  if (rows.length === 0) return reply.code(401).send();
  await needs.accept(rows);
  needs.metrics.items("accepted", rows.length);
  await reply.code(202).send();
  fault("I6");
  return reply;
}

/** Every item is judged by itself: a batch may mix subscriptions, and one bad item must not cost the rest. */
async function findGenuine(
  needs: IntakeNeeds,
  items: readonly (NotificationItem | null)[],
  ip: string,
): Promise<NotificationRow[]> {
  const isUnknown = (item: NotificationItem | null) =>
    item !== null && !needs.directory.has(item.subscriptionId);
  // A subscription may have been made a moment ago by another process.
  if (items.some(isUnknown)) await needs.directory.refresh({ atMostOncePerSecond: true });
  const rows: NotificationRow[] = [];
  for (const item of items) {
    const subscription =
      item === null ? null : needs.directory.verify(item.subscriptionId, item.clientState);
    if (item !== null && subscription !== null && belongsTo(item, subscription)) {
      rows.push(toRow(item, subscription, needs.clock.now()));
      continue;
    }
    needs.metrics.items("rejected", 1);
    needs.log.warn(
      { security: "notification-rejected", ip, subscriptionId: item?.subscriptionId ?? null },
      "a notification did not prove where it comes from",
    );
  }
  return rows;
}

function belongsTo(item: NotificationItem, subscription: KnownSubscription): boolean {
  if (
    item.tenantId !== null &&
    subscription.tenantId !== null &&
    item.tenantId !== subscription.tenantId
  )
    return false;
  if (item.resource === null || isLifecycle(item.change)) return true;
  // Graph names the user by id whatever the subscription said: `Users/{id}/Messages/…`, `Users('{id}')/…`.
  const user = /^\/?users(?:\/([^/]+)|\('([^']+)'\))/i.exec(item.resource);
  const named = (user?.[1] ?? user?.[2])?.split("@")[0]?.toLowerCase();
  const own = [subscription.graphUserId, /^\/?users\/([^/]+)/i.exec(subscription.resource)?.[1]];
  return named !== undefined && own.some((id) => id?.toLowerCase().split("@")[0] === named);
}

function toRow(
  item: NotificationItem,
  subscription: KnownSubscription,
  nowMs: number,
): NotificationRow {
  return {
    key: notificationKey(item, nowMs),
    subscription: subscription.id,
    change: CHANGES[item.change],
    messageId: item.messageId ?? "",
  };
}

/** Nothing of the request is repeated in the answer; the caller is a machine and reads the status. */
function answerError(
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (error instanceof Fault && error.remedy === "wait") {
    void reply.code(503).header("retry-after", "5").send();
    return;
  }
  const status = error.statusCode ?? 500;
  if (status >= 500) request.log.error({ err: error }, "a notification could not be taken");
  void reply.code(status >= 500 ? 503 : status).send();
}
