/** Items themselves: read, list, create folders, rename, move, delete. */
import { GraphProblem } from "../graph/call/graph-error.ts";
import { checkOptions } from "../graph/call/query-options.ts";
import type { TenantResponse } from "../http.ts";
import { writeQuery } from "../odata/write-query.ts";
import { checkItem } from "./drive-access.ts";
import { decodeSafely } from "./drive-address.ts";
import {
  CONFLICT_NAMES,
  checkConditions,
  conflictOf,
  findTarget,
  type ItemCall,
  isObject,
  loadTarget,
  readBody,
  writerOf,
} from "./drive-call.ts";
import {
  checkBody,
  filterViews,
  invalid,
  pageOf,
  readExpand,
  selectFrom,
  sortViews,
  type View,
} from "./drive-options.ts";
import { viewListItem } from "./fields-routes.ts";
import { viewItem, viewItemPermission } from "./item-view.ts";
import { type Drive, eTagOf, type Item } from "./store/drive-model.ts";
import {
  childrenOf,
  createItem,
  ensureFolder,
  findChild,
  followPath,
  nameTaken,
  notFound,
  putFile,
  relocate,
  removeItem,
  touch,
} from "./store/drive-tree.ts";
import { freeName } from "./store/item-names.ts";
import { recycleItem } from "./store/recycle-bin.ts";
import { commit } from "./upload-sessions.ts";

function answerItem(call: ItemCall, item: Item, status = 200): TenantResponse {
  const context = `${call.context.origin()}/${call.version}/$metadata#drives('${call.container.id}')/items/$entity`;
  const view = { "@odata.context": context, ...viewItem(call, call.container, item) };
  return {
    status,
    headers: { etag: eTagOf(item) },
    body: { ...selectFrom(view, call.request.query), ...expand(call, item) },
  };
}

const EXPANDABLE = ["children", "listItem", "permissions", "thumbnails"];

function expand(call: ItemCall, item: Item): View {
  const shown: View = {};
  for (const { name, query } of readExpand(call.request.query, EXPANDABLE)) {
    shown[name] = expandOne(call, item, name, query);
  }
  return shown;
}

function expandOne(call: ItemCall, item: Item, name: string, query: URLSearchParams): unknown {
  const { container } = call;
  switch (name) {
    case "children": {
      checkOptions(query, ["$select"], "invalidRequest");
      selectFrom({}, query); // names are checked even if there are no children
      const children = childrenOf(container.drive, item.id);
      return children.map((child) => selectFrom(viewItem(call, container, child), query));
    }
    case "listItem":
      checkOptions(query, ["$select", "$expand"], "invalidRequest");
      return viewListItem(container, item, query);
    case "permissions":
      checkOptions(query, [], "invalidRequest");
      return (item.permissions ?? []).map((each) => viewItemPermission(call, each));
    default:
      checkOptions(query, [], "invalidRequest");
      return []; // no file has a thumbnail here
  }
}

export function getItemRoute(call: ItemCall): TenantResponse {
  checkItem(call, "read");
  const item = loadTarget(call);
  return answerItem(call, item);
}

export function listChildren(call: ItemCall): TenantResponse {
  checkItem(call, "read");
  const folder = loadTarget(call);
  const { query, path } = call.request;
  const items = childrenOf(call.container.drive, folder.id);
  const byId = new Map(items.map((item) => [item.id, item]));
  const views: View[] = items.map((item) => viewItem(call, call.container, item));
  const all = sortViews(filterViews(views, query.get("$filter")), query.get("$orderby"));
  const { value, next } = pageOf(all, query);
  const origin = call.context.origin();
  return {
    status: 200,
    body: {
      "@odata.context": `${origin}/${call.version}/$metadata#drives('${call.container.id}')/items('${folder.id}')/children`,
      ...(/^true$/i.test(query.get("$count") ?? "") ? { "@odata.count": all.length } : {}),
      ...(next === null ? {} : { "@odata.nextLink": `${origin}${path}?${writeQuery(next)}` }),
      value: value.map((view) => ({
        ...selectFrom(view, query),
        ...expand(call, byId.get(String(view["id"]))!),
      })),
    },
  };
}

export function createChild(call: ItemCall): TenantResponse {
  checkItem(call, "write");
  const parent = loadTarget(call);
  const body = readBody(call.request);
  const { drive } = call.container;
  checkBody(body, ["name", "folder", "description", "fileSystemInfo", ...CONFLICT_NAMES]);
  if (typeof body["name"] !== "string" || !isObject(body["folder"])) {
    throw invalid("A name and a folder facet are needed.");
  }
  let name = body["name"];
  const existing = findChild(drive, parent.id, name);
  const conflict = conflictOf(call.request, body) ?? "fail";
  if (existing !== null && conflict === "fail") throw nameTaken();
  if (existing !== null && conflict === "replace") return answerItem(call, existing);
  if (existing !== null)
    name = freeName(name, (taken) => findChild(drive, parent.id, taken) !== null);
  const created = createItem(call.container, parent, { name, isFolder: true }, writerOf(call));
  writeFacts(created, body);
  return answerItem(call, created, 201);
}

export function patchItem(call: ItemCall): TenantResponse {
  checkItem(call, "write");
  const item = loadTarget(call);
  checkConditions(call.request, item);
  const body = readBody(call.request);
  checkBody(body, ["name", "parentReference", "description", "fileSystemInfo", ...CONFLICT_NAMES]);
  const writer = writerOf(call);
  const { drive } = call.container;
  const name = typeof body["name"] === "string" ? body["name"] : item.name;
  const parentId = readParent(drive, body["parentReference"]) ?? item.parentId;
  if (parentId === null) throw invalid("The root cannot be changed.");
  writeFacts(item, body);
  if (name !== item.name || parentId !== item.parentId) {
    const conflict = conflictOf(call.request, body) ?? "fail";
    relocate(drive, item, { name, parentId, conflict }, writer);
  } else touch(drive, item, writer, "updated");
  return answerItem(call, item);
}

/** What a client may change about an item besides its name and place. */
export function writeFacts(
  item: Pick<Item, "description" | "createdMs" | "modifiedMs">,
  body: Record<string, unknown>,
): void {
  if (typeof body["description"] === "string") item.description = body["description"];
  const given = body["fileSystemInfo"];
  if (given === undefined) return;
  if (!isObject(given)) throw invalid("fileSystemInfo must be an object.");
  checkBody(given, ["createdDateTime", "lastModifiedDateTime", "lastAccessedDateTime"]);
  item.createdMs = readTime(given["createdDateTime"]) ?? item.createdMs;
  item.modifiedMs = readTime(given["lastModifiedDateTime"]) ?? item.modifiedMs;
}

function readTime(given: unknown): number | null {
  if (given === undefined) return null;
  const ms = Date.parse(String(given));
  if (Number.isNaN(ms)) throw invalid(`'${String(given)}' is not a time.`);
  return ms;
}

/** The folder that a `parentReference` names by id or by path; null if there is none. */
export function readParent(drive: Drive, given: unknown): string | null {
  if (given === undefined) return null;
  if (!isObject(given)) throw invalid("parentReference must be an object.");
  if (given["driveId"] !== undefined && given["driveId"] !== drive.id) {
    throw invalid("An item cannot be moved to another drive this way.");
  }
  if (given["id"] !== undefined) {
    return given["id"] === "root" ? drive.rootId : String(given["id"]);
  }
  if (given["path"] === undefined) return null;
  const path = /(?:^|\/)root:?(.*)$/.exec(String(given["path"]))?.[1];
  if (path === undefined) throw invalid("The path of a parentReference starts at the root.");
  const names = path.split("/").filter(Boolean).map(decodeSafely);
  const folder = followPath(drive, drive.rootId, names);
  if (folder === null) throw notFound();
  return folder.id;
}

export function deleteItem(call: ItemCall): TenantResponse {
  checkItem(call, "write");
  const item = loadTarget(call);
  if (item.parentId === null) {
    throw invalid("The root of a drive cannot be deleted.");
  }
  checkConditions(call.request, item);
  recycleItem(call.container.drive, item, writerOf(call));
  return { status: 204 };
}

/** Deletes without the recycle bin: nothing can be restored afterwards. */
export function permanentlyDelete(call: ItemCall): TenantResponse {
  checkItem(call, "write");
  const item = loadTarget(call);
  if (item.parentId === null) throw invalid("The root of a drive cannot be deleted.");
  checkBody(readBody(call.request), []);
  removeItem(call.container.drive, item, writerOf(call));
  return { status: 204 };
}

/** `PUT …:/{path}` with the URL of an upload session finishes an upload that ran into a name conflict. */
export function putItem(call: ItemCall): TenantResponse {
  checkItem(call, "write");
  const body = readBody(call.request);
  checkBody(body, ["name", "@microsoft.graph.sourceUrl", ...CONFLICT_NAMES]);
  const url = body["@microsoft.graph.sourceUrl"];
  const session = typeof url === "string" ? call.uploads.fromUrl(url) : null;
  if (typeof url === "string" && session === null) throw notFound();
  if (session === null || call.names.length === 0) {
    throw new GraphProblem(
      400,
      "invalidRequest",
      "A path and '@microsoft.graph.sourceUrl' are needed.",
    );
  }
  checkConditions(call.request, findTarget(call));
  const names = [...call.names.slice(0, -1), String(body["name"] ?? call.names.at(-1))];
  const chosen = { ...session, names, fromId: call.fromId, itemId: null };
  const { item, isNew } = commit(call, call.uploads, {
    ...chosen,
    conflict: conflictOf(call.request, body) ?? session.conflict,
  });
  return answerItem(call, item, isNew ? 201 : 200);
}

/** Size limit of a plain PUT. */
const SMALL_UPLOAD_MAX = 250 * 1024 * 1024;

export function putContent(call: ItemCall): TenantResponse {
  checkItem(call, "write");
  const { request, container } = call;
  if (request.body.length > SMALL_UPLOAD_MAX) {
    throw new GraphProblem(413, "requestTooLarge", "Use an upload session for files above 250 MB.");
  }
  const existing = findTarget(call);
  checkConditions(request, existing);
  const writer = writerOf(call);
  if (call.names.length === 0) {
    if (existing === null) throw notFound();
    const conflict = "replace" as const;
    const parent = container.drive.items.get(existing.parentId ?? "");
    if (parent === undefined) throw invalid("A folder has no content.");
    putFile(
      container,
      parent,
      { name: existing.name, content: call.contents.keep(request.body), conflict },
      writer,
    );
    return answerItem(call, existing);
  }
  const folder = ensureFolder(container, call.fromId, call.names.slice(0, -1), writer);
  const conflict = conflictOf(request) ?? "replace";
  const name = call.names.at(-1)!;
  const { item, isNew } = putFile(
    container,
    folder,
    { name, content: call.contents.keep(request.body), conflict },
    writer,
  );
  const replaced = call.context.switches["driveReplaceStatus"] === 201 ? 201 : 200;
  return answerItem(call, item, isNew ? 201 : replaced);
}
