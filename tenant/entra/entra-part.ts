import type { TenantContext, User } from "../context.ts";
import { createRouter, type Part, type TenantRequest } from "../http.ts";
import { addConsentRoutes } from "./admin-consent.ts";
import { addAuthorizeRoutes } from "./authorize.ts";
import { findClient } from "./client-proof.ts";
import { addDeviceRoutes } from "./device-code.ts";
import { addDiscoveryRoutes } from "./discovery.ts";
import { type Grants, grantScopes, readScopes } from "./grants.ts";
import { createEntraMemory, type EntraMemory, findPerson, restoreMemory } from "./sessions.ts";
import { addTokenRoutes } from "./token-endpoint.ts";
import { mintAccessToken, type TokenWorld } from "./tokens/tokens.ts";
import { addUserInfoRoutes } from "./user-info.ts";

export interface EntraPart {
  readonly handle: Part;
  snapshot(): unknown;
  restore(state: unknown): void;
  /** Issues a token without a request; consent is checked in the same way. */
  tokenFor(wanted: { user?: string; app?: string; scope?: string }): string;
  /** Ends a person's refresh tokens, as a changed password or an administrator does. */
  revokeSessions(user: string): void;
  /** Withdraws a person's consent to an app. */
  withdrawConsent(user: string, app: string): void;
}

/** Sign-in for the whole tenant: discovery, keys, and the token endpoint with its grants. */
export function createEntraPart(context: TenantContext, world: TokenWorld): EntraPart {
  const router = createRouter();
  const memory = createEntraMemory();
  const grants: Grants = { world, users: context.users, faults: context.faults, memory };
  addDiscoveryRoutes(router, context, world);
  addTokenRoutes(router, context, grants);
  addAuthorizeRoutes(router, context, grants);
  addDeviceRoutes(router, context, grants);
  addConsentRoutes(router, context, grants);
  addUserInfoRoutes(router, context);
  return {
    async handle(request: TenantRequest) {
      const found = router.find(request.method, request.path);
      if (found === null) return null;
      Object.assign(request.params, found.params);
      return found.handler(request);
    },
    tokenFor: (wanted) => mintFor(grants, wanted),
    revokeSessions(name) {
      const user = personOf(grants, name);
      for (const kept of memory.refreshTokens.values())
        if (kept.userId === user.id) kept.isRevoked = true;
      for (const [id, session] of memory.sessions)
        if (session.userId === user.id) memory.sessions.delete(id);
    },
    withdrawConsent: (name, app) =>
      void memory.withdrawn.set(`${app} ${personOf(grants, name).id}`, true),
    snapshot: () => memory,
    restore: (state) => restoreMemory(memory, state as EntraMemory),
  };
}

function personOf(grants: Grants, name: string): User {
  const user = findPerson(grants.users, name);
  if (user === null) throw new Error(`no user ${name} here`);
  return user;
}

function mintFor(grants: Grants, wanted: { user?: string; app?: string; scope?: string }): string {
  const client = findClient(grants.world, wanted.app ?? grants.world.apps[0]!.appId);
  const asked = readScopes(grants.world, wanted.scope ?? "https://graph.microsoft.com/.default");
  const user = wanted.user === undefined ? null : personOf(grants, wanted.user);
  const scopes = user === null ? [] : grantScopes(client, asked);
  const { resource } = asked;
  return mintAccessToken(grants.world, { client, resource, user, scopes, clientProof: 1 }).token;
}
