/**
 * Graph's mail, subscriptions and `$batch`, as one part of the tenant.
 *
 * Faults it honours besides those of every request, with their facts:
 * - `not-found-once`, `hold` (`delayMs`): `mailbox`, `method`, `path`; a message is not there yet, a
 *   call keeps its place among the four of the mailbox
 * - `empty-page`: `mailbox`, `path`, and for delta `folder`; a page of nothing that leads on
 * - `expire-delta`, `reset-delta`, `replay-delta` (`changes`), `duplicate-delta`: `mailbox`, `folder`
 * - `drop-notification`, `duplicate-notification` (`times`, `delayMs`), `late-notification`
 *   (`delayMs`), `reorder-notifications` (`delayMs`): `mailbox`, `subscriptionId`, `changeType`
 * - `drop-lifecycle`: `subscriptionId`, `lifecycleEvent`
 * - `notification-before-201`: `subscriptionId`, `resource`
 *
 * Its switches are in `graph-switches.ts`.
 */
import type { Caller, TenantContext } from "../context.ts";
import type { Part, TenantRequest, TenantResponse } from "../http.ts";
import { createGraphAdmin, type GraphAdmin } from "./admin.ts";
import { runBatch } from "./batch.ts";
import { createAccessPolicies, withRoles } from "./call/access.ts";
import { createCall, findUser } from "./call/graph-call.ts";
import { badRequest, GraphProblem } from "./call/graph-error.ts";
import { authenticate, withRequestIds } from "./call/identify.ts";
import { createMailGate, type MailGate } from "./call/mail-gate.ts";
import { checkOptions, withDollarNames } from "./call/query-options.ts";
import {
  createRouteTable,
  normalizePath,
  type RouteFacts,
  type RouteTable,
  splitVersion,
} from "./call/route-table.ts";
import { createThrottle } from "./call/throttle.ts";
import { addDeltaRoutes } from "./delta/delta-routes.ts";
import type { DeltaWorld } from "./delta/delta-start.ts";
import { createSyncTokens } from "./delta/sync-tokens.ts";
import { addApplicationRoutes } from "./directory/application-routes.ts";
import { addPrincipalRoutes } from "./directory/principal-routes.ts";
import { addUserRoutes } from "./directory/user-routes.ts";
import { createMailStore } from "./mailbox/mail-store.ts";
import { addAttachmentRoutes } from "./messages/attachment-routes.ts";
import { addUploadRoutes } from "./messages/attachment-upload.ts";
import { addDraftRoutes } from "./messages/draft-routes.ts";
import { addFolderRoutes } from "./messages/folder-routes.ts";
import { addMessageRoutes } from "./messages/message-routes.ts";
import { addReplyRoutes } from "./messages/reply-routes.ts";
import { addUnmodelledRoutes } from "./messages/unmodelled-routes.ts";
import { createNotifier } from "./notifications/notifier.ts";
import { type GraphState, restoreGraph, snapshotGraph } from "./snapshot.ts";
import { addSubscriptionRoutes } from "./subscriptions/subscription-routes.ts";
import { createSubscriptions } from "./subscriptions/subscriptions.ts";

export interface GraphPart {
  readonly handle: Part;
  readonly admin: GraphAdmin;
  readonly routes: readonly RouteFacts[];
  snapshot(): GraphState;
  restore(state: unknown): void;
  stop(): void;
}

const OWN_ROOTS = /^\/(users|me|subscriptions|applications|servicePrincipals|\$batch)(?:[/(]|$)/i;
const OTHER_PARTS = /^\/(?:users(?:\/[^/]+|\([^)]*\))|me)\/(?:drive|drives)(?:\/|$)/i;

const UNKNOWN_MEMBER: TenantResponse = {
  status: 400,
  body: { error: { code: "BadRequest", message: "Resource not found for the segment." } },
};

export function createGraphPart(context: TenantContext): GraphPart {
  const random = context.random.fork("graph");
  const store = createMailStore(context);
  const policies = createAccessPolicies();
  const subscriptions = createSubscriptions(context);
  const tokens = createSyncTokens(random.fork("sync"));
  const notifier = createNotifier({
    context,
    random: random.fork("notifications"),
    store,
    subscriptions,
  });
  const throttle = createThrottle(context);
  const world = { context, store, policies, tokens };
  const routes = createRouteTable();
  addDirectoryRoutes(routes, context);
  addMailRoutes(routes, world);
  const uploads = addUploadRoutes(routes, world, random.fork("uploads"));
  addAttachmentRoutes(routes, world);
  const handshakes = random.fork("subscriptions");
  addSubscriptionRoutes(routes, {
    context,
    random: handshakes,
    store,
    policies,
    subscriptions,
    throttle,
    release: notifier.release,
    notifyEarly: notifier.notifyEarly,
    greetHub: (url) => notifier.delivery.hubs.greet(url, handshakes.uuid()),
  });
  const gate = createMailGate(context, throttle);
  const identity = { context, requestIds: random.fork("requests") };
  const order = random.fork("batch");

  const handle: Part = async (request) => {
    const uploadPath = uploads.owns(request.path);
    if (uploadPath) return withRequestIds(identity, request, async () => uploads.handle(request));
    const split = splitVersion(request.path);
    if (split === null || !OWN_ROOTS.test(split.rest) || OTHER_PARTS.test(split.rest)) return null;
    return withRequestIds(identity, request, async () => {
      const caller = await authenticate(context, request);
      const path = ownPath(normalizePath(split.rest), caller);
      if (path.toLowerCase() === "/$batch" && request.method === "POST") {
        checkOptions(request.query, []);
        const call = createCall(request, caller, {}, split.version);
        return runBatch(context, call, answerMember, order);
      }
      const plain = withDollarNames(request);
      const actIn = (user: string) => withRoles(policies, caller, findUser(context, user));
      return answerRoute(routes, gate, plain, { caller, actIn, path, version: split.version });
    });
  };

  /** Members of a batch are dispatched like all requests if possible, so that faults affect them too. */
  const answerMember = async (request: TenantRequest): Promise<TenantResponse> =>
    context.dispatch ? context.dispatch(request) : ((await handle(request)) ?? UNKNOWN_MEMBER);

  const parts = { context, store, policies, subscriptions, notifier, tokens };
  const admin = createGraphAdmin(parts);
  return {
    handle,
    admin,
    routes: routes.list(),
    snapshot: () => snapshotGraph(parts),
    restore: (state) => restoreGraph(parts, state as GraphState),
    stop: () => notifier.stop(),
  };
}

function addDirectoryRoutes(routes: RouteTable, context: TenantContext): void {
  addUnmodelledRoutes(routes);
  addUserRoutes(routes, context);
  addPrincipalRoutes(routes, context);
  addApplicationRoutes(routes, context);
}

function addMailRoutes(routes: RouteTable, world: DeltaWorld): void {
  addDeltaRoutes(routes, world);
  addFolderRoutes(routes, world);
  addMessageRoutes(routes, world);
  addDraftRoutes(routes, world);
  addReplyRoutes(routes, world);
}

/** `/me` is the user of the token; an app has none. */
function ownPath(path: string, caller: Caller): string {
  if (!/^\/me(\/|$)/i.test(path)) return path;
  if (caller.isAppOnly)
    throw badRequest("/me request is only valid with delegated authentication flow.");
  return path.replace(/^\/me/i, `/users/${caller.objectId}`);
}

interface Addressed {
  readonly caller: Caller;
  /** The caller with its rights in a user's mailbox. */
  actIn(user: string): Caller;
  readonly path: string;
  readonly version: string;
}

async function answerRoute(
  routes: RouteTable,
  gate: MailGate,
  request: TenantRequest,
  { caller, actIn, path, version }: Addressed,
): Promise<TenantResponse> {
  const route = routes.find(request.method, path);
  if (route === null) throw unknownPath(routes, request.method, path);
  const user = route.params["user"];
  const acting = user === undefined ? caller : actIn(user);
  const call = createCall(request, acting, route.params, version);
  const isMail = user !== undefined && path.split("/").length > 3;
  return isMail ? gate.pass(call, () => route.handler(call)) : route.handler(call);
}

function unknownPath(routes: RouteTable, method: string, path: string): GraphProblem {
  const allowed = routes.allows(path);
  if (allowed.length === 0)
    return badRequest(`Resource not found for the segment '${path.split("/").at(-1)}'.`);
  return new GraphProblem(
    405,
    "Request_BadRequest",
    `Specified HTTP method '${method}' is not allowed for the request target.`,
    {
      headers: { allow: allowed.join(", ") },
    },
  );
}
