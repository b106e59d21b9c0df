import { hasTag } from "../../request-headers.ts";
import type { GraphCall, GraphHandler } from "../call/graph-call.ts";
import { json, readJson } from "../call/graph-call.ts";
import { badRequest, GraphProblem } from "../call/graph-error.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import { checkNoParameters, checkParameters } from "../call/parameters.ts";
import type { RouteTable } from "../call/route-table.ts";
import { toChangeKey } from "../mailbox/mail-ids.ts";
import type { StoredMessage } from "../mailbox/mail-model.ts";
import { withExpansions } from "./expand.ts";
import type { MailScope, MailWorld } from "./mail-scope.ts";
import { loadFolder, loadMessage, scopeOf, viewOf } from "./mail-scope.ts";
import { toMessagePatch } from "./message-input.ts";
import { countMessages, listContext, listMessages } from "./message-list.ts";
import { showMessage } from "./message-view.ts";

/** Registers a handler for a message reached directly and through its folder. */
export function onMessage(
  routes: RouteTable,
  method: string,
  ending: string,
  handler: GraphHandler,
  options: readonly string[] = [],
): void {
  for (const place of ["", "/mailFolders/{folder}"]) {
    routes.on(method, `/users/{user}${place}/messages/{message}${ending}`, handler, options);
  }
}

/** The options that a response with one message honours. */
export const ONE_MESSAGE = ["$select", "$expand"];
const MANY_MESSAGES = [
  ...["$select", "$expand", "$filter", "$orderby", "$search", "$top", "$skip"],
  ...["$skiptoken", "$count"],
];

export function addMessageRoutes(routes: RouteTable, world: MailWorld): void {
  for (const place of ["", "/mailFolders/{folder}"]) {
    const path = `/users/{user}${place}/messages`;
    routes.on("GET", path, (call) => listMessages(world, call), MANY_MESSAGES);
    routes.on("GET", `${path}/$count`, (call) => countMessages(world, call), [
      "$filter",
      "$search",
    ]);
  }
  onMessage(
    routes,
    "GET",
    "",
    (call) => {
      const scope = scopeOf(world, call, "read-basic");
      return answer(world, call, scope, loadMessage(world, call, scope), 200);
    },
    ONE_MESSAGE,
  );
  onMessage(
    routes,
    "PATCH",
    "",
    (call) => {
      const scope = scopeOf(world, call, "write");
      const message = loadMessage(world, call, scope);
      checkMatch(call, message);
      const patch = toMessagePatch(readJson(call.request), message);
      return answer(world, call, scope, world.store.update(scope.mailbox, message, patch), 200);
    },
    ONE_MESSAGE,
  );
  onMessage(routes, "DELETE", "", (call) => {
    const scope = scopeOf(world, call, "write");
    const message = loadMessage(world, call, scope);
    checkMatch(call, message);
    deleteMessage(world, scope, message);
    return { status: 204 };
  });
  onMessage(routes, "POST", "/permanentDelete", (call) => {
    const scope = scopeOf(world, call, "write");
    checkNoParameters(call.request);
    world.store.remove(scope.mailbox, loadMessage(world, call, scope));
    return { status: 204 };
  });
  onMessage(
    routes,
    "POST",
    "/move",
    (call) => {
      const scope = scopeOf(world, call, "write");
      const message = loadMessage(world, call, scope);
      const folderId = destinationOf(call, scope);
      return answer(world, call, scope, world.store.move(scope.mailbox, message, folderId), 201);
    },
    ONE_MESSAGE,
  );
  onMessage(
    routes,
    "POST",
    "/copy",
    (call) => {
      const scope = scopeOf(world, call, "write");
      const message = loadMessage(world, call, scope);
      const folderId = destinationOf(call, scope);
      return answer(world, call, scope, world.store.copy(scope.mailbox, message, folderId), 201);
    },
    ONE_MESSAGE,
  );
}

/** Refuses a change with an ETag that no longer matches. */
function checkMatch(call: GraphCall, message: StoredMessage): void {
  const { "if-match": match, "if-none-match": noneMatch } = call.request.headers;
  const current = `W/"${toChangeKey(message.key, message.version)}"`;
  const isOf = (header: string) => header.trim() === "*" || hasTag(header, current);
  if ((match === undefined || isOf(match)) && (noneMatch === undefined || !isOf(noneMatch))) return;
  throw new GraphProblem(
    412,
    "ErrorIrresolvableConflict",
    "The send or update operation could not be performed because the change key passed in the request does not match the current change key for the item.",
  );
}

/**
 * A deleted message goes to the recoverable items, out of every listing; deleting it from there removes it.
 */
function deleteMessage(world: MailWorld, scope: MailScope, message: StoredMessage): void {
  const name = graphSwitch(world.context.switches, "deleteTarget");
  const target = scope.mailbox.wellKnown.get(name)!;
  if (message.folderId === target) world.store.remove(scope.mailbox, message);
  else world.store.move(scope.mailbox, message, target);
}

function destinationOf(call: GraphCall, scope: MailScope): string {
  const body = lowerFirst(readJson(call.request));
  checkParameters(body, ["destinationId"]);
  const { destinationId } = body;
  if (typeof destinationId !== "string" || destinationId === "") {
    throw badRequest("The destinationId parameter is missing.", "ErrorInvalidParameter");
  }
  return loadFolder(scope.mailbox, destinationId).folder.id;
}

/** Action parameters are accepted in both spellings, `destinationId` and `DestinationId`. */
export function lowerFirst(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name.charAt(0).toLowerCase() + name.slice(1),
      value,
    ]),
  );
}

export function answer(
  world: MailWorld,
  call: GraphCall,
  scope: MailScope,
  message: StoredMessage,
  status: number,
) {
  return json(
    status,
    {
      "@odata.context": listContext(world, call, "/$entity"),
      ...withExpansions(
        world,
        call,
        scope,
      )(message, showMessage(scope.mailbox, message, viewOf(call))),
    },
    call,
  );
}
