/** Graph's mail, subscriptions and `$batch`, as one part of the tenant. */
import type { TenantContext } from "../context.ts";
import type { Part, TenantRequest, TenantResponse } from "../http.ts";
import { createAccessPolicies } from "./access.ts";
import type { GraphAdmin } from "./admin.ts";
import { createGraphAdmin } from "./admin.ts";
import { addAttachmentRoutes } from "./attachment-routes.ts";
import { runBatch } from "./batch.ts";
import { addFolderRoutes } from "./folder-routes.ts";
import { createCall } from "./graph-call.ts";
import { badRequest, GraphProblem, toErrorResponse } from "./graph-error.ts";
import { createMailStore } from "./mail-store.ts";
import { addMessageRoutes } from "./message-routes.ts";
import { createNotifier } from "./notifier.ts";
import { createRouteTable, normalizePath, splitVersion } from "./route-table.ts";
import { addSubscriptionRoutes } from "./subscription-routes.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { addUserRoutes } from "./user-routes.ts";

export interface GraphPart {
  readonly handle: Part;
  readonly admin: GraphAdmin;
}

const GRAPH_AUDIENCE = "https://graph.microsoft.com";
const OWN_ROOTS = /^\/(users|me|subscriptions|\$batch)(?:[/(]|$)/i;
const OTHER_PARTS = /^\/(users|me)\/?[^/]*\/(drive|drives)(\/|$)|^\/me\/(drive|drives)(\/|$)/i;

export function createGraphPart(context: TenantContext): GraphPart {
  const random = context.random.fork("graph");
  const store = createMailStore(context);
  const policies = createAccessPolicies();
  const subscriptions = createSubscriptions(context);
  const notifier = createNotifier({
    context,
    random: random.fork("notifications"),
    store,
    subscriptions,
  });
  const world = { context, store, policies };
  const routes = createRouteTable();
  addUserRoutes(routes, context);
  addFolderRoutes(routes, world);
  addMessageRoutes(routes, world);
  addAttachmentRoutes(routes, world);
  addSubscriptionRoutes(routes, {
    context,
    random: random.fork("subscriptions"),
    store,
    policies,
    subscriptions,
    release: notifier.release,
  });
  const ids = random.fork("requests");

  const answer = async (
    request: TenantRequest,
    version: string,
    rest: string,
  ): Promise<TenantResponse> => {
    const caller = await context.authenticate(request.headers["authorization"], GRAPH_AUDIENCE);
    if (caller === null) {
      const isMissing = !request.headers["authorization"];
      throw new GraphProblem(
        401,
        "InvalidAuthenticationToken",
        isMissing
          ? "Access token is empty."
          : "Access token validation failure. Invalid audience, signature or lifetime.",
        {
          headers: {
            "www-authenticate": `Bearer realm="", authorization_uri="${context.origin()}/common/oauth2/authorize", client_id="00000003-0000-0000-c000-000000000000"`,
          },
        },
      );
    }
    let path = normalizePath(rest);
    if (/^\/me(\/|$)/i.test(path)) {
      if (caller.isAppOnly)
        throw badRequest("/me request is only valid with delegated authentication flow.");
      path = path.replace(/^\/me/i, `/users/${caller.objectId}`);
    }
    if (path.toLowerCase() === "/$batch" && request.method === "POST") {
      return runBatch(context, createCall(request, caller, {}, version), answerMember);
    }
    const route = routes.find(request.method, path);
    if (route === null) throw unknownPath(request.method, path);
    return route.handler(createCall(request, caller, route.params, version));
  };

  const unknownPath = (method: string, path: string) => {
    const allowed = routes.allows(path);
    return allowed.length > 0
      ? new GraphProblem(
          405,
          "Request_BadRequest",
          `Specified HTTP method '${method}' is not allowed for the request target.`,
          { headers: { allow: allowed.join(", ") } },
        )
      : badRequest(`Resource not found for the segment '${path.split("/").at(-1)}'.`);
  };

  const handle: Part = async (request) => {
    const split = splitVersion(request.path);
    if (split === null || !OWN_ROOTS.test(split.rest) || OTHER_PARTS.test(split.rest)) return null;
    const requestId = ids.uuid();
    const clientRequestId = request.headers["client-request-id"] ?? requestId;
    let response: TenantResponse;
    try {
      response = await answer(request, split.version, split.rest);
    } catch (problem) {
      if (!(problem instanceof GraphProblem)) throw problem;
      response = toErrorResponse(problem, {
        requestId,
        clientRequestId,
        nowMs: context.clock.now(),
      });
    }
    response.headers = {
      ...response.headers,
      "request-id": requestId,
      "client-request-id": clientRequestId,
    };
    return response;
  };

  const answerMember = async (request: TenantRequest): Promise<TenantResponse> => {
    const own = await handle(request);
    if (own !== null) return own;
    if (context.dispatch) return context.dispatch(request);
    return {
      status: 400,
      body: { error: { code: "BadRequest", message: "Resource not found for the segment." } },
    };
  };

  const admin = createGraphAdmin({ context, store, policies, subscriptions, notifier });
  return { handle, admin };
}
