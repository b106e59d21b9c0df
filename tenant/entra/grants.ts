import type { AppRegistration, User } from "../context.ts";
import type { Faults } from "../faults.ts";
import { refuse } from "./entra-error.ts";
import type { EntraMemory } from "./sessions.ts";
import { findResource, GRAPH_AUDIENCE, permissionsAt, type Resource } from "./tokens/resources.ts";
import type { MintedToken, TokenWorld } from "./tokens/tokens.ts";

/** What the grants share: the tenant's data for tokens, and what was issued before. */
export interface Grants {
  readonly world: TokenWorld;
  readonly users: readonly User[];
  readonly faults: Faults;
  readonly memory: EntraMemory;
}

/** Scopes that belong to sign-in itself and to no resource. */
const SIGN_IN_SCOPES = new Set(["openid", "profile", "email", "offline_access"]);

export interface WantedScopes {
  readonly resource: Resource;
  /** The resource as the client wrote it; the scopes in the response begin with it. */
  readonly resourceName: string;
  /** Permission names without their resource; `.default` stands for everything with consent. */
  readonly permissions: readonly string[];
  readonly signIn: ReadonlySet<string>;
}

/** Splits a scope parameter; a bare permission such as `Mail.Read` belongs to Graph. */
export function readScopes(world: TokenWorld, scope: string): WantedScopes {
  const names = scope.split(/\s+/).filter(Boolean);
  const signIn = new Set(names.filter((name) => SIGN_IN_SCOPES.has(name)));
  const resourceScopes = names.filter((name) => !SIGN_IN_SCOPES.has(name)).map(splitScope);
  const resourceName = resourceScopes[0]?.resource ?? GRAPH_AUDIENCE;
  const owners = resourceScopes.map((entry) => loadResource(world, entry.resource).id);
  if (new Set(owners).size > 1) {
    refuse({
      error: "invalid_scope",
      number: 700022,
      message:
        "The provided value for the input parameter 'scope' is not valid because it contains more than one resource.",
    });
  }
  return {
    resource: loadResource(world, resourceName),
    resourceName,
    permissions: resourceScopes.map((entry) => entry.permission),
    signIn,
  };
}

function splitScope(scope: string): { resource: string; permission: string } {
  const slash = scope.lastIndexOf("/");
  if (slash < 0) return { resource: GRAPH_AUDIENCE, permission: scope };
  if (slash === scope.length - 1) {
    refuse({
      error: "invalid_scope",
      number: 70011,
      message: `The provided request must include a 'scope' input parameter. The provided value for the input parameter 'scope' is not valid. The scope ${scope} is not valid.`,
    });
  }
  // A doubled slash is correct for a resource whose name ends in one.
  return { resource: scope.slice(0, slash).replace(/\/$/, ""), permission: scope.slice(slash + 1) };
}

export function loadResource(world: TokenWorld, name: string): Resource {
  const resource = findResource(world, name);
  if (resource) return resource;
  return refuse({
    error: "invalid_resource",
    number: 500011,
    message: `The resource principal named ${name} was not found in the tenant named ${world.tenantId}. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant.`,
  });
}

/** The delegated scopes that a client gets out of those it requests; throws without consent. */
export function grantScopes(client: AppRegistration, wanted: WantedScopes): string[] {
  const { resource, permissions } = wanted;
  // An app that requests its own sign-in scopes, or a token for its own API, needs no consent.
  if (resource.id === client.appId) return [...(client.exposedScopes ?? [])];
  const consented = permissionsAt(resource, client.delegatedScopes);
  if (permissions.length === 0) return consented.filter((name) => name === "User.Read");
  if (consented.length === 0 && permissionsAt(resource, client.appRoles).length === 0) {
    refuse({
      error: "invalid_resource",
      number: 650057,
      message: `Invalid resource. The client has requested access to a resource which is not listed in the requested permissions in the client's application registration. Client app ID: ${client.appId}(${client.displayName}). Resource value from request: ${resource.audience}.`,
    });
  }
  const missing = permissions.find((name) =>
    name === ".default" ? consented.length === 0 : !consented.includes(name),
  );
  if (missing === undefined) return consented;
  return refuse({
    error: "invalid_grant",
    suberror: "consent_required",
    number: 65001,
    message: `The user or administrator has not consented to use the application with ID '${client.appId}' named '${client.displayName}'. Send an interactive authorization request for this user and resource.`,
  });
}

export function tokenResponse(minted: MintedToken): Record<string, unknown> {
  return {
    token_type: "Bearer",
    expires_in: minted.expiresInSeconds,
    ext_expires_in: minted.expiresInSeconds,
    access_token: minted.token,
  };
}
