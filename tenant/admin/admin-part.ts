import type { TenantContext } from "../context.ts";
import {
  createRouter,
  type Handler,
  type Part,
  type TenantRequest,
  type TenantResponse,
} from "../http.ts";
import type { TenantParts } from "../parts.ts";
import { AdminRefusal, type TenantCore } from "./admin-call.ts";
import { addControlRoutes } from "./control-routes.ts";
import { addDirectoryRoutes } from "./directory-routes.ts";
import { addMailRoutes } from "./mail-routes.ts";
import { addPartRoutes } from "./part-routes.ts";
import { addSubscriptionRoutes } from "./subscription-routes.ts";

/**
 * The tenant's admin API under `/admin`: JSON in, JSON out, without authentication, because the tenant
 * listens on loopback only. Faults never affect it.
 */
export function createAdminPart(
  context: TenantContext,
  parts: TenantParts,
  core: TenantCore,
): { readonly handle: Part } {
  const router = createRouter();
  const on = (method: string, path: string, handler: Handler) =>
    router.on(method, `/admin${path}`, handler);
  addControlRoutes(on, context, core);
  addDirectoryRoutes(on, context, core);
  addMailRoutes(on, context, parts.graph);
  addSubscriptionRoutes(on, parts.graph.admin);
  addPartRoutes(on, parts);
  return {
    async handle(request) {
      if (!isLocal(request)) return FORBIDDEN;
      const found = router.find(request.method, request.path);
      if (found === null) return null;
      Object.assign(request.params, found.params);
      try {
        return await found.handler(request);
      } catch (error) {
        if (error instanceof AdminRefusal) return refusalResponse(error);
        throw error;
      }
    },
  };
}

const FORBIDDEN: TenantResponse = {
  status: 403,
  body: { error: { code: "Forbidden", message: "The admin API is for this machine only." } },
};
const LOCAL_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * A web page elsewhere must not control the tenant through its reader's browser: neither with a cross-origin
 * POST, nor through a host name that it points at this machine.
 */
function isLocal(request: TenantRequest): boolean {
  const names = [request.headers["host"], request.headers["origin"]].filter(
    (name) => name !== undefined,
  );
  return names.every((name) => {
    const address = name.includes("://") ? name : `http://${name}`;
    return URL.canParse(address) && LOCAL_NAMES.has(new URL(address).hostname);
  });
}

function refusalResponse(refusal: AdminRefusal): TenantResponse {
  return {
    status: refusal.status,
    body: { error: { code: refusal.code, message: refusal.message } },
  };
}
