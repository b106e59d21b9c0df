import type { TenantContext } from "./context.ts";
import { claimsChallengeHeader } from "./entra/conditional-access.ts";
import { findPerson } from "./entra/sessions.ts";
import { decodeJwt } from "./entra/tokens/jwt.ts";
import type { ArmedFault } from "./faults.ts";
import type { TenantRequest, TenantResponse, WireFault } from "./http.ts";
import type { PartError, PartName } from "./part-errors.ts";

/**
 * Faults that can strike any request, before or after a part has answered it. Their facts are
 * `part`, `method`, `path` and, where the path names one, `mailbox`. Kinds:
 *
 * - `throttle`: 429, `retryAfterSeconds` (10; null leaves the header out)
 * - `server-error`: `status` (503)
 * - `unauthorized`: 401
 * - `claims-challenge`: 401 with the claims to sign in with, for clients that declared `cp1` only
 * - `html`: a gateway's page instead of JSON, `status` (502)
 * - `timeout`: no answer at all
 * - `reset`: the connection breaks before anything was done
 * - `lost-answer`: it was done, and then the connection breaks
 * - `slow`: the answer waits `delayMs` (5,000) on the tenant's clock
 * - `cut-body`: the connection ends after `afterBytes` (half) of the body
 * - `bad-json`: the body stops being JSON half way, with a right length
 */
export interface FaultGate {
  /** The response to return instead of asking the part, or null. */
  before(request: TenantRequest, part: PartName): GateAnswer | null;
  /** The part's response as the caller will get it. */
  after(request: TenantRequest, part: PartName, response: TenantResponse): TenantResponse;
}

type GateAnswer = { error: PartError } | { response: TenantResponse };

const BEFORE_ANSWER = [
  "claims-challenge",
  "throttle",
  "server-error",
  "unauthorized",
  "html",
  "timeout",
  "reset",
];
const AFTER_ANSWER = ["lost-answer", "slow", "cut-body", "bad-json"];

export function createFaultGate(
  context: Pick<TenantContext, "faults" | "users" | "origin">,
): FaultGate {
  const { faults, users } = context;
  const factsOf = (request: TenantRequest, part: PartName): Record<string, string> => {
    const name = /^\/[^/]+\/users\/([^/]+)/i.exec(request.path)?.[1];
    const facts = { part, method: request.method, path: request.path };
    if (name === undefined) return facts;
    const mailbox = safeDecode(name);
    return { ...facts, mailbox: findPerson(users, mailbox)?.id ?? mailbox };
  };
  return {
    before(request, part) {
      if (part === "admin" || faults.list().length === 0) return null;
      const fault = faults.strike(BEFORE_ANSWER, factsOf(request, part));
      if (fault?.kind === "claims-challenge") return challenge(context.origin(), request, fault);
      return fault === null ? null : answerOf(fault);
    },
    after(request, part, response) {
      if (part === "admin" || faults.list().length === 0) return response;
      const fault = faults.strike(AFTER_ANSWER, factsOf(request, part));
      return fault === null ? response : { ...response, ...alter(fault, response) };
    },
  };
}

/** A client that did not declare `cp1` could not handle claims and gets a bare 401. */
function challenge(origin: string, request: TenantRequest, fault: ArmedFault): GateAnswer {
  const token = request.headers["authorization"]?.split(" ")[1] ?? "";
  const capabilities = decodeJwt(token)?.claims["xms_cc"];
  const nbf = Math.floor(Number(decodeJwt(token)?.claims["iat"] ?? 0)) + 1;
  const claims = fault.options["claims"] ?? {
    access_token: { nbf: { essential: true, value: String(nbf) } },
  };
  const header = claimsChallengeHeader(origin, JSON.stringify(claims));
  const understandsClaims = Array.isArray(capabilities) && capabilities.includes("cp1");
  return {
    error: {
      status: 401,
      code: "InvalidAuthenticationToken",
      message: "Continuous access evaluation resulted in challenge.",
      headers: understandsClaims ? { "www-authenticate": header } : {},
    },
  };
}

function answerOf(fault: ArmedFault): GateAnswer {
  const options = fault.options;
  switch (fault.kind) {
    case "throttle": {
      const seconds =
        options["retryAfterSeconds"] === undefined ? 10 : options["retryAfterSeconds"];
      const headers: Record<string, string> =
        seconds === null ? {} : { "retry-after": String(seconds) };
      return {
        error: { status: 429, code: "TooManyRequests", message: "Too many requests.", headers },
      };
    }
    case "unauthorized":
      return {
        error: {
          status: 401,
          code: "InvalidAuthenticationToken",
          message: "Access token has expired or is not yet valid.",
        },
      };
    case "html": {
      const body =
        "<html><head><title>Bad gateway</title></head><body>The service is unavailable.</body></html>";
      const status = Number(options["status"] ?? 502);
      return { response: { status, headers: { "content-type": "text/html" }, body } };
    }
    case "timeout":
      return { response: { status: 504, wire: { hang: true } } };
    case "reset":
      return { response: { status: 503, wire: { reset: true } } };
    default: {
      const status = Number(options["status"] ?? 503);
      const code = status === 500 ? "InternalServerError" : "ServiceNotAvailable";
      return { error: { status, code, message: "The service is temporarily unavailable." } };
    }
  }
}

function alter(fault: ArmedFault, response: TenantResponse): Partial<TenantResponse> {
  const wire = (change: WireFault) => ({ wire: { ...response.wire, ...change } });
  if (fault.kind === "lost-answer") return wire({ reset: true });
  if (fault.kind === "slow") return wire({ delayMs: Number(fault.options["delayMs"] ?? 5000) });
  const bytes = toBytes(response.body);
  if (fault.kind === "cut-body") {
    return wire({
      cutAfterBytes: Number(fault.options["afterBytes"] ?? Math.floor(bytes.length / 2)),
    });
  }
  return {
    body: bytes.subarray(0, Math.floor(bytes.length / 2)),
    headers: { "content-type": "application/json", ...response.headers },
  };
}

export function toBytes(body: TenantResponse["body"]): Buffer {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an unescaped percent sign is part of the name
  }
}
