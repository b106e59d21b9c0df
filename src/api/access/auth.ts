/**
 * Identifies the caller. Programs and people send an Entra token for our API; the command line on the same
 * machine sends the operator key from the home folder.
 */
import type { FastifyRequest } from "fastify";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { isSameSecret, sha256 } from "../../lib/hash.ts";
import { unauthorized } from "../http/problem.ts";
import { type Role, roleOf } from "./roles.ts";

export interface Caller {
  /** The user's object id, or `operator`. */
  readonly id: string;
  /** As the token says it; for people's eyes only. */
  readonly name?: string;
  /** Null for a person who sees only what is theirs. */
  readonly role: Role | null;
  /** The caller's own token, for calls on their behalf; absent for the operator. */
  readonly token?: string;
}

/** Returns the caller, or throws the 401 that ends the request. */
export type Authorize = (request: FastifyRequest) => Promise<Caller>;

export interface ApiIdentity {
  readonly tenantId: string;
  readonly appId: string;
  readonly authorityOrigin: string;
}

const LEEWAY_SECONDS = 60;

export function createAuthorize(options: {
  operatorKey: string;
  api: ApiIdentity | null;
}): Authorize {
  const operatorHash = sha256(options.operatorKey);
  const verifyUser = options.api === null ? null : createUserCheck(options.api);
  return async (request) => {
    const token = bearerOf(request);
    if (token === null) throw unauthorized("Missing or invalid authorization token");
    if (isSameSecret(operatorHash, token)) return { id: "operator", role: "admin" };
    const user = verifyUser === null ? null : await verifyUser(token);
    if (user === null) throw unauthorized("Missing or invalid authorization token");
    return { ...user, token };
  };
}

/** The token of `Authorization: Bearer …`. Repeated headers and tokens in the query are ignored. */
export function bearerOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  const match = header === undefined ? null : /^bearer +([^\s,]+)$/i.exec(header.trim());
  return match?.[1] ?? null;
}

function createUserCheck(api: ApiIdentity): (token: string) => Promise<Caller | null> {
  // The keys come from one fixed URL; a URL in the token's own header is ignored.
  const keys = createRemoteJWKSet(
    new URL(`${api.authorityOrigin}/${api.tenantId}/discovery/v2.0/keys`),
    {
      cooldownDuration: 300_000,
    },
  );
  const issuers = [
    `https://login.microsoftonline.com/${api.tenantId}/v2.0`,
    `https://sts.windows.net/${api.tenantId}/`,
    `${api.authorityOrigin}/${api.tenantId}/v2.0`,
  ];
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ["RS256"],
        audience: [api.appId, `api://${api.appId}`],
        issuer: issuers,
        clockTolerance: LEEWAY_SECONDS,
      });
      const { oid, tid, roles, scp, name } = payload as Record<string, unknown>;
      if (tid !== api.tenantId || typeof oid !== "string") return null;
      // A token of an app has roles and no scopes; only users may call this API.
      if (typeof scp !== "string" || !scp.split(" ").includes("user_impersonation")) return null;
      return { id: oid, role: roleOf(roles), ...(typeof name === "string" ? { name } : {}) };
    } catch {
      return null; // every invalid token gets the same response
    }
  };
}
