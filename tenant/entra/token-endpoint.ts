import type { TenantContext } from "../context.ts";
import type { createRouter, TenantRequest, TenantResponse } from "../http.ts";
import { missingParameter } from "./client-proof.ts";
import { grantDevice } from "./device-code.ts";
import {
  type EntraProblem,
  EntraRefusal,
  entraErrorBody,
  entraErrorResponse,
  refuse,
} from "./entra-error.ts";
import { grantClientCredentials } from "./grant-client-credentials.ts";
import { grantCode } from "./grant-code.ts";
import { grantOnBehalfOf } from "./grant-on-behalf-of.ts";
import { grantPassword } from "./grant-password.ts";
import { grantRefresh } from "./grant-refresh.ts";
import type { Grants } from "./grants.ts";
import { readForm } from "./read-form.ts";
import { checkTenant } from "./tenant-name.ts";

/** One grant: reads the form and returns the token response, or refuses. */
type Grant = (grants: Grants, request: TenantRequest, form: URLSearchParams) => object;

export const GRANTS: Readonly<Record<string, Grant>> = {
  client_credentials: grantClientCredentials,
  authorization_code: grantCode,
  refresh_token: grantRefresh,
  password: grantPassword,
  "urn:ietf:params:oauth:grant-type:jwt-bearer": grantOnBehalfOf,
  "urn:ietf:params:oauth:grant-type:device_code": grantDevice,
};
const LOOP_WINDOW_MS = 5 * 60_000;

export function addTokenRoutes(
  router: ReturnType<typeof createRouter>,
  context: TenantContext,
  grants: Grants,
): void {
  const answer = (request: TenantRequest) => {
    const origin = request.headers["origin"];
    const response = answerTokenRequest(context, grants, request);
    // A single-page application calls from its own origin and must be allowed to read the response.
    if (origin) response.headers = { ...response.headers, "access-control-allow-origin": origin };
    const id = request.headers["client-request-id"];
    if (id !== undefined && /^true$/i.test(request.headers["return-client-request-id"] ?? "")) {
      response.headers = { ...response.headers, "client-request-id": id };
    }
    return response;
  };
  for (const path of ["/{tenant}/oauth2/v2.0/token", "/{tenant}/oauth2/token"]) {
    router.on("POST", path, answer);
    router.on("OPTIONS", path, allowOrigin);
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      router.on(method, path, (request) =>
        refusalResponse(context, grants, request, onlyPost(method)),
      );
    }
  }
}

function onlyPost(method: string): EntraProblem {
  return {
    error: "invalid_request",
    number: 900561,
    message: `The endpoint only accepts POST, OPTIONS requests. Received a ${method} request.`,
  };
}

function allowOrigin(request: TenantRequest): TenantResponse {
  return {
    status: 204,
    headers: {
      "access-control-allow-origin": request.headers["origin"] ?? "*",
      "access-control-allow-methods": "POST, OPTIONS",
      "access-control-allow-headers":
        request.headers["access-control-request-headers"] ?? "content-type",
      "access-control-max-age": "86400",
    },
  };
}

function answerTokenRequest(
  context: TenantContext,
  grants: Grants,
  request: TenantRequest,
): TenantResponse {
  try {
    const body = grantToken(context, grants, request);
    return {
      status: 200,
      headers: {
        "cache-control": "no-store, no-cache",
        pragma: "no-cache",
        "x-ms-request-id": grants.world.random.uuid(),
      },
      body,
    };
  } catch (error) {
    if (!(error instanceof EntraRefusal)) throw error;
    return refusalResponse(context, grants, request, error.problem);
  }
}

function grantToken(context: TenantContext, grants: Grants, request: TenantRequest): object {
  checkTenant(context, request.params["tenant"]!);
  const isFirst = !/\/oauth2\/v2\.0\//i.test(request.path);
  const form = readTokenForm(request);
  if (isFirst) fromResource(form);
  const kind = form.get("grant_type") ?? missingParameter("grant_type");
  const grant = Object.hasOwn(GRANTS, kind) ? GRANTS[kind] : undefined;
  if (grant === undefined) {
    refuse({
      error: "unsupported_grant_type",
      number: 70003,
      message: `The app requested an unsupported grant type '${kind}'.`,
    });
  }
  if (isFirst) checkResource(kind, form);
  else refuseResource(form);
  if (kind === "client_credentials") checkNamedTenant(request.params["tenant"]!);
  checkLoop(grants, form);
  const body = grant(grants, request, form);
  context.journal.record("token.issued", { grant: kind, clientId: form.get("client_id") });
  return isFirst ? toFirstVersion(grants, form, body) : body;
}

/** An app is asked for by its tenant: a name for all tenants does not say whose app it is. */
function checkNamedTenant(tenant: string): void {
  if (!["common", "organizations", "consumers"].includes(tenant.toLowerCase())) return;
  refuse({
    error: "invalid_request",
    number: 50059,
    message:
      "No tenant-identifying information found in either the request or implied by any provided credentials.",
  });
}

function refuseResource(form: URLSearchParams): void {
  if (!form.has("resource")) return;
  refuse({
    error: "invalid_request",
    number: 901002,
    message: "The 'resource' request parameter is not supported.",
  });
}

/** A scope means nothing to version 1 when an app asks for itself. */
function checkResource(kind: string, form: URLSearchParams): void {
  if (kind === "client_credentials" && !form.get("resource")) missingParameter("resource");
}

/** The version-1 endpoint names a resource instead of scopes. */
function fromResource(form: URLSearchParams): void {
  const resource = form.get("resource");
  if (resource !== null && !form.has("scope")) {
    // Version 1 has no scopes of sign-in: its id token always has the claims of `profile`.
    form.set("scope", `${resource.replace(/\/$/, "")}/.default openid profile offline_access`);
  }
}

/** Version 1 responds with strings, the expiry time of the token, and the resource it is for. */
function toFirstVersion(grants: Grants, form: URLSearchParams, body: object): object {
  const { expires_in, ext_expires_in, ...rest } = body as Record<string, unknown>;
  const now = Math.floor(grants.world.clock.now() / 1000);
  return {
    ...rest,
    expires_in: String(expires_in),
    ext_expires_in: String(ext_expires_in),
    expires_on: String(now + Number(expires_in)),
    not_before: String(now),
    resource: form.get("resource") ?? "",
  };
}

function refusalResponse(
  context: TenantContext,
  grants: Grants,
  request: TenantRequest,
  problem: EntraProblem,
): TenantResponse {
  context.journal.record("token.refused", { error: problem.error, number: problem.number });
  const body = entraErrorBody(context, grants.world.random.uuid(), request, problem);
  return entraErrorResponse(body, problem);
}

/** A client that repeats the same request does not cache its tokens. */
function checkLoop(grants: Grants, form: URLSearchParams): void {
  const limit = grants.world.switches.tokenLoopLimit;
  if (limit === 0) return;
  const fields = ["grant_type", "client_id", "scope", "assertion", "username", "refresh_token"];
  const key = fields.map((name) => form.get(name)).join("\n");
  const now = grants.world.clock.now();
  const times = (grants.memory.recent.get(key) ?? []).filter((at) => at > now - LOOP_WINDOW_MS);
  grants.memory.recent.set(key, [...times, now]);
  if (times.length < limit) return;
  refuse({
    error: "invalid_grant",
    number: 50196,
    message:
      "The server terminated an operation because it encountered a client request loop. Please contact your app vendor.",
  });
}

function readTokenForm(request: TenantRequest): URLSearchParams {
  const type = request.headers["content-type"] ?? "";
  if (!type.toLowerCase().startsWith("application/x-www-form-urlencoded")) {
    refuse({
      error: "invalid_request",
      number: 900144,
      message:
        "The request body must contain the following parameter: 'grant_type'. Its Content-Type must be application/x-www-form-urlencoded.",
    });
  }
  return readForm(request);
}
