import type { AppRegistration, User } from "../context.ts";
import { readCapabilities, requireAccess } from "./conditional-access.ts";
import { type Grants, grantScopes, readScopes, tokenResponse } from "./grants.ts";
import { signJwt } from "./tokens/jwt.ts";
import { issuerOf, mintAccessToken, pairwiseSubject, type TokenWorld } from "./tokens/tokens.ts";

const REFRESH_LIFETIME_MS = 90 * 86_400_000;
/** A page in a browser gets refresh tokens that last only one day. */
const REFRESH_LIFETIME_PAGE_MS = 86_400_000;

export interface UserGrant {
  readonly kind: string;
  readonly client: AppRegistration;
  readonly proof: 0 | 1 | 2;
  readonly user: User;
  readonly scope: string;
  readonly isStrong: boolean;
  readonly nonce: string | null;
  readonly form: URLSearchParams;
}

/**
 * Everything that a signed-in user's client gets: an access token and, if requested, refresh and id tokens.
 */
export function answerWithUserTokens(grants: Grants, grant: UserGrant): object {
  const { world } = grants;
  const { client, user, form } = grant;
  const wanted = readScopes(world, grant.scope);
  const scopes = grantScopes(client, wanted);
  requireAccess(grants, {
    user,
    resource: wanted.resource.id,
    grant: grant.kind,
    isStrong: grant.isStrong,
  });
  const minted = mintAccessToken(world, {
    client,
    resource: wanted.resource,
    user,
    scopes,
    clientProof: grant.proof,
    capabilities: readCapabilities(form.get("claims")),
    isStrong: grant.isStrong,
  });
  return {
    ...tokenResponse(minted),
    scope: scopeAnswer(grant.scope, wanted.resourceName, scopes),
    ...(wanted.signIn.has("offline_access")
      ? { refresh_token: keepRefreshToken(grants, grant) }
      : {}),
    ...(wanted.signIn.has("openid") ? { id_token: mintIdToken(world, grant, wanted.signIn) } : {}),
    ...(form.get("client_info") === "1" ? { client_info: clientInfo(world, user) } : {}),
  };
}

/**
 * Granted scopes with their resource, plus the requested scopes as they were written: MSAL finds a cached
 * token only if the response's scopes include every scope of the request.
 */
function scopeAnswer(asked: string, resource: string, granted: readonly string[]): string {
  const named = granted.map((name) => `${resource}/${name}`);
  return [...new Set([...asked.split(/\s+/).filter(Boolean), ...named])].join(" ");
}

function keepRefreshToken(grants: Grants, grant: UserGrant): string {
  const token = `1.${grants.world.random.bytes(48).toString("base64url")}`;
  const lifetimeMs = grant.proof === 0 ? REFRESH_LIFETIME_PAGE_MS : REFRESH_LIFETIME_MS;
  grants.memory.refreshTokens.set(token, {
    userId: grant.user.id,
    clientId: grant.client.appId,
    scope: grant.scope,
    isStrong: grant.isStrong,
    expiresAtMs: grants.world.clock.now() + lifetimeMs,
    isRevoked: false,
  });
  return token;
}

function mintIdToken(
  world: TokenWorld,
  { client, user, nonce }: UserGrant,
  signIn: ReadonlySet<string>,
): string {
  const now = Math.floor(world.clock.now() / 1000);
  const roles = user.appRoles?.[client.appId] ?? [];
  return signJwt(world.keys.current(), {
    aud: client.appId,
    iss: issuerOf(world.tenantId, 2),
    iat: now,
    nbf: now,
    exp: now + 3600,
    ...(signIn.has("profile")
      ? { name: user.displayName, oid: user.id, preferred_username: user.userPrincipalName }
      : {}),
    sub: pairwiseSubject(user.id, client.appId, world.tenantId),
    tid: world.tenantId,
    uti: world.random.bytes(16).toString("base64url"),
    ver: "2.0",
    ...(signIn.has("email") ? { email: user.mail } : {}),
    ...(nonce === null ? {} : { nonce }),
    ...(roles.length > 0 ? { roles } : {}),
  });
}

function clientInfo(world: TokenWorld, user: User): string {
  return Buffer.from(JSON.stringify({ uid: user.id, utid: world.tenantId })).toString("base64url");
}
