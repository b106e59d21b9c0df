import type { TenantContext } from "../context.ts";
import { createRouter, type Part, type TenantRequest } from "../http.ts";
import { addAuthorizeRoutes } from "./authorize.ts";
import { addDiscoveryRoutes } from "./discovery.ts";
import type { Grants } from "./grants.ts";
import { createEntraMemory, type EntraMemory, restoreMemory } from "./sessions.ts";
import { addTokenRoutes } from "./token-endpoint.ts";
import type { TokenWorld } from "./tokens.ts";

export interface EntraPart {
  readonly handle: Part;
  snapshot(): unknown;
  restore(state: unknown): void;
}

/** Sign-in for the whole tenant: discovery, keys, and the token endpoint with its grants. */
export function createEntraPart(context: TenantContext, world: TokenWorld): EntraPart {
  const router = createRouter();
  const memory = createEntraMemory();
  const grants: Grants = { world, users: context.users, faults: context.faults, memory };
  addDiscoveryRoutes(router, world);
  addTokenRoutes(router, context, grants);
  addAuthorizeRoutes(router, context, grants);
  return {
    async handle(request: TenantRequest) {
      const found = router.find(request.method, request.path);
      if (found === null) return null;
      Object.assign(request.params, found.params);
      return found.handler(request);
    },
    snapshot: () => memory,
    restore: (state) => restoreMemory(memory, state as EntraMemory),
  };
}
