/**
 * A write with an `Idempotency-Key` happens once, however often it is sent: the first answer is kept for a day and
 * given again. The key belongs to its caller and to one request. It is taken in the database before the work begins,
 * so that two servers cannot do it twice; a refused answer is kept too, and a failure of ours releases the key.
 * Files have their own mechanisms: their bytes decide whether they are known.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { key16, sha256Hex, uuidFor } from "../../lib/hash.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { Queryable } from "../../store/database.ts";
import {
  type KeptAnswer,
  type KeyedRequest,
  keepAnswer,
  releaseKey,
  takeKey,
} from "./kept-answer-table.ts";
import { ProblemError } from "./problem.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Set for a POST that is safe to repeat and whose response shows documents: a response that is kept would outlive
     * the reader's rights.
     */
    readonly answersAnew?: boolean;
  }
  interface FastifyRequest {
    /** Set while this request holds an idempotency key. */
    keyed: KeyedRequest | null;
  }
}

const HEADER = "idempotency-key";
const KEY = /^[\x21-\x7e]{1,200}$/;
/** A request takes minutes at most; after that its server must have stopped. */
const LIMITS = { keptSeconds: 24 * 3_600, workSeconds: 15 * 60 };
const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export function keepAnswers(
  app: FastifyInstance,
  { database, log }: { readonly database: Queryable; readonly log: Log },
): void {
  app.decorateRequest("keyed", null);
  // After validation: a request that does not fit its schema has done nothing and keeps no key.
  app.addHook("preHandler", async (request, reply) => {
    const keyed = readKey(request);
    if (keyed === null) return undefined;
    const kept = await takeKey(database, keyed, LIMITS);
    if (kept !== null) return answerAgain(reply, keyed, kept);
    request.keyed = keyed;
    return undefined;
  });
  app.addHook("onSend", async ({ keyed }, reply, payload) => {
    if (keyed === null) return payload;
    const { statusCode: status } = reply;
    const contentType = (reply.getHeader("content-type") as string | undefined) ?? null;
    const body = typeof payload === "string" ? payload : "";
    try {
      if (status >= 500) await releaseKey(database, keyed);
      else await keepAnswer(database, keyed, { status, contentType, body });
    } catch (error) {
      // What was done is done. The key stays taken, so that a repetition is refused and not done again.
      log.warn({ err: error, operation: keyed.operation }, "an answer was not kept for its key");
    }
    return payload;
  });
}

/**
 * Commits the answer together with its effect, for writes of which a repetition would do something else: whatever fails
 * after the commit, the key then answers and does not work again.
 */
export async function keepWithEffect<Body extends object>(
  tx: Queryable,
  reply: FastifyReply,
  body: Body,
  status = 200,
): Promise<Body> {
  const { keyed } = reply.request;
  if (keyed === null) return body;
  // The schema of this status decides what the text holds.
  const text = String(reply.code(status).serialize(body));
  await keepAnswer(tx, keyed, {
    status,
    contentType: "application/json; charset=utf-8",
    body: text,
  });
  return body;
}

/** For what is created outside the database: a repetition under the same key names the same thing. */
export function idForEffect({ keyed }: Pick<FastifyRequest, "keyed">, random: Random): string {
  if (keyed === null) return random.uuid();
  const { caller, key, operation, digest } = keyed;
  return uuidFor("effect", key16(caller, key, operation, digest));
}

function readKey(request: FastifyRequest): KeyedRequest | null {
  const key = request.headers[HEADER];
  const { schema, config, url } = request.routeOptions;
  if (key === undefined || READS.has(request.method) || schema?.sends !== undefined) return null;
  if (config.answersAnew === true) return null;
  if (config.access === "open") return null; // without a caller there is nobody to keep it for
  if (typeof key !== "string" || !KEY.test(key)) {
    const detail = "must be 1 to 200 visible ASCII characters";
    throw new ProblemError({
      status: 400,
      title: "Bad Request",
      detail: `${HEADER}: ${detail}`,
      errorCode: "request.bad",
      errors: [{ pointer: `/headers/${HEADER}`, detail }],
    });
  }
  return {
    caller: keeperOf(request.caller),
    key,
    operation: `${request.method} ${url}`,
    digest: sha256Hex(
      JSON.stringify([request.url, schema?.hasSecret ? null : (request.body ?? null)]),
    ),
  };
}

/** Everybody who uses the operator key has the same id, so that their terminals' names keep their keys apart. */
function keeperOf({ id, name }: FastifyRequest["caller"]): string {
  return id === "operator" ? (name ?? id) : id;
}

function answerAgain(reply: FastifyReply, keyed: KeyedRequest, kept: KeptAnswer): FastifyReply {
  if (kept.operation !== keyed.operation || kept.digest !== keyed.digest)
    throw new ProblemError({
      status: 422,
      title: "Unprocessable Content",
      errorCode: "idempotency.key-reused",
      detail: "this idempotency key was used for another request",
    });
  if (kept.status === null)
    throw new ProblemError({
      status: 409,
      title: "Conflict",
      errorCode: kept.isStale ? "idempotency.outcome-unknown" : "idempotency.in-progress",
      detail: kept.isStale
        ? "the server stopped while it worked on this request, which may have been done or not"
        : "the first request with this idempotency key is still in progress",
    });
  void reply.code(kept.status).header("idempotent-replayed", "true");
  if (kept.contentType !== null) void reply.type(kept.contentType);
  return reply.serializer((text: unknown) => text as string).send(kept.body ?? "");
}
