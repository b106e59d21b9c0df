import type { User } from "../context.ts";
import { refuse } from "./entra-error.ts";
import { findResource, type Resource } from "./resources.ts";
import type { MintedToken, TokenWorld } from "./tokens.ts";

/** What the grants share: the tenant as the tokens see it, and what was handed out before. */
export interface Grants {
  readonly world: TokenWorld;
  readonly users: readonly User[];
}

/** Scopes that belong to sign-in itself and to no resource. */
export const SIGN_IN_SCOPES = new Set(["openid", "profile", "email", "offline_access"]);

export interface WantedScopes {
  readonly resource: Resource;
  /** Permission names without their resource; `.default` stands for all that was consented. */
  readonly permissions: readonly string[];
  readonly signIn: ReadonlySet<string>;
}

/** Splits a scope parameter; a bare permission such as `Mail.Read` is Graph's. */
export function readScopes(world: TokenWorld, scope: string): WantedScopes {
  const names = scope.split(/\s+/).filter(Boolean);
  const signIn = new Set(names.filter((name) => SIGN_IN_SCOPES.has(name)));
  const resourceScopes = names.filter((name) => !SIGN_IN_SCOPES.has(name)).map(splitScope);
  const owners = new Set(resourceScopes.map((entry) => entry.resource));
  if (owners.size > 1) {
    refuse({
      error: "invalid_scope",
      number: 700022,
      message: `The provided value for the input parameter 'scope' is not valid because it contains more than one resource.`,
    });
  }
  const name = resourceScopes[0]?.resource ?? "https://graph.microsoft.com";
  return {
    resource: loadResource(world, name),
    permissions: resourceScopes.map((entry) => entry.permission),
    signIn,
  };
}

function splitScope(scope: string): { resource: string; permission: string } {
  const slash = scope.lastIndexOf("/");
  if (slash < 0) return { resource: "https://graph.microsoft.com", permission: scope };
  // A doubled slash is right for a resource whose name ends in one.
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

export function tokenResponse(minted: MintedToken): Record<string, unknown> {
  return {
    token_type: "Bearer",
    expires_in: minted.expiresInSeconds,
    ext_expires_in: minted.expiresInSeconds,
    access_token: minted.token,
  };
}
