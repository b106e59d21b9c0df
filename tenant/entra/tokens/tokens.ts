import { createHash } from "node:crypto";
import type { Clock } from "../../clock.ts";
import type { AppRegistration, Caller, Switches, User } from "../../context.ts";
import type { Random } from "../../random.ts";
import { type Claims, decodeJwt, isSignedBy, signJwt } from "./jwt.ts";
import type { SigningKeys } from "./keys.ts";
import { findResource, permissionsAt, type Resource, type ResourceWorld } from "./resources.ts";

/** The principal under which Graph's change tracking signs its validation tokens. */
const CHANGE_TRACKING_APP_ID = "0bf30f3b-4a52-48df-9a82-234910c4a086";
const VERIFIED_TOKENS_MAX = 10_000;

export interface TokenWorld extends ResourceWorld {
  readonly tenantId: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly switches: Switches;
  readonly keys: SigningKeys;
}

export interface TokenRequest {
  readonly client: AppRegistration;
  readonly resource: Resource;
  /** Null for an app-only token. */
  readonly user: User | null;
  /** Delegated scopes that were granted; ignored for an app-only token. */
  readonly scopes: readonly string[];
  /** How the client authenticated: 0 not at all, 1 by secret, 2 by certificate. */
  readonly clientProof: 0 | 1 | 2;
  /** Capabilities that the client declared (`xms_cc`), for claims challenges. */
  readonly capabilities?: readonly string[];
  /** True if the user used a second factor. */
  readonly isStrong?: boolean;
}

export interface MintedToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

export function mintAccessToken(world: TokenWorld, wanted: TokenRequest): MintedToken {
  const now = Math.floor(world.clock.now() / 1000);
  const expiresInSeconds = lifetimeSeconds(world);
  const claims = {
    aud: wanted.resource.audience,
    iss: issuerOf(world.tenantId, wanted.resource.tokenVersion),
    iat: now,
    nbf: now,
    exp: now + expiresInSeconds,
    tid: world.tenantId,
    aio: world.random.bytes(32).toString("base64"),
    uti: world.random.bytes(16).toString("base64url"),
    ver: `${wanted.resource.tokenVersion}.0`,
    ...(wanted.capabilities?.length ? { xms_cc: wanted.capabilities } : {}),
    ...clientClaims(wanted),
    ...(wanted.user === null ? appOnlyClaims(wanted) : userClaims(world, wanted, wanted.user)),
  };
  return { token: signJwt(world.keys.current(), claims), expiresInSeconds };
}

export function issuerOf(tenantId: string, version: 1 | 2): string {
  return version === 1
    ? `https://sts.windows.net/${tenantId}/`
    : `https://login.microsoftonline.com/${tenantId}/v2.0`;
}

/** Entra chooses lifetimes between 60 and 90 minutes, so that clients do not all return at the same time. */
function lifetimeSeconds(world: TokenWorld): number {
  const setting = world.switches.tokenLifetimeSeconds;
  return setting === "random" ? 3600 + world.random.below(1801) : setting;
}

function clientClaims({ client, resource, clientProof }: TokenRequest): Claims {
  return resource.tokenVersion === 1
    ? { appid: client.appId, appidacr: String(clientProof), app_displayname: client.displayName }
    : { azp: client.appId, azpacr: String(clientProof) };
}

function appOnlyClaims({ client, resource }: TokenRequest): Claims {
  const roles = permissionsAt(resource, client.appRoles);
  const id = client.servicePrincipalId;
  // The token is issued even without any role: authorisation happens at the API.
  return { oid: id, sub: id, idtyp: "app", ...(roles.length > 0 ? { roles } : {}) };
}

function userClaims(
  world: TokenWorld,
  { resource, scopes, client, isStrong }: TokenRequest,
  user: User,
): Claims {
  const roles = user.appRoles?.[resource.id] ?? [];
  const names =
    resource.tokenVersion === 1
      ? { upn: user.userPrincipalName, unique_name: user.userPrincipalName }
      : { preferred_username: user.userPrincipalName };
  return {
    oid: user.id,
    sub: pairwiseSubject(
      user.id,
      resource.id === "graph" ? client.appId : resource.id,
      world.tenantId,
    ),
    name: user.displayName,
    scp: scopes.join(" "),
    ...(isStrong ? { acrs: ["c1"], amr: ["pwd", "mfa"] } : {}),
    ...names,
    ...(roles.length > 0 ? { roles } : {}),
  };
}

/** `sub` differs between applications, so that two of them cannot compare their users. */
export function pairwiseSubject(userId: string, applicationId: string, tenantId: string): string {
  return createHash("sha256").update(`${tenantId}/${applicationId}/${userId}`).digest("base64url");
}

export function mintValidationToken(world: TokenWorld, appId: string): string {
  const now = Math.floor(world.clock.now() / 1000);
  const version = world.switches["validationTokenVersion"] === 1 ? 1 : 2;
  return signJwt(world.keys.current(), {
    aud: appId,
    iss: issuerOf(world.tenantId, version),
    iat: now,
    nbf: now,
    exp: now + 3600,
    tid: world.tenantId,
    ver: `${version}.0`,
    ...(version === 1 ? { appid: CHANGE_TRACKING_APP_ID } : { azp: CHANGE_TRACKING_APP_ID }),
  });
}

/** The claims of a token that a published key signed and that has not expired; otherwise null. */
export function verifyToken(world: TokenWorld, token: string): Claims | null {
  const jwt = decodeJwt(token);
  if (jwt === null) return null;
  const key = world.keys.find(String(jwt.header["kid"]));
  if (key === null || !isSignedBy(jwt, key)) return null;
  return jwt.claims;
}

export function isWithinTime(world: TokenWorld, claims: Claims): boolean {
  const now = world.clock.now() / 1000;
  return Number(claims["nbf"]) <= now + 300 && Number(claims["exp"]) > now;
}

/** Remembers verified tokens: a load test sends the same one thousands of times a second. */
export function createAuthenticator(world: TokenWorld) {
  const verified = new Map<string, { claims: Claims; kid: string }>();
  const claimsOf = (token: string): Claims | null => {
    const known = verified.get(token);
    if (known && world.keys.find(known.kid) !== null) return known.claims;
    const claims = verifyToken(world, token);
    if (claims === null) return null;
    if (verified.size >= VERIFIED_TOKENS_MAX) verified.clear();
    verified.set(token, { claims, kid: String(decodeJwt(token)?.header["kid"]) });
    return claims;
  };
  return (authorization: string | undefined, audience: string): Caller | null => {
    const token = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) return null;
    const claims = claimsOf(token);
    if (claims === null || !isWithinTime(world, claims)) return null;
    const asked = findResource(world, audience);
    const actual = findResource(world, String(claims["aud"]));
    if (asked === null || actual === null || asked.id !== actual.id) return null;
    return toCaller(claims);
  };
}

function toCaller(claims: Claims): Caller {
  const scopes = typeof claims["scp"] === "string" ? claims["scp"].split(" ") : [];
  return {
    tenantId: String(claims["tid"]),
    appId: String(claims["appid"] ?? claims["azp"]),
    objectId: String(claims["oid"]),
    isAppOnly: claims["idtyp"] === "app",
    audience: String(claims["aud"]),
    scopes: new Set(scopes),
    roles: new Set((claims["roles"] as string[] | undefined) ?? []),
  };
}
