import type { FastifyReply, FastifyRequest } from "fastify";
import { killPoint } from "../lib/kill-points.ts";
import type { Log } from "../lib/log.ts";
import type { RejectionLimit } from "./rejection-limit.ts";

export interface HandshakeNeeds {
  /** Present if only handshakes for our own requests are answered. */
  readonly isHandshakeExpected?: (token: string) => Promise<boolean>;
  readonly limit: RejectionLimit;
  readonly log: Log;
}

/** Runs before the body is parsed: Graph's handshake has no body and no authentication. */
export function answerHandshake(
  needs: HandshakeNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const token = request.method === "POST" ? handshakeToken(request.raw.url ?? "") : "none";
  if (token === "bad") void reply.code(400).send();
  else if (token !== "none") answerToken(needs, request, reply, token.text).catch(done);
  else if (request.headers["content-encoding"] !== undefined) void reply.code(415).send();
  else done();
}

async function answerToken(
  needs: HandshakeNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<void> {
  if (needs.isHandshakeExpected === undefined || (await needs.isHandshakeExpected(token)))
    return echo(reply, token);
  if (needs.limit.spend(request.ip))
    needs.log.warn(
      { security: "handshake-not-expected", ip: request.ip, correlationId: request.id },
      "a handshake arrived although we requested no subscription",
    );
  await reply.code(404).send();
}

async function echo(reply: FastifyReply, token: string): Promise<void> {
  await killPoint("subscription.handshake-answered");
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

const TOKEN_LENGTH_MAX = 4_096;

/**
 * The validation token in a request's query. Graph encodes spaces as `+`, which only form decoding reverses.
 * A token is echoed as text, so tokens with control characters, repeated tokens and arrays are refused.
 */
function handshakeToken(url: string): { readonly text: string } | "none" | "bad" {
  // Without a query this reads the path, whose name begins with a slash.
  const query = new URLSearchParams(url.slice(url.indexOf("?") + 1));
  const names = [...query.keys()].filter((name) => /^validationToken/i.test(name));
  if (names.length === 0) return "none";
  const text = query.get("validationToken");
  const isGood =
    names.length === 1 &&
    text !== null &&
    text.length <= TOKEN_LENGTH_MAX &&
    !/[\u0000-\u001f\u007f]/.test(text);
  return isGood ? { text } : "bad";
}
