/**
 * Identifies the caller. Programs and people send an Entra token for our API; the command line on the same
 * machine sends the operator key from the home folder.
 */
import type { FastifyRequest } from "fastify";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { isSameSecret, sha256 } from "../../lib/hash.ts";
import { badRequest, forbidden, unauthorized } from "../http/problem.ts";
import { type Role, roleOf } from "./roles.ts";

export interface Caller {
  /** The user's object id, or `operator`. */
  readonly id: string;
  /** The name in the token; only for display. */
  readonly name?: string;
  /** Null for a person who sees only their own data. */
  readonly role: Role | null;
  /** The caller's own token, for calls on their behalf; absent for the operator. */
  readonly token?: string;
}

/** Who decided, for the record: a person's object id, or whose terminal used the operator key. */
export function nameOf({ id, name }: Caller): string {
  return id === "operator" ? (name ?? id) : id;
}

/** Returns the caller, or throws the refusal that ends the request. */
export type Authorize = (request: FastifyRequest) => Promise<Caller>;

export interface ApiIdentity {
  readonly tenantId: string;
  readonly appId: string;
  readonly authorityOrigin: string;
}

const LEEWAY_SECONDS = 60;
/** Tokens with unknown key IDs make us fetch the keys at most this often. */
const KEYS_COOLDOWN_MS = 5 * 60_000;
const SCOPE = "user_impersonation";
const OPERATOR_NAME_HEADER = "postroom-operator";

export function createAuthorize(options: {
  operatorKey: string;
  api: ApiIdentity | null;
}): Authorize {
  const operatorHash = sha256(options.operatorKey);
  const verifyUser = options.api === null ? null : createUserCheck(options.api);
  return async (request) => {
    assertOneHeader(request);
    const token = bearerOf(request);
    if (token === null) throw unauthorized("Missing or invalid authorization token");
    if (isSameSecret(operatorHash, token))
      return { id: "operator", role: "admin", ...operatorName(request) };
    const user = verifyUser === null ? null : await verifyUser(token);
    if (user === null) throw unauthorized("Missing or invalid authorization token");
    return { ...user, token };
  };
}

/** The command line says whose terminal it is; the key could claim anything, so the record says that too. */
function operatorName({ headers }: FastifyRequest): { name?: string } {
  const name = headers[OPERATOR_NAME_HEADER];
  return typeof name === "string" && /^[\w.@-]{1,64}$/.test(name)
    ? { name: `${name} (operator key)` }
    : {};
}

/** If there were two tokens, a proxy might check one and we the other. */
function assertOneHeader({ raw }: FastifyRequest): void {
  const names = raw.rawHeaders.filter((_, at) => at % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === "authorization").length > 1)
    throw badRequest("send one Authorization header");
}

/** The token of `Authorization: Bearer …`; a token in the query is ignored. */
function bearerOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  const match = header === undefined ? null : /^bearer +([^\s,]+)$/i.exec(header.trim());
  return match?.[1] ?? null;
}

function createUserCheck(api: ApiIdentity): (token: string) => Promise<Caller | null> {
  // The keys come from one fixed URL; a URL in the token's own header is ignored.
  const keys = createRemoteJWKSet(
    new URL(`${api.authorityOrigin}/${api.tenantId}/discovery/v2.0/keys`),
    { cooldownDuration: KEYS_COOLDOWN_MS },
  );
  const issuers = [
    `https://login.microsoftonline.com/${api.tenantId}/v2.0`,
    `https://sts.windows.net/${api.tenantId}/`,
    `${api.authorityOrigin}/${api.tenantId}/v2.0`,
  ];
  const verify = async (token: string): Promise<Record<string, unknown> | null> => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ["RS256"],
        audience: [api.appId, `api://${api.appId}`],
        issuer: issuers,
        clockTolerance: LEEWAY_SECONDS,
        requiredClaims: ["exp"],
      });
      return payload;
    } catch {
      return null; // every invalid token gets the same response
    }
  };
  return async (token) => {
    const claims = await verify(token);
    return claims === null ? null : toCaller(api, claims);
  };
}

/** Null if the token proves nothing to us; throws if it is valid but its holder may not call this API. */
function toCaller(api: ApiIdentity, claims: Record<string, unknown>): Caller | null {
  const { oid, tid, azp, appid, roles, scp, name } = claims;
  if (tid !== api.tenantId) return null;
  if (typeof oid !== "string") throw unauthorized("User identity not found");
  // An ID token tells an app who signed in. Unlike an access token, it does not name an app that may call us.
  if (typeof (azp ?? appid) !== "string") return null;
  if (typeof scp !== "string")
    throw forbidden("only users may call this API, not apps on their own");
  if (!scp.split(" ").includes(SCOPE)) throw forbidden(`the token lacks the scope ${SCOPE}`);
  return { id: oid, role: roleOf(roles), ...(typeof name === "string" ? { name } : {}) };
}
