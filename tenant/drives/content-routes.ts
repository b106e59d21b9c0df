/** File contents through a short-lived link, previews, versions, check-out. */
import { GraphProblem } from "../graph/call/graph-error.ts";
import type { TenantRequest, TenantResponse } from "../http.ts";
import { hasTag } from "../request-headers.ts";
import { checkItem } from "./drive-access.ts";
import { type DriveWorld, type ItemCall, loadTarget, readBody, writerOf } from "./drive-call.ts";
import { checkBody } from "./drive-options.ts";
import { linkTo, viewVersion } from "./item-view.ts";
import { bytesOf, type Content } from "./store/content.ts";
import { cTagOf, eTagOf, type Item } from "./store/drive-model.ts";
import { getItem, notFound, refuseIfHeld, replaceContent, touch } from "./store/drive-tree.ts";
import { mimeTypeOf } from "./store/mime-types.ts";

function loadFile(call: ItemCall): Item {
  const item = loadTarget(call);
  if (item.isFolder) throw new GraphProblem(400, "invalidRequest", "A folder has no content.");
  return item;
}

/** The bytes are never in this response: it redirects to a link that must be used without a token. */
export function getContent(call: ItemCall): TenantResponse {
  checkItem(call, "read");
  const item = loadFile(call);
  const format = call.request.query.get("format");
  if (format !== null) {
    throw new GraphProblem(406, "notSupported", `The file cannot be converted to '${format}'.`);
  }
  const known = call.request.headers["if-none-match"];
  if (known !== undefined && hasTag(known, eTagOf(item), cTagOf(item))) return { status: 304 };
  return { status: 302, headers: { location: call.links.toFile(linkTo(call.container, item)) } };
}

export function preview(call: ItemCall): TenantResponse {
  checkItem(call, "read");
  const item = loadFile(call);
  const body = readBody(call.request);
  checkBody(body, ["page", "zoom"]);
  const url = new URL(call.links.toPreview(linkTo(call.container, item)));
  for (const [name, value] of Object.entries(body)) url.searchParams.set(name, String(value));
  const getUrl = url.toString();
  const context = `${call.context.origin()}/${call.version}/$metadata#microsoft.graph.itemPreviewInfo`;
  return {
    status: 200,
    body: { "@odata.context": context, getUrl, postParameters: null, postUrl: null },
  };
}

export function listVersions(call: ItemCall): TenantResponse {
  checkItem(call, "read");
  const item = loadFile(call);
  return {
    status: 200,
    body: { value: [...item.versions].reverse().map((version) => viewVersion(call, version)) },
  };
}

export function getVersion(call: ItemCall, versionId: string, part?: string): TenantResponse {
  checkItem(call, "read");
  const item = loadFile(call);
  const version = item.versions.find(({ id }) => id === versionId);
  if (version === undefined) throw notFound();
  if (part !== "content") return { status: 200, body: viewVersion(call, version) };
  const link = { ...linkTo(call.container, item), versionId };
  return { status: 302, headers: { location: call.links.toFile(link) } };
}

export function restoreVersion(call: ItemCall, versionId: string): TenantResponse {
  checkItem(call, "write");
  const item = loadFile(call);
  const version = item.versions.find(({ id }) => id === versionId);
  if (version === undefined) throw notFound();
  checkBody(readBody(call.request), []);
  replaceContent(call.container, item, version.content, writerOf(call));
  return { status: 204 };
}

export function checkOut(call: ItemCall): TenantResponse {
  checkItem(call, "write");
  const item = loadFile(call);
  const writer = writerOf(call);
  refuseIfHeld(item, writer);
  if (item.checkedOutBy !== null) {
    throw new GraphProblem(400, "invalidRequest", "The file is already checked out.");
  }
  checkBody(readBody(call.request), []);
  item.checkedOutBy = writer.by;
  return { status: 204 };
}

export function checkIn(call: ItemCall): TenantResponse {
  const item = loadCheckedOut(call);
  const body = readBody(call.request);
  checkBody(body, ["comment", "checkInAs"]);
  item.checkedOutBy = null;
  const { comment } = body;
  const version = item.versions.at(-1);
  if (typeof comment === "string" && version !== undefined) version.comment = comment;
  touch(call.container.drive, item, writerOf(call), "updated");
  return { status: 204 };
}

export function discardCheckout(call: ItemCall): TenantResponse {
  const item = loadCheckedOut(call);
  checkBody(readBody(call.request), []);
  item.checkedOutBy = null;
  return { status: 204 };
}

/** The file, if it is checked out and nobody else holds it. */
function loadCheckedOut(call: ItemCall): Item {
  checkItem(call, "write");
  const item = loadFile(call);
  refuseIfHeld(item, writerOf(call));
  if (item.checkedOutBy === null) {
    throw new GraphProblem(400, "invalidRequest", "The file is not checked out.");
  }
  return item;
}

/** `/download/drive/{token}`: without Authorization; ranges are allowed. */
export function download(world: DriveWorld, request: TenantRequest, token: string): TenantResponse {
  const facts = world.links.read(token);
  const container = facts === null ? undefined : world.store.containers.get(facts.driveId);
  const item = container === undefined ? null : getItem(container.drive, facts!.itemId);
  const version = item?.versions.find(({ id }) => id === facts!.versionId);
  if (item === null || version === undefined) {
    throw new GraphProblem(404, "itemNotFound", "The link has run out, or the file is gone.");
  }
  const headers: Record<string, string> = {
    "content-type": mimeTypeOf(item.name),
    "accept-ranges": "bytes",
    etag: eTagOf(item),
    "content-disposition":
      request.query.get("mode") === "preview"
        ? "inline"
        : `attachment; filename*=UTF-8''${encodeURIComponent(item.name)}`,
  };
  const { range, "if-range": condition } = request.headers;
  // A part of another version than the caller has would not fit what it has (RFC 9110, 13.1.5).
  const isFit = condition === undefined || condition.trim() === headers["etag"];
  return slice(version.content, isFit ? range : undefined, headers);
}

function slice(
  content: Content,
  range: string | undefined,
  headers: Record<string, string>,
): TenantResponse {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(range ?? "");
  if (asked === null || (asked[1] === "" && asked[2] === "")) {
    return { status: 200, headers, body: bytesOf(content) };
  }
  const isTail = asked[1] === "";
  const first = isTail ? Math.max(0, content.length - Number(asked[2])) : Number(asked[1]);
  const last =
    isTail || asked[2] === "" ? content.length - 1 : Math.min(Number(asked[2]), content.length - 1);
  if (first > last || first >= content.length) {
    return { status: 416, headers: { ...headers, "content-range": `bytes */${content.length}` } };
  }
  return {
    status: 206,
    headers: { ...headers, "content-range": `bytes ${first}-${last}/${content.length}` },
    body: bytesOf(content, first, last + 1),
  };
}

/** No file has a thumbnail here; Graph shows that as an empty list. */
export function listThumbnails(call: ItemCall): TenantResponse {
  checkItem(call, "read");
  loadTarget(call);
  return { status: 200, body: { value: [] } };
}
