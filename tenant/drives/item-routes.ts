/** Items themselves: read, list, create folders, rename, move, delete. */
import { GraphProblem } from "../graph/call/graph-error.ts";
import type { TenantResponse } from "../http.ts";
import { checkAccess } from "./drive-access.ts";
import { decodeSafely } from "./drive-address.ts";
import {
  checkConditions,
  conflictOf,
  findTarget,
  type ItemCall,
  isObject,
  loadTarget,
  readBody,
  select,
  writerOf,
} from "./drive-call.ts";
import { contentOf, type Drive, eTagOf, type Item } from "./drive-model.ts";
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
} from "./drive-tree.ts";
import { freeName } from "./item-names.ts";
import { viewItem } from "./item-view.ts";
import { commit } from "./upload-sessions.ts";

function answerItem(call: ItemCall, item: Item, status = 200): TenantResponse {
  const context = `${call.context.origin()}/${call.version}/$metadata#drives('${call.container.id}')/items/$entity`;
  const view = { "@odata.context": context, ...viewItem(call, call.container, item) };
  const expand = call.request.query.get("$expand");
  const children =
    expand === "children"
      ? {
          children: childrenOf(call.container.drive, item.id).map((child) =>
            viewItem(call, call.container, child),
          ),
        }
      : {};
  return {
    status,
    headers: { etag: eTagOf(item) },
    body: { ...select(view, call.request.query), ...children },
  };
}

export function getItemRoute(call: ItemCall): TenantResponse {
  checkAccess(call.store, call.caller, call.container, "read");
  const item = loadTarget(call);
  if (call.request.headers["if-none-match"] === eTagOf(item)) return { status: 304 };
  return answerItem(call, item);
}

const PAGE_SIZE = 200;

export function listChildren(call: ItemCall): TenantResponse {
  checkAccess(call.store, call.caller, call.container, "read");
  const folder = loadTarget(call);
  const { query, path } = call.request;
  const all = sortBy(childrenOf(call.container.drive, folder.id), query.get("$orderby"));
  const top = Math.min(readTop(query) ?? PAGE_SIZE, 1000);
  const start = Number(query.get("$skiptoken") ?? 0) || 0;
  const page = all.slice(start, start + top);
  const next = new URLSearchParams(query);
  next.set("$skiptoken", String(start + top));
  const origin = call.context.origin();
  return {
    status: 200,
    body: {
      "@odata.context": `${origin}/${call.version}/$metadata#drives('${call.container.id}')/items('${folder.id}')/children`,
      ...(query.get("$count") === "true" ? { "@odata.count": all.length } : {}),
      ...(start + top < all.length ? { "@odata.nextLink": `${origin}${path}?${next}` } : {}),
      value: page.map((item) => select(viewItem(call, call.container, item), query)),
    },
  };
}

function readTop(query: URLSearchParams): number | null {
  const text = query.get("$top");
  if (text === null) return null;
  const top = Number(text);
  if (Number.isInteger(top) && top > 0) return top;
  throw invalid(`Invalid value '${text}' for $top.`);
}

function sortBy(items: Item[], order: string | null): Item[] {
  const [field = "name", direction = "asc"] = (order ?? "name asc").trim().split(/\s+/);
  const keys: Record<string, (item: Item) => string | number> = {
    name: (item) => item.name.toLowerCase(),
    size: (item) => contentOf(item).length,
    lastModifiedDateTime: (item) => item.modifiedMs,
    createdDateTime: (item) => item.createdMs,
  };
  const key = keys[field];
  if (key === undefined) {
    throw invalid(`'${field}' cannot be used in $orderby.`);
  }
  const sign = direction.toLowerCase() === "desc" ? -1 : 1;
  return items.sort((one, other) => {
    const [a, b] = [key(one), key(other)];
    return a < b ? -sign : a > b ? sign : 0;
  });
}

export function createChild(call: ItemCall): TenantResponse {
  checkAccess(call.store, call.caller, call.container, "write");
  const parent = loadTarget(call);
  const body = readBody(call.request);
  const { drive } = call.container;
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
  return answerItem(
    call,
    createItem(call.container, parent, { name, isFolder: true }, writerOf(call)),
    201,
  );
}

export function patchItem(call: ItemCall): TenantResponse {
  checkAccess(call.store, call.caller, call.container, "write");
  const item = loadTarget(call);
  checkConditions(call.request, item);
  const body = readBody(call.request);
  const writer = writerOf(call);
  const { drive } = call.container;
  const name = typeof body["name"] === "string" ? body["name"] : item.name;
  const parentId = readParent(drive, body["parentReference"]) ?? item.parentId;
  if (parentId === null) throw invalid("The root cannot be changed.");
  if (typeof body["description"] === "string") item.description = body["description"];
  if (name !== item.name || parentId !== item.parentId) {
    const conflict = conflictOf(call.request, body) ?? "fail";
    relocate(drive, item, { name, parentId, conflict }, writer);
  } else touch(drive, item, writer, "updated");
  return answerItem(call, item);
}

/** The folder that a `parentReference` names by id or by path; null when there is none. */
function readParent(drive: Drive, given: unknown): string | null {
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
  checkAccess(call.store, call.caller, call.container, "write");
  const item = loadTarget(call);
  if (item.parentId === null) {
    throw invalid("The root of a drive cannot be deleted.");
  }
  checkConditions(call.request, item);
  removeItem(call.container.drive, item, writerOf(call));
  return { status: 204 };
}

/** `PUT …:/{path}` with the URL of an upload session finishes an upload that met a name conflict. */
export function putItem(call: ItemCall): TenantResponse {
  checkAccess(call.store, call.caller, call.container, "write");
  const body = readBody(call.request);
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
  const names = [...call.names.slice(0, -1), String(body["name"] ?? call.names.at(-1))];
  const chosen = { ...session, names, fromId: call.fromId, itemId: null };
  const { item, isNew } = commit(call.store, call.uploads, {
    ...chosen,
    conflict: conflictOf(call.request, body) ?? session.conflict,
  });
  return answerItem(call, item, isNew ? 201 : 200);
}

/** Limit of a plain PUT. */
const SMALL_UPLOAD_MAX = 250 * 1024 * 1024;

export function putContent(call: ItemCall): TenantResponse {
  checkAccess(call.store, call.caller, call.container, "write");
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
    putFile(container, parent, { name: existing.name, content: request.body, conflict }, writer);
    return answerItem(call, existing);
  }
  const folder = ensureFolder(container, call.fromId, call.names.slice(0, -1), writer);
  const conflict = conflictOf(request) ?? "replace";
  const name = call.names.at(-1)!;
  const { item, isNew } = putFile(
    container,
    folder,
    { name, content: request.body, conflict },
    writer,
  );
  const replaced = call.context.switches["driveReplaceStatus"] === 201 ? 201 : 200;
  return answerItem(call, item, isNew ? 201 : replaced);
}

function invalid(message: string): GraphProblem {
  return new GraphProblem(400, "invalidRequest", message);
}
