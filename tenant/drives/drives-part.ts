/**
 * Drives and SharePoint Embedded containers, under Graph's paths and three of their own.
 *
 * The fault `expire-delta` (facts `part: "drives"`, `drive`; option `code`) answers a delta link
 * with 410. Switches: `driveUnitsPerContainer`, `driveUnitsPerApp` and `driveUnitsPerUser` (resource
 * units a minute), `driveDeltaPageSize`, `driveReplaceStatus` (200 or 201 for a replaced file),
 * `uploadConflictAt` (`end` or `start`), `driveCopyMs` (how long a copy takes).
 */
import type { TenantContext } from "../context.ts";
import { GraphProblem } from "../graph/call/graph-error.ts";
import { authenticate, withRequestIds } from "../graph/call/identify.ts";
import { checkOptions, withDollarNames } from "../graph/call/query-options.ts";
import type { Part, TenantRequest, TenantResponse } from "../http.ts";
import {
  createContainer,
  listContainers,
  loadContainer,
  useContainer,
  useDeletedContainer,
} from "./container-routes.ts";
import * as content from "./content-routes.ts";
import { copyItem, watchCopy } from "./copy-routes.ts";
import { drivesDelta } from "./delta-routes.ts";
import { checkAccess } from "./drive-access.ts";
import { decodeSafely, parseItemAddress } from "./drive-address.ts";
import type { DriveCall, DriveWorld, ItemCall, ItemHandler } from "./drive-call.ts";
import { selectFrom, selectOwn } from "./drive-options.ts";
import { answerFields, getListItem } from "./fields-routes.ts";
import * as items from "./item-routes.ts";
import { viewDrive, viewItem, viewItemPermission } from "./item-view.ts";
import { createLinks } from "./links.ts";
import { costOf, createResourceUnits, type ResourceUnits } from "./resource-units.ts";
import { searchItems } from "./search-routes.ts";
import * as sharing from "./sharing-routes.ts";
import { createContentStore } from "./store/content.ts";
import { type Container, type Drive, EVERYONE, type Item } from "./store/drive-model.ts";
import { createDriveStore, type NewContainer, type Registration } from "./store/drive-store.ts";
import { ensureFolder, putFile } from "./store/drive-tree.ts";
import { useContainerTypes, useRegistration } from "./type-routes.ts";
import { createUploadSession, useUploadSession } from "./upload-routes.ts";
import { createUploadSessions } from "./upload-sessions.ts";

export interface DrivesPart {
  readonly handle: Part;
  readonly admin: DrivesAdmin;
  snapshot(): unknown;
  restore(state: unknown): void;
  stop(): void;
}

interface DrivesAdmin {
  /** The type for which the tenant's own apps are registered. */
  readonly containerTypeId: string;
  /** An active container in which every user of the tenant may write. */
  readonly defaultContainerId: string;
  createContainer(wanted: Partial<NewContainer>): Container;
  containers(): Container[];
  /** Puts a file at a path as the system does; a file that is there is replaced. */
  putFile(containerId: string, path: string, content: Buffer): Item;
  /** Grants an app rights on a type's containers, replacing earlier ones. */
  register(registration: Registration): void;
  onChange(listener: (drive: Drive, item: Item) => void): () => void;
}

export function createDrivesPart(context: TenantContext): DrivesPart {
  const store = createDriveStore(context);
  const uploads = createUploadSessions(context);
  const world: DriveWorld = {
    context,
    store,
    uploads,
    contents: createContentStore(context.contentFolder),
    links: createLinks(context),
    copies: new Map(),
  };
  const units = createResourceUnits(context);
  const identity = { context, requestIds: context.random.fork("drive-requests") };

  const makeContainer = (wanted: Partial<NewContainer>) =>
    store.createContainer({
      displayName: "Documents",
      containerTypeId: store.ownTypeId,
      createdBy: "",
      status: "active",
      members: [{ userId: EVERYONE, role: "writer" as const }],
      ...wanted,
    });
  let defaultContainerId = makeContainer({}).id;

  return {
    handle: (request) => withRequestIds(identity, request, () => route(world, units, request)),
    admin: {
      get containerTypeId() {
        return store.ownTypeId;
      },
      get defaultContainerId() {
        return defaultContainerId;
      },
      createContainer: makeContainer,
      containers: () => [...store.containers.values()],
      putFile: (containerId, path, content) => putAt(world, containerId, path, content),
      register(registration) {
        store.registrations = store.registrations.filter(
          (known) =>
            known.containerTypeId !== registration.containerTypeId ||
            known.appId !== registration.appId,
        );
        store.registrations.push(registration);
      },
      onChange: store.onChange,
    },
    snapshot: () => ({
      store: store.snapshot(),
      uploads: uploads.snapshot(),
      defaultContainerId,
    }),
    restore(state) {
      const saved = state as Record<"store" | "uploads", unknown> & { defaultContainerId: string };
      store.restore(saved.store);
      uploads.restore(saved.uploads);
      defaultContainerId = saved.defaultContainerId;
    },
    stop: () => world.contents.stop(),
  };
}

function putAt({ store }: DriveWorld, containerId: string, path: string, content: Buffer): Item {
  const container = store.containers.get(containerId);
  if (container === undefined) throw new Error(`there is no container ${containerId}`);
  const names = path.split("/");
  const writer = { ...store.world, by: "" };
  const folder = ensureFolder(container, container.drive.rootId, names.slice(0, -1), writer);
  const file = { name: names.at(-1)!, content, conflict: "replace" as const };
  return putFile(container, folder, file, writer).item;
}

async function route(
  world: DriveWorld,
  units: ResourceUnits,
  request: TenantRequest,
): Promise<TenantResponse | null> {
  const own = /^\/(upload|download|monitor)\/drive\/([^/?]+)$/i.exec(request.path);
  if (own !== null) return useOwnPath(world, request, own[1]!.toLowerCase(), own[2]!);
  const path =
    /^\/(v1\.0|beta)\/(drives\/[^/]+|shares\/[^/]+|storage\/fileStorage)(?:\/(.*))?$/i.exec(
      request.path,
    );
  if (path === null) return null;
  const caller = await authenticate(world.context, request);
  const call: DriveCall = {
    ...world,
    request: withDollarNames(request),
    caller,
    version: path[1]!.toLowerCase(),
  };
  const [, , place, tail = ""] = path as unknown as [string, string, string, string?];
  if (/^shares\//i.test(place)) return routeShare(call, decodeSafely(place.slice(7)), tail);
  if (!place.toLowerCase().startsWith("drives/")) {
    return withContext(call, routeStorage(call, units, tail));
  }
  return withContext(call, routeDrive(call, units, decodeSafely(place.slice(7)), tail));
}

const KEYED = /^(drives|items|containers|deletedContainers|permissions|versions|columns)$/i;

/** Every JSON body says where it comes from, but for a dictionary, whose names are all its own. */
function withContext(call: DriveCall, response: TenantResponse): TenantResponse {
  const { body } = response;
  const isJson = typeof body === "object" && body !== null && !Buffer.isBuffer(body);
  if (!isJson || "@odata.context" in body || /customProperties/i.test(call.request.path)) {
    return response;
  }
  const [, , ...segments] = decodeSafely(call.request.path).split("/");
  const named = segments.reduce((path, segment, index) => {
    const isKey = KEYED.test(segments[index - 1] ?? "") && segment !== "";
    return isKey ? `${path}('${segment}')` : `${path}/${segment}`;
  });
  const isInvited = /\/invite$/i.test(named);
  const entity = "value" in body ? named : `${named}/$entity`;
  const fragment = isInvited ? "Collection(permission)" : entity;
  const context = `${call.context.origin()}/${call.version}/$metadata#${fragment}`;
  return { ...response, body: { "@odata.context": context, ...body } };
}

/** URLs that authenticate the caller by themselves. */
function useOwnPath(
  world: DriveWorld,
  request: TenantRequest,
  kind: string,
  id: string,
): TenantResponse {
  if (kind === "monitor") return watchCopy(world, request, id);
  return kind === "upload"
    ? useUploadSession(world, request, id)
    : content.download(world, request, id);
}

/** `/shares/{link}`: the item that a sharing link points to. */
function routeShare(call: DriveCall, id: string, tail: string): TenantResponse {
  if (call.request.method !== "GET") throw noHandler(call.request.method, "");
  checkOptions(call.request.query, ["$select"], "invalidRequest");
  const { container, item, permission } = sharing.findShared(call, id);
  if (/^(driveItem|root)$/i.test(tail)) {
    return { status: 200, body: selectFrom(viewItem(call, container, item), call.request.query) };
  }
  if (tail !== "") throw unknownSegment(tail);
  return {
    status: 200,
    body: { id, name: item.name, permission: viewItemPermission(call, permission) },
  };
}

function routeStorage(call: DriveCall, units: ResourceUnits, tail: string): TenantResponse {
  const [collection = "", encodedId, ...rest] = tail.split("/").filter(Boolean);
  const action = rest.map(decodeSafely).join("/");
  const id = decodeSafely(encodedId ?? "");
  const headers = units.charge(call.caller, id, costOf(call.request, action));
  if (/^containerTypes$/i.test(collection) && encodedId === undefined)
    return withHeaders(useContainerTypes(call), headers);
  if (/^containerTypeRegistrations$/i.test(collection) && encodedId !== undefined)
    return withHeaders(useRegistration(call, id, action), headers);
  const isDeleted = collection.toLowerCase() === "deletedcontainers";
  if (!isDeleted && collection.toLowerCase() !== "containers") throw unknownSegment(collection);
  if (encodedId === undefined) {
    if (call.request.method === "POST" && !isDeleted) return createContainer(call);
    return withHeaders(listContainers(call, isDeleted), headers);
  }
  const use = isDeleted ? useDeletedContainer : useContainer;
  return withHeaders(use(call, id, action), headers);
}

function routeDrive(
  call: DriveCall,
  units: ResourceUnits,
  driveId: string,
  tail: string,
): TenantResponse {
  if (!/^b![\w-]{40,}$/.test(driveId)) {
    throw new GraphProblem(
      400,
      "invalidRequest",
      "The provided drive id appears to be malformed, or does not represent a valid drive.",
    );
  }
  const container = loadContainer(call, driveId);
  if (tail === "" && call.request.method === "GET") {
    const headers = units.charge(call.caller, driveId, 1);
    checkAccess(call.store, call.caller, container, "read");
    checkOptions(call.request.query, ["$select"], "invalidRequest");
    const body = selectOwn(viewDrive(call, container), call.request.query);
    return withHeaders({ status: 200, body }, headers);
  }
  // A search of the whole drive is a search below its root.
  const address = parseItemAddress(/^search\(/i.test(tail) ? `root/${tail}` : tail);
  if (address === null) throw unknownSegment(tail.split("/")[0] ?? "");
  const headers = units.charge(call.caller, driveId, costOf(call.request, address.action));
  const fromId = address.fromId ?? container.drive.rootId;
  const itemCall: ItemCall = { ...call, container, fromId, names: address.names };
  const found = findHandler(call.request.method, address.action);
  if (found === null) throw noHandler(call.request.method, address.action);
  checkOptions(call.request.query, found.options, "invalidRequest");
  return withHeaders(found.handler(itemCall, ...found.rest), headers);
}

/** Method, action on the item, the handler, and the query options that it honours. */
type ItemRoute = readonly [string, RegExp, ItemHandler, readonly string[]];

const NAME_CONFLICT = "@microsoft.graph.conflictBehavior";
const PAGES = ["$select", "$top", "$skiptoken", "$orderby"];

export const ITEM_ROUTES: readonly ItemRoute[] = [
  ["GET", /^$/, items.getItemRoute, ["$select", "$expand"]],
  ["PUT", /^$/, items.putItem, ["$select", NAME_CONFLICT]],
  ["PATCH", /^$/, items.patchItem, ["$select", NAME_CONFLICT]],
  ["DELETE", /^$/, items.deleteItem, []],
  ["GET", /^children$/i, items.listChildren, [...PAGES, "$expand", "$filter", "$count"]],
  ["POST", /^children$/i, items.createChild, ["$select", NAME_CONFLICT]],
  ["GET", /^content$/i, content.getContent, ["format"]],
  ["PUT", /^content$/i, items.putContent, ["$select", NAME_CONFLICT]],
  ["POST", /^(?:microsoft\.graph\.)?createUploadSession$/i, createUploadSession, [NAME_CONFLICT]],
  [
    "GET",
    /^(?:microsoft\.graph\.)?delta(?:\(token='([^']*)'\)|\(\))?$/i,
    drivesDelta,
    ["token", "$select", "$top"],
  ],
  ["GET", /^(?:microsoft\.graph\.)?search\(q=(?:'|%27)(.*)(?:'|%27)\)$/i, searchItems, PAGES],
  ["POST", /^(?:microsoft\.graph\.)?copy$/i, copyItem, [NAME_CONFLICT]],
  ["POST", /^(?:microsoft\.graph\.)?createLink$/i, sharing.createLink, []],
  ["POST", /^(?:microsoft\.graph\.)?invite$/i, sharing.invite, []],
  ["GET", /^permissions$/i, sharing.listPermissions, []],
  ["GET", /^permissions\/([^/]+)$/i, sharing.usePermission, ["$select"]],
  ["PATCH", /^permissions\/([^/]+)$/i, sharing.usePermission, ["$select"]],
  ["DELETE", /^permissions\/([^/]+)$/i, sharing.usePermission, []],
  ["GET", /^listItem$/i, getListItem, ["$select", "$expand"]],
  ["GET", /^listItem\/fields$/i, answerFields, ["$select"]],
  ["PATCH", /^listItem\/fields$/i, answerFields, []],
  ["GET", /^thumbnails$/i, content.listThumbnails, []],
  ["POST", /^preview$/i, content.preview, []],
  ["GET", /^versions$/i, content.listVersions, []],
  ["GET", /^versions\/([^/]+)(?:\/(content))?$/i, content.getVersion, []],
  ["POST", /^versions\/([^/]+)\/restoreVersion$/i, content.restoreVersion, []],
  ["POST", /^(?:microsoft\.graph\.)?permanentDelete$/i, items.permanentlyDelete, []],
  ["POST", /^checkout$/i, content.checkOut, []],
  ["POST", /^checkin$/i, content.checkIn, []],
  ["POST", /^discardCheckout$/i, content.discardCheckout, []],
];

function findHandler(method: string, action: string) {
  for (const [wanted, pattern, handler, options] of ITEM_ROUTES) {
    const match = wanted === method ? pattern.exec(action) : null;
    if (match !== null) return { handler, options, rest: match.slice(1) as string[] };
  }
  return null;
}

/** A known path with another method is 405, everything else is an unknown segment. */
function noHandler(method: string, action: string): GraphProblem {
  const allowed = ITEM_ROUTES.filter(([, pattern]) => pattern.test(action)).map(([each]) => each);
  if (allowed.length === 0) return unknownSegment(action);
  const message = `The HTTP method '${method}' is not allowed for the request target.`;
  const headers = { allow: allowed.join(", ") };
  return new GraphProblem(405, "invalidRequest", message, { headers });
}

function withHeaders(response: TenantResponse, headers: Record<string, string>): TenantResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}

function unknownSegment(segment: string): GraphProblem {
  return new GraphProblem(400, "BadRequest", `Resource not found for the segment '${segment}'.`);
}
