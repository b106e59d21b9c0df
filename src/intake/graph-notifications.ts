/**
 * The webhook that Graph calls. It answers 202 only after the notifications are committed, because from then
 * on only we remember them. If they cannot be written it answers 503, and Graph retries for four hours.
 */
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { killPoint } from "../lib/kill-points.ts";
import type { Log } from "../lib/log.ts";
import type { NotificationItem } from "../mailbox/notifications/notification.ts";
import type { NotificationWriter } from "../mailbox/notifications/notification-table.ts";
import type { SubscriptionDirectory } from "../mailbox/subscriptions/subscription-directory.ts";
import { findGenuine } from "./find-genuine.ts";
import { answerHandshake } from "./handshake.ts";
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
  readonly accept: NotificationWriter["add"];
  /** Present if subscriptions request the messages' properties. */
  readonly contents?: ContentReceiver;
  /** Present if only handshakes for our own requests are answered. */
  readonly isHandshakeExpected?: (token: string) => Promise<boolean>;
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
     * Set so that the request's ID is not carried through every promise: carrying it would cost more than the rest
     * of a delivery. The route's few log lines state it themselves.
     */
    readonly isUntracked?: boolean;
  }
}

export function registerNotificationRoutes(app: FastifyInstance, needs: IntakeNeeds): void {
  const doorNeeds = { ...needs, limit: createRejectionLimit(needs.clock) };
  const config = { isUntracked: true } satisfies FastifyContextConfig;
  void app.register(async (door) => {
    door.removeContentTypeParser(["text/plain", "application/json"]);
    door.addContentTypeParser("application/json", { parseAs: "string" }, parseBody);
    door.setErrorHandler(answerError);
    door.addHook("onRequest", (request, reply, done) =>
      answerHandshake(doorNeeds, request, reply, done),
    );
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

/** Refuses a body that sets a prototype. Graph never sends one, and no later check needs to consider it. */
function parseBody(
  _request: FastifyRequest,
  body: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  try {
    if (body.includes('"__proto__"')) throw new Error("the body sets a prototype");
    done(null, JSON.parse(body as string));
  } catch (error) {
    done(Object.assign(error as Error, { statusCode: 400 }));
  }
}

interface DoorNeeds extends IntakeNeeds {
  readonly limit: RejectionLimit;
}

async function receive(
  needs: DoorNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  await killPoint("intake.json-parsed");
  const delivery = isTooDeep(request.body) ? "not-a-collection" : readNotifications(request.body);
  if (delivery === "not-a-collection") return reply.code(400).send();
  if (delivery === "too-many-items") return reply.code(413).send();
  if (delivery.items.length === 0) return reply.code(202).send();

  const isLimited = needs.limit.isSpent(request.ip);
  // Another process may have just created the subscription. We look even if the limit of this address is spent,
  // because others may share the address; at one read per second, forged deliveries cost almost nothing.
  if (delivery.items.some((item) => item !== null && !needs.directory.has(item.subscriptionId)))
    await needs.directory.refresh({ atMostOncePerSecond: true });
  const { rows, sealed, rejected } = findGenuine(needs, delivery.items);
  if (rejected.length > 0) {
    needs.metrics.items("rejected", rejected.length);
    if (!isLimited) logRejection(needs, request, rejected);
  }
  await killPoint("intake.secrets-checked");
  if (rows.length + sealed.length === 0) return refuse(needs, request, reply);
  request.body = undefined; // many requests wait for one commit; free the parsed body meanwhile
  if (rows.length > 0) await needs.accept(rows);
  if (sealed.length > 0) await needs.contents!.accept(sealed);
  needs.metrics.items("accepted", rows.length + sealed.length);
  void reply.code(202).send();
  await killPoint("intake.answered");
  if (sealed.length > 0) openLater(needs, sealed, delivery.tokens);
  return undefined; // the reply is already sent
}

/** A sender of forged notifications gets 429 after a while. */
function refuse(needs: DoorNeeds, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!needs.limit.spend(request.ip)) return reply.code(429).header("retry-after", "60").send();
  return reply.code(401).send();
}

function openLater(needs: DoorNeeds, sealed: readonly SealedItem[], tokens: unknown): void {
  needs.contents!.open(sealed, tokens).catch((error: unknown) => {
    // Their jobs start a little later and read the messages from Graph.
    needs.log.warn({ err: error }, "the content of notifications could not be opened");
  });
}

/** One line for a delivery, whatever it holds: a stranger must not fill the disk with our log. */
function logRejection(
  needs: DoorNeeds,
  { ip, id: correlationId }: FastifyRequest,
  rejected: readonly (NotificationItem | null)[],
): void {
  const subscriptionId = rejected.find((item) => item !== null)?.subscriptionId ?? null;
  needs.log.warn(
    {
      security: "notification-rejected",
      ip,
      subscriptionId,
      items: rejected.length,
      correlationId,
    },
    "notifications did not prove where they come from",
  );
}

/** The response repeats nothing of the request; the caller is a program and needs only the status. */
function answerError(
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const status = error.statusCode ?? 500;
  if (error instanceof Fault && error.code.startsWith("store."))
    void reply.header("retry-after", "5");
  else if (status >= 500)
    request.log.error(
      { err: error, correlationId: request.id },
      "a notification could not be accepted",
    );
  void reply.code(status >= 500 ? 503 : status).send();
}
