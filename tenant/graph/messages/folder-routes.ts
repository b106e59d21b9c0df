import type { GraphCall } from "../call/graph-call.ts";
import { contextUrl, json, readJson } from "../call/graph-call.ts";
import { badRequest, GraphProblem } from "../call/graph-error.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import { nextLink, pageOf } from "../call/paging.ts";
import type { RouteTable } from "../call/route-table.ts";
import { remaining } from "../mailbox/lazy-block.ts";
import type { FolderState, Mailbox } from "../mailbox/mailbox.ts";
import type { MailWorld } from "./mail-scope.ts";
import { loadFolder, scopeOf } from "./mail-scope.ts";

export function addFolderRoutes(routes: RouteTable, world: MailWorld): void {
  routes.on("GET", "/users/{user}/mailFolders", (call) =>
    listFolders(world, call, "msgfolderroot"),
  );
  routes.on("GET", "/users/{user}/mailFolders/{folder}/childFolders", (call) =>
    listFolders(world, call, call.params["folder"]!),
  );
  routes.on("GET", "/users/{user}/mailFolders/{folder}", (call) => {
    const { mailbox, folder } = scopeOf(world, call, "read-basic");
    const select = selectOf(call);
    return json(
      200,
      {
        "@odata.context": folderContext(world, call, "/$entity"),
        ...showFolder(mailbox, folder!, select),
      },
      call,
    );
  });
  routes.on("POST", "/users/{user}/mailFolders", (call) =>
    createFolder(world, call, "msgfolderroot"),
  );
  routes.on("POST", "/users/{user}/mailFolders/{folder}/childFolders", (call) =>
    createFolder(world, call, call.params["folder"]!),
  );
  routes.on("PATCH", "/users/{user}/mailFolders/{folder}", (call) => renameFolder(world, call));
  routes.on("DELETE", "/users/{user}/mailFolders/{folder}", (call) => {
    const { mailbox, folder } = scopeOf(world, call, "write");
    if (folder!.folder.wellKnownName !== null) {
      throw new GraphProblem(
        400,
        "ErrorDeleteDistinguishedFolder",
        "Distinguished folders cannot be deleted.",
      );
    }
    world.store.removeFolder(mailbox, folder!);
    return { status: 204 };
  });
  routes.on("POST", "/users/{user}/mailFolders/{folder}/move", (call) => {
    const { mailbox, folder } = scopeOf(world, call, "write");
    const target = loadFolder(mailbox, String(readJson(call.request)["destinationId"] ?? ""));
    world.store.updateFolder(mailbox, folder!.folder, { parentFolderId: target.folder.id });
    return json(201, showFolder(mailbox, folder!, null), call);
  });
}

function listFolders(world: MailWorld, call: GraphCall, parentName: string) {
  const { mailbox } = scopeOf(world, call, "read-basic");
  const parent = loadFolder(mailbox, parentName);
  const { query } = call.request;
  const withHidden = /^true$/i.test(query.get("includeHiddenFolders") ?? "");
  const children = childrenOf(mailbox, parent.folder.id).filter(
    (state) => withHidden || !state.folder.isHidden,
  );
  const wanted = filterByName(children, query.get("$filter"));
  const page = pageOf(call, graphSwitch(world.context.switches, "mailFolderPageSize"));
  const select = selectOf(call);
  const body: Record<string, unknown> = {
    "@odata.context": folderContext(world, call, ""),
    ...(/^true$/i.test(query.get("$count") ?? "") ? { "@odata.count": wanted.length } : {}),
    value: wanted
      .slice(page.skip, page.skip + page.top)
      .map((state) => showFolder(mailbox, state, select)),
  };
  if (page.skip + page.top < wanted.length) {
    body["@odata.nextLink"] = nextLink(world.context, call, page.skip + page.top);
  }
  return json(200, body, call);
}

function childrenOf(mailbox: Mailbox, parentFolderId: string): FolderState[] {
  return [...mailbox.folders.values()].filter(
    (state) => state.folder.parentFolderId === parentFolderId,
  );
}

function filterByName(states: FolderState[], filter: string | null): FolderState[] {
  if (filter === null) return states;
  const match = /^\s*displayName\s+eq\s+'((?:[^']|'')*)'\s*$/i.exec(filter);
  if (match === null) throw badRequest("Invalid filter clause", "RequestBroker--ParseUri");
  const wanted = match[1]!.replace(/''/g, "'").toLowerCase();
  return states.filter((state) => state.folder.displayName.toLowerCase() === wanted);
}

function createFolder(world: MailWorld, call: GraphCall, parentName: string) {
  const { mailbox } = scopeOf(world, call, "write");
  const parent = loadFolder(mailbox, parentName);
  const { displayName, isHidden } = readJson(call.request);
  if (typeof displayName !== "string" || displayName === "") {
    throw badRequest("The displayName property is required.", "ErrorInvalidRequest");
  }
  if (
    childrenOf(mailbox, parent.folder.id).some((state) => state.folder.displayName === displayName)
  ) {
    throw new GraphProblem(
      409,
      "ErrorFolderExists",
      `A folder with the specified name already exists., ${displayName}`,
    );
  }
  const folder = world.store.createFolder(mailbox, parent.folder.id, displayName, {
    isHidden: isHidden === true,
  });
  return json(
    201,
    {
      "@odata.context": folderContext(world, call, "/$entity"),
      ...showFolder(mailbox, mailbox.folders.get(folder.id)!, null),
    },
    call,
  );
}

function renameFolder(world: MailWorld, call: GraphCall) {
  const { mailbox, folder } = scopeOf(world, call, "write");
  const { displayName } = readJson(call.request);
  if (typeof displayName !== "string" || displayName === "") {
    throw badRequest("The displayName property is required.", "ErrorInvalidRequest");
  }
  world.store.updateFolder(mailbox, folder!.folder, { displayName });
  return json(200, showFolder(mailbox, folder!, null), call);
}

export function showFolder(
  mailbox: Mailbox,
  state: FolderState,
  select: readonly string[] | null,
): Record<string, unknown> {
  const { folder } = state;
  const shown: Record<string, unknown> = {
    displayName: folder.displayName,
    parentFolderId: folder.parentFolderId,
    childFolderCount: childrenOf(mailbox, folder.id).filter((child) => !child.folder.isHidden)
      .length,
    unreadItemCount: state.unread,
    totalItemCount: state.messages.items.length + (state.lazy === null ? 0 : remaining(state.lazy)),
    sizeInBytes: 0,
    isHidden: folder.isHidden,
  };
  const kept =
    select === null
      ? shown
      : Object.fromEntries(
          Object.entries(shown).filter(([name]) => select.includes(name.toLowerCase())),
        );
  return {
    ...(folder.isSearchFolder ? { "@odata.type": "#microsoft.graph.mailSearchFolder" } : {}),
    id: folder.id,
    ...kept,
  };
}

function selectOf(call: GraphCall): string[] | null {
  const text = call.request.query.get("$select");
  return text === null ? null : text.split(",").map((name) => name.trim().toLowerCase());
}

function folderContext(world: MailWorld, call: GraphCall, ending: string): string {
  return contextUrl(
    world.context,
    call,
    `users('${encodeURIComponent(call.params["user"]!)}')/mailFolders${ending}`,
  );
}
