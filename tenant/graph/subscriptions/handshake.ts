/** The call that proves that a notification URL belongs to the subscriber. */
import type { TenantContext } from "../../context.ts";
import type { Random } from "../../random.ts";
import { badRequest } from "../call/graph-error.ts";
import { headerOf, sendOut } from "./send-out.ts";

const LIMIT_MS = 10_000;

export interface HandshakeWorld {
  readonly context: TenantContext;
  readonly random: Random;
}

/** Refuses the whole subscription if the endpoint does not answer as it must. */
export async function shakeHands(world: HandshakeWorld, url: string): Promise<void> {
  const token = `Validation: Testing client application reachability for subscription Request-Id: ${world.random.uuid()}`;
  const answer = await sendOut(world.context, {
    url: withValidationToken(url, token),
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: "",
    timeoutMs: LIMIT_MS,
  });
  const failure = failureOf(token, answer);
  world.context.journal.record("subscription.validated", {
    url,
    outcome: failure?.outcome ?? "ok",
  });
  if (failure !== null) throw badRequest(failure.message, failure.code);
}

/** Encodes like Graph: lower-case escapes and `+` for a space. */
function withValidationToken(url: string, token: string): string {
  const encoded = encodeURIComponent(token)
    .replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
    .replace(/%20/g, "+");
  return `${url}${url.includes("?") ? "&" : "?"}validationToken=${encoded}`;
}

function failureOf(
  token: string,
  answer: { status: number; headers: Record<string, string>; body: string; tookMs: number },
) {
  if (answer.tookMs >= LIMIT_MS) {
    return {
      outcome: "timeout",
      code: "InvalidRequest",
      message: "Subscription validation request timed out.",
    };
  }
  if (answer.status !== 200) {
    const said = answer.status === 0 ? "" : ` HTTP status code is '${statusName(answer.status)}'.`;
    return {
      outcome: answer.status === 0 ? "unreachable" : `status ${answer.status}`,
      code: "ValidationError",
      message: `Subscription validation request failed. Notification endpoint must respond with 200 OK to validation request.${said}`,
    };
  }
  const type = headerOf(answer.headers, "content-type") ?? "";
  if (!/^text\/plain\b/i.test(type) || answer.body !== token) {
    return {
      outcome: answer.body === token ? "content type" : "wrong body",
      code: "InvalidRequest",
      message:
        "Subscription validation request failed. Response must exactly match validationToken query parameter.",
    };
  }
  return null;
}

const STATUS_NAMES: Record<number, string> = {
  201: "Created",
  202: "Accepted",
  204: "NoContent",
  301: "MovedPermanently",
  302: "Found",
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  415: "UnsupportedMediaType",
  429: "TooManyRequests",
  500: "InternalServerError",
  502: "BadGateway",
  503: "ServiceUnavailable",
  504: "GatewayTimeout",
};

function statusName(status: number): string {
  return STATUS_NAMES[status] ?? String(status);
}
