import { parseFilter } from "../../odata/filter.ts";
import { createJsonSource } from "../../odata/json-source.ts";
import { ODataSyntaxError } from "../../odata/tokens.ts";
import type { GraphCall } from "../call/graph-call.ts";
import { contextUrl, json, readJson } from "../call/graph-call.ts";
import { badRequest, GraphProblem } from "../call/graph-error.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import { nextLink, pageOf } from "../call/paging.ts";
import { checkNoParameters, checkParameters } from "../call/parameters.ts";
import { keepSelected } from "../call/query-options.ts";
import type { RouteTable } from "../call/route-table.ts";
import { remaining } from "../mailbox/lazy-block.ts";
import type { FolderState, Mailbox } from "../mailbox/mailbox.ts";
import type { MailWorld } from "./mail-scope.ts";
import { loadFolder, scopeOf } from "./mail-scope.ts";
import { lowerFirst } from "./message-routes.ts";

const MANY_FOLDERS = [
  ...["$select", "$filter", "$expand", "$top", "$skip", "$count", "includeHiddenFolders"],
];

export function addFolderRoutes(routes: RouteTable, world: MailWorld): void {
  const onChildren = (path: string, parentOf: (call: GraphCall) => string) => {
    routes.on("GET", path, (call) => listFolders(world, call, parentOf(call)), MANY_FOLDERS);
    routes.on("POST", path, (call) => createFolder(world, call, parentOf(call)));
  };
  routes.on("GET", "/users/{user}/mailFolders/$count", (call) => countFolders(world, call));
  onChildren("/users/{user}/mailFolders", () => "msgfolderroot");
  onChildren("/users/{user}/mailFolders/{folder}/childFolders", (call) => call.params["folder"]!);
  routes.on(
    "GET",
    "/users/{user}/mailFolders/{folder}",
    (call) => {
      const { mailbox, folder } = scopeOf(world, call, "read-basic");
      return json(
        200,
        {
          "@odata.context": folderContext(world, call, "/$entity"),
          ...showFolder(mailbox, folder!, selectOf(call)),
          ...folderExpansion(call, mailbox)(folder!),
        },
        call,
      );
    },
    ["$select", "$expand"],
  );
  routes.on("PATCH", "/users/{user}/mailFolders/{folder}", (call) => renameFolder(world, call));
  const removeFolder = (call: GraphCall) => {
    const { mailbox, folder } = scopeOf(world, call, "write");
    if (call.request.method === "POST") checkNoParameters(call.request);
    if (folder!.folder.wellKnownName !== null) {
      throw new GraphProblem(
        400,
        "ErrorDeleteDistinguishedFolder",
        "Distinguished folders cannot be deleted.",
      );
    }
    world.store.removeFolder(mailbox, folder!);
    return { status: 204 };
  };
  routes.on("DELETE", "/users/{user}/mailFolders/{folder}", removeFolder);
  routes.on("POST", "/users/{user}/mailFolders/{folder}/permanentDelete", removeFolder);
  routes.on("POST", "/users/{user}/mailFolders/{folder}/move", (call) => {
    const { mailbox, folder } = scopeOf(world, call, "write");
    if (folder!.folder.wellKnownName !== null) {
      throw new GraphProblem(
        400,
        "ErrorMoveDistinguishedFolder",
        "Distinguished folders cannot be moved.",
      );
    }
    const target = destinationOf(call, mailbox, folder!);
    world.store.updateFolder(mailbox, folder!.folder, { parentFolderId: target.folder.id });
    return answerFolder(world, call, mailbox, folder!, 200);
  });
  routes.on("POST", "/users/{user}/mailFolders/{folder}/copy", (call) => {
    const { mailbox, folder } = scopeOf(world, call, "write");
    const copy = copyFolder(world, mailbox, folder!, destinationOf(call, mailbox, folder!));
    return json(200, showFolder(mailbox, copy, null), call);
  });
}

/** The new place of a folder: neither inside itself nor beside another folder of the same name. */
function destinationOf(call: GraphCall, mailbox: Mailbox, moved: FolderState): FolderState {
  const body = lowerFirst(readJson(call.request));
  checkParameters(body, ["destinationId"]);
  const target = loadFolder(mailbox, String(body["destinationId"] ?? ""));
  for (let each: FolderState | undefined = target; each !== undefined; ) {
    if (each === moved) {
      throw badRequest("A folder cannot go into itself.", "ErrorMoveCopyFailed");
    }
    each = mailbox.folders.get(each.folder.parentFolderId ?? "");
  }
  checkName(mailbox, target.folder.id, moved.folder.displayName);
  return target;
}

function copyFolder(
  world: MailWorld,
  mailbox: Mailbox,
  source: FolderState,
  target: FolderState,
): FolderState {
  if (source.lazy !== null) {
    throw new GraphProblem(501, "NotImplemented", "A folder of generated mail cannot be copied.");
  }
  const { displayName, isHidden } = source.folder;
  const { id } = world.store.createFolder(mailbox, target.folder.id, displayName, { isHidden });
  const copy = mailbox.folders.get(id)!;
  for (const message of [...source.messages.items]) world.store.copy(mailbox, message, id);
  for (const child of childrenOf(mailbox, source.folder.id)) {
    copyFolder(world, mailbox, child, copy);
  }
  return copy;
}

function checkName(mailbox: Mailbox, parentFolderId: string, displayName: string): void {
  const isTaken = ({ folder }: FolderState) => folder.displayName === displayName;
  if (!childrenOf(mailbox, parentFolderId).some(isTaken)) return;
  throw new GraphProblem(
    409,
    "ErrorFolderExists",
    `A folder with the specified name already exists., ${displayName}`,
  );
}

function listFolders(world: MailWorld, call: GraphCall, parentName: string) {
  const { mailbox } = scopeOf(world, call, "read-basic");
  const parent = loadFolder(mailbox, parentName);
  const { query } = call.request;
  const withHidden = /^true$/i.test(query.get("includeHiddenFolders") ?? "");
  const children = childrenOf(mailbox, parent.folder.id).filter(
    (state) => withHidden || !state.folder.isHidden,
  );
  const wanted = filterFolders(mailbox, children, query.get("$filter"));
  const page = pageOf(call, graphSwitch(world.context.switches, "mailFolderPageSize"));
  const select = selectOf(call);
  const expand = folderExpansion(call, mailbox);
  const body: Record<string, unknown> = {
    "@odata.context": folderContext(world, call, ""),
    ...(/^true$/i.test(query.get("$count") ?? "") ? { "@odata.count": wanted.length } : {}),
    value: wanted.slice(page.skip, page.skip + page.top).map((state) => ({
      ...showFolder(mailbox, state, select),
      ...expand(state),
    })),
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

function countFolders(world: MailWorld, call: GraphCall) {
  const { mailbox } = scopeOf(world, call, "read-basic");
  const root = loadFolder(mailbox, "msgfolderroot").folder.id;
  const shown = childrenOf(mailbox, root).filter(({ folder }) => !folder.isHidden);
  return { status: 200, headers: { "content-type": "text/plain" }, body: String(shown.length) };
}

function filterFolders(
  mailbox: Mailbox,
  states: FolderState[],
  text: string | null,
): FolderState[] {
  if (text === null) return states;
  try {
    const test = parseFilter(
      text,
      createJsonSource((name) => checkFolderProperty(name)),
    );
    return states.filter((state) => test(showFolder(mailbox, state, null)));
  } catch (error) {
    if (!(error instanceof ODataSyntaxError)) throw error;
    throw badRequest(
      `Invalid filter clause: ${error.message} in '${text}'.`,
      "RequestBroker--ParseUri",
    );
  }
}

const FOLDER_PROPERTIES = [
  ...["id", "displayName", "parentFolderId", "childFolderCount", "unreadItemCount"],
  ...["totalItemCount", "sizeInBytes", "isHidden"],
];

function checkFolderProperty(name: string): void {
  if (FOLDER_PROPERTIES.some((known) => known.toLowerCase() === name.toLowerCase())) return;
  throw badRequest(
    `Parsing OData Select and Expand failed: Could not find a property named '${name}' on type 'microsoft.graph.mailFolder'.`,
    "RequestBroker--ParseUri",
  );
}

/** `$expand=childFolders`; everything else about a folder is read from its own path. */
function folderExpansion(call: GraphCall, mailbox: Mailbox): (state: FolderState) => object {
  const text = call.request.query.get("$expand");
  if (text === null) return () => ({});
  const match = /^\s*childFolders\s*(?:\(\s*\$select=([^)]*)\))?\s*$/i.exec(text);
  if (match === null) {
    throw badRequest(
      `The $expand '${text}' is not supported on type 'microsoft.graph.mailFolder'.`,
      "RequestBroker--ParseUri",
    );
  }
  const select = toSelect(match[1] ?? null);
  return ({ folder }) => {
    const children = childrenOf(mailbox, folder.id).filter((child) => !child.folder.isHidden);
    return { childFolders: children.map((child) => showFolder(mailbox, child, select)) };
  };
}

function createFolder(world: MailWorld, call: GraphCall, parentName: string) {
  const { mailbox } = scopeOf(world, call, "write");
  const parent = loadFolder(mailbox, parentName);
  const body = readJson(call.request);
  if (/mailSearchFolder/i.test(String(body["@odata.type"] ?? ""))) {
    throw new GraphProblem(501, "NotImplemented", "Search folders: not part of the local tenant.");
  }
  checkParameters(body, ["displayName", "isHidden"]);
  const { displayName, isHidden } = body;
  if (typeof displayName !== "string" || displayName === "") {
    throw badRequest("The displayName property is required.", "ErrorInvalidRequest");
  }
  checkName(mailbox, parent.folder.id, displayName);
  const folder = world.store.createFolder(mailbox, parent.folder.id, displayName, {
    isHidden: isHidden === true,
  });
  return answerFolder(world, call, mailbox, mailbox.folders.get(folder.id)!, 201);
}

function answerFolder(
  world: MailWorld,
  call: GraphCall,
  mailbox: Mailbox,
  state: FolderState,
  status: 200 | 201,
) {
  const context = folderContext(world, call, "/$entity");
  return json(status, { "@odata.context": context, ...showFolder(mailbox, state, null) }, call);
}

function renameFolder(world: MailWorld, call: GraphCall) {
  const { mailbox, folder } = scopeOf(world, call, "write");
  const body = readJson(call.request);
  checkParameters(body, ["displayName"]);
  const { displayName } = body;
  if (typeof displayName !== "string" || displayName === "") {
    throw badRequest("The displayName property is required.", "ErrorInvalidRequest");
  }
  if (displayName !== folder!.folder.displayName) {
    checkName(mailbox, folder!.folder.parentFolderId ?? "", displayName);
  }
  world.store.updateFolder(mailbox, folder!.folder, { displayName });
  return answerFolder(world, call, mailbox, folder!, 200);
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
  return {
    ...(folder.isSearchFolder ? { "@odata.type": "#microsoft.graph.mailSearchFolder" } : {}),
    id: folder.id,
    ...keepSelected(shown, select),
  };
}

function selectOf(call: GraphCall): string[] | null {
  return toSelect(call.request.query.get("$select"));
}

export function toSelect(text: string | null): string[] | null {
  if (text === null) return null;
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) checkFolderProperty(name);
  return names.map((name) => name.toLowerCase());
}

function folderContext(world: MailWorld, call: GraphCall, ending: string): string {
  return contextUrl(
    world.context,
    call,
    `users('${encodeURIComponent(call.params["user"]!)}')/mailFolders${ending}`,
  );
}
