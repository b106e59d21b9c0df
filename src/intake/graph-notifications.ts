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
import { readEncryptedContent } from "./open-content.ts";
import { isTooDeep, readNotifications } from "./read-notifications.ts";
import type { ContentReceiver, SealedItem } from "./receive-content.ts";
import { createRejectionLimit, type RejectionLimit } from "./rejection-limit.ts";

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
  /** Present when subscriptions ask for the messages' properties. */
  readonly contents?: ContentReceiver;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: IntakeMetrics;
}

export interface IntakeMetrics {
  answered(status: number, seconds: number): void;
  items(outcome: "accepted" | "rejected", count: number): void;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Its few log lines name their request themselves. Following a request through every promise, so
     * that any line can, costs more than the rest of a delivery.
     */
    readonly namesItself?: boolean;
  }
}

export function registerNotificationRoutes(app: FastifyInstance, needs: IntakeNeeds): void {
  const doorNeeds = { ...needs, limit: createRejectionLimit(needs.clock) };
  const config = { namesItself: true };
  void app.register(async (door) => {
    door.removeContentTypeParser("text/plain");
    door.setErrorHandler(answerError);
    door.addHook("onRequest", answerHandshake);
    door.addHook("onResponse", (_request, reply, done) => {
      needs.metrics.answered(reply.statusCode, reply.elapsedTime / 1_000);
      done();
    });
    for (const url of NOTIFICATION_URLS) {
      door.post(url, { bodyLimit: BODY_BYTES_MAX, config }, (request, reply) =>
        receive(doorNeeds, request, reply),
      );
      door.route({
        method: ["GET", "PUT", "PATCH", "DELETE"],
        url,
        handler: (_request, reply) => reply.code(405).header("allow", "POST").send(),
      });
    }
  });
}

interface DoorNeeds extends IntakeNeeds {
  readonly limit: RejectionLimit;
}

/** Runs before the body is looked at: Graph's handshake has none, and is not signed in. */
function answerHandshake(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const token = request.method === "POST" ? handshakeToken(request.raw.url ?? "") : "none";
  if (token === "bad") void reply.code(400).send();
  else if (token !== "none") void echo(reply, token.text);
  else if (request.method === "POST" && request.headers["content-encoding"] !== undefined)
    void reply.code(415).send();
  else done();
}

async function echo(reply: FastifyReply, token: string): Promise<void> {
  await fault("B3");
  await reply
    .code(200)
    .headers({
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "no-store",
    })
    .send(token);
}

async function receive(
  needs: DoorNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await fault("I2");
  const read = readNotifications(request.body);
  if (read === "not-a-collection") return reply.code(400).send();
  if (read === "too-many-items") return reply.code(413).send();
  if (read.items.length === 0) return reply.code(202).send();

  const isLimited = needs.limit.isSpent(request.ip);
  // A subscription may have been made a moment ago by another process.
  if (!isLimited && read.items.some((item) => isUnknown(needs, item)))
    await needs.directory.refresh({ atMostOncePerSecond: true });
  const { rows, sealed, rejected } = findGenuine(needs, read.items);
  if (rejected.length > 0) {
    needs.metrics.items("rejected", rejected.length);
    if (!isLimited) for (const item of rejected) logRejection(needs, request, item);
  }
  await fault("I3");
  if (rows.length + sealed.length === 0) return refuse(needs, request, reply);
  if (rows.length > 0) await needs.accept(rows);
  if (sealed.length > 0) await needs.contents!.accept(sealed);
  needs.metrics.items("accepted", rows.length + sealed.length);
  reply.code(202).send();
  await fault("I6");
  if (sealed.length > 0) openLater(needs, sealed, read.tokens);
  return reply;
}

/** Whoever keeps sending what proves nothing is told to stop, before it costs us anything more. */
function refuse(needs: DoorNeeds, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!needs.limit.spend(request.ip)) return reply.code(429).header("retry-after", "60").send();
  return reply.code(isTooDeep(request.body) ? 400 : 401).send();
}

function openLater(needs: DoorNeeds, sealed: readonly SealedItem[], tokens: unknown): void {
  needs.contents!.open(sealed, tokens).catch((error: unknown) => {
    // Their jobs begin a little later and read the messages themselves.
    needs.log.warn({ err: error }, "the content of notifications could not be opened");
  });
}

function isUnknown(needs: DoorNeeds, item: NotificationItem | null): boolean {
  return item !== null && !needs.directory.has(item.subscriptionId);
}

interface Judged {
  readonly rows: NotificationRow[];
  readonly sealed: SealedItem[];
  readonly rejected: (NotificationItem | null)[];
}

/**
 * Every item is judged by itself: a batch may mix subscriptions, and one bad item must not cost the rest.
 * The items of a delivery most often share one secret, which is then checked once; what is compared
 * to know that are two texts of the same sender, so the time it takes tells him nothing new.
 */
function findGenuine(needs: DoorNeeds, items: readonly (NotificationItem | null)[]): Judged {
  const judged: Judged = { rows: [], sealed: [], rejected: [] };
  let proven: NotificationItem | null = null;
  let subscription: KnownSubscription | null = null;
  for (const item of items) {
    if (item !== null && (proven === null || !hasSameSecret(item, proven))) {
      subscription = needs.directory.verify(item.subscriptionId, item.clientState);
      proven = subscription === null ? null : item;
    }
    if (item === null || subscription === null || !belongsTo(item, subscription)) {
      judged.rejected.push(item);
      continue;
    }
    const row = toRow(item, subscription, needs.clock.now());
    const content =
      needs.contents === undefined ? null : readEncryptedContent(item.encryptedContent);
    if (content === null) judged.rows.push(row);
    else judged.sealed.push({ row, content, tenantId: subscription.tenantId });
  }
  return judged;
}

function hasSameSecret(one: NotificationItem, other: NotificationItem): boolean {
  return one.subscriptionId === other.subscriptionId && one.clientState === other.clientState;
}

function logRejection(
  needs: DoorNeeds,
  { ip, id: correlationId }: FastifyRequest,
  item: NotificationItem | null,
): void {
  const subscriptionId = item?.subscriptionId ?? null;
  needs.log.warn(
    { security: "notification-rejected", ip, subscriptionId, correlationId },
    "a notification did not prove where it comes from",
  );
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
  const { graphUserId } = subscription;
  if (graphUserId !== null && item.resource.startsWith(`Users/${graphUserId}/`)) return true;
  const user = /^\/?users(?:\/([^/]+)|\('([^']+)'\))/i.exec(item.resource);
  const named = (user?.[1] ?? user?.[2])?.split("@")[0]?.toLowerCase();
  const own = [graphUserId, /^\/?users\/([^/]+)/i.exec(subscription.resource)?.[1]];
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
  if (status >= 500)
    request.log.error(
      { err: error, correlationId: request.id },
      "a notification could not be taken",
    );
  void reply.code(status >= 500 ? 503 : status).send();
}
