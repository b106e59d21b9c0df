/**
 * The webhook that Dataverse calls when an e-mail was written. The caller proves that it knows the secret;
 * then the mail's job is committed; only then do we answer 202.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { MailDecision } from "../filing/rules/mail-rules.ts";
import type { RuleBook } from "../filing/rules/rule-book.ts";
import { archiveKey, processEmailToDocument } from "../flows/specs/documents.ts";
import type { JobQueue } from "../jobs/job.ts";
import type { Clock } from "../lib/clock.ts";
import type { Fault } from "../lib/fault.ts";
import { isSameSecret, sha256 } from "../lib/hash.ts";
import type { Log } from "../lib/log.ts";
import type { Secret } from "../lib/redact.ts";
import type { Database } from "../store/database.ts";
import { type DataverseEvent, readExecutionContext } from "./execution-context.ts";
import { createRejectionLimit, type RejectionLimit } from "./rejection-limit.ts";

export interface DataverseWebhookNeeds {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly rules: RuleBook;
  readonly webhook: { readonly isOn: boolean; readonly secret: Secret | null };
  readonly clock: Clock;
  readonly log: Log;
  readonly onAnswer: (outcome: "accepted" | "excluded" | "refused") => void;
}

const URL = "/api/v1/emails/webhook-trigger";
/** Dataverse itself omits the content above 256 KB. */
const BODY_BYTES_MAX = 1024 * 1024;

export function registerDataverseWebhook(app: FastifyInstance, needs: DataverseWebhookNeeds): void {
  const doorNeeds = { ...needs, limit: createRejectionLimit(needs.clock) };
  void app.register(async (door) => {
    door.removeAllContentTypeParsers();
    // The signature covers the bytes exactly as they arrived.
    door.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    door.post(URL, { bodyLimit: BODY_BYTES_MAX }, (request, reply) =>
      receive(doorNeeds, request, reply),
    );
  });
}

async function receive(
  needs: DataverseWebhookNeeds & { readonly limit: RejectionLimit },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { secret, isOn } = needs.webhook;
  if (!isOn || secret === null) return refuse(needs, reply, 503, "Webhook Disabled");
  const body = request.body as Buffer | undefined;
  if (!body?.length) return refuse(needs, reply, 400, "the body is empty");
  if (!isProven(request, body, secret)) {
    if (!needs.limit.spend(request.ip)) {
      void reply.header("retry-after", "60");
      return refuse(needs, reply, 429, "too many requests with a wrong signature or key");
    }
    needs.log.warn(
      { security: "webhook-rejected", ip: request.ip },
      "a webhook did not prove that it comes from Dataverse",
    );
    return refuse(needs, reply, 401, "the signature or key is wrong");
  }
  const event = readExecutionContext(body.toString("utf8"));
  if ("problem" in event) return refuse(needs, reply, 400, event.problem);
  const rule = await excludedBy(needs, event);
  if (rule !== null) {
    needs.onAnswer("excluded");
    return reply.code(200).send({ status: "excluded", reason: rule });
  }
  const jobId = await addJob(needs, event, request.id);
  needs.onAnswer("accepted");
  return reply.code(202).send({
    accepted: true,
    jobId,
    correlationId: request.id,
    message: "the e-mail is queued to become a document",
  });
}

/** The key as Dataverse sends it, in a header or as `code`; or a signature over the body. */
function isProven(request: FastifyRequest, body: Buffer, secret: Secret): boolean {
  return secret.accepted().some((each) => isProvenBy(request, body, each));
}

function isProvenBy(request: FastifyRequest, body: Buffer, secret: string): boolean {
  const digest = sha256(secret);
  const { code } = request.query as { code?: unknown };
  const keys = [request.headers["x-ms-dynamics-msg-keyvalue"], code];
  if (keys.some((key) => typeof key === "string" && isSameSecret(digest, key))) return true;
  const header = request.headers["x-dataverse-signature"];
  if (typeof header !== "string") return false;
  const signature = Buffer.from(header.trim().replace(/^sha256=/i, ""), "base64");
  const expected = createHmac("sha256", secret).update(body).digest();
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

/**
 * The name of the rule that excludes the mail, if the body is enough to decide. Otherwise the job decides
 * with all the facts; it also does so if the rules cannot be read now.
 */
async function excludedBy(
  needs: DataverseWebhookNeeds,
  event: DataverseEvent,
): Promise<string | null> {
  try {
    return ignoringRule(await needs.rules.decide(event.facts));
  } catch (error) {
    needs.log.warn({ err: error }, "the rules for mail cannot be read; the job will decide");
    return null;
  }
}

function ignoringRule({ action, rule }: MailDecision): string | null {
  return action === "Ignore" ? (rule ?? "default action Ignore") : null;
}

async function addJob(
  needs: DataverseWebhookNeeds,
  event: DataverseEvent,
  correlationId: string,
): Promise<string> {
  const job = {
    subjectId: event.emailId,
    idempotencyKey: archiveKey(event.emailId),
    correlationId,
    payload: {
      emailId: event.emailId,
      triggerSource: "Webhook" as const,
      messageName: event.messageName,
      operationCreatedOn: event.operationCreatedOn?.toISOString() ?? null,
      webhookCorrelationId: event.correlationId,
    },
  };
  try {
    const [jobId] = await needs.database.transaction((tx) =>
      needs.jobs.add(tx, processEmailToDocument, [job]),
    );
    return jobId!;
  } catch (error) {
    // Another trigger for the same message shares its job.
    const { code, facts } = error as Partial<Fault>;
    if (code === "job.key-reused") return String(facts!["jobId"]);
    throw error;
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  429: "Too Many Requests",
  503: "Service Unavailable",
};

function refuse(
  needs: DataverseWebhookNeeds,
  reply: FastifyReply,
  status: number,
  detail: string,
): FastifyReply {
  needs.onAnswer("refused");
  const title = TITLES[status]!;
  return reply
    .code(status)
    .type("application/problem+json")
    .send({ type: "about:blank", status, title, detail, correlationId: reply.request.id });
}
