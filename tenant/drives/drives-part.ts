/**
 * Drives and SharePoint Embedded containers, under Graph's paths and two of their own.
 *
 * The fault `expire-delta` (facts `part: "drives"`, `drive`; option `code`) answers a delta link
 * with 410. Switches: `driveUnitsPerContainer`, `driveUnitsPerApp` and `driveUnitsPerUser` (resource
 * units a minute), `driveDeltaPageSize`, `driveReplaceStatus` (200 or 201 for a replaced file),
 * `uploadConflictAt` (`end` or `start`).
 */
import type { TenantContext } from "../context.ts";
import { GraphProblem, toErrorResponse } from "../graph/call/graph-error.ts";
import type { Part, TenantRequest, TenantResponse } from "../http.ts";
import {
  createContainer,
  listContainers,
  loadContainer,
  useContainer,
  useDeletedContainer,
} from "./container-routes.ts";
import * as content from "./content-routes.ts";
import { drivesDelta } from "./delta-routes.ts";
import { checkAccess } from "./drive-access.ts";
import { decodeSafely, parseItemAddress } from "./drive-address.ts";
import type { DriveCall, DriveWorld, ItemCall, ItemHandler } from "./drive-call.ts";
import { type Container, type Drive, EVERYONE, type Item } from "./drive-model.ts";
import { createDriveStore, type NewContainer, type Registration } from "./drive-store.ts";
import * as items from "./item-routes.ts";
import { viewDrive } from "./item-view.ts";
import { createLinks } from "./links.ts";
import { costOf, createResourceUnits, type ResourceUnits } from "./resource-units.ts";
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
  /** The type that the tenant's own apps are registered for. */
  readonly containerTypeId: string;
  /** An active container in which every user of the tenant may write. */
  readonly defaultContainerId: string;
  createContainer(wanted: Partial<NewContainer>): Container;
  containers(): Container[];
  /** Grants an app rights on a type's containers, replacing what it had. */
  register(registration: Registration): void;
  onChange(listener: (drive: Drive, item: Item) => void): () => void;
}

const AUDIENCE = "https://graph.microsoft.com";

export function createDrivesPart(context: TenantContext): DrivesPart {
  const store = createDriveStore(context);
  const uploads = createUploadSessions(context);
  const world: DriveWorld = { context, store, links: createLinks(context), uploads };
  const units = createResourceUnits(context);
  const ids = context.random.fork("drive-requests");

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
    async handle(request) {
      try {
        return await route(world, units, request);
      } catch (problem) {
        if (!(problem instanceof GraphProblem)) throw problem;
        const requestId = ids.uuid();
        const clientRequestId = request.headers["client-request-id"] ?? requestId;
        return toErrorResponse(problem, { requestId, clientRequestId, nowMs: context.clock.now() });
      }
    },
    admin: {
      get containerTypeId() {
        return store.ownTypeId;
      },
      get defaultContainerId() {
        return defaultContainerId;
      },
      createContainer: makeContainer,
      containers: () => [...store.containers.values()],
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
    stop() {},
  };
}

async function route(
  world: DriveWorld,
  units: ResourceUnits,
  request: TenantRequest,
): Promise<TenantResponse | null> {
  const own = /^\/(upload|download)\/drive\/([^/?]+)$/i.exec(request.path);
  if (own !== null) {
    return own[1]!.toLowerCase() === "upload"
      ? useUploadSession(world, request, own[2]!)
      : content.download(world, request, own[2]!);
  }
  const path = /^\/(v1\.0|beta)\/(drives\/[^/]+|storage\/fileStorage)(?:\/(.*))?$/i.exec(
    request.path,
  );
  if (path === null) return null;
  const caller = await world.context.authenticate(request.headers["authorization"], AUDIENCE);
  if (caller === null) {
    throw new GraphProblem(
      401,
      "InvalidAuthenticationToken",
      "Access token is empty or not valid.",
    );
  }
  const call: DriveCall = { ...world, request, caller, version: path[1]!.toLowerCase() };
  const [, , place, tail = ""] = path as unknown as [string, string, string, string?];
  if (!place.toLowerCase().startsWith("drives/")) return routeStorage(call, units, tail);
  return routeDrive(call, units, decodeSafely(place.slice(7)), tail);
}

function routeStorage(call: DriveCall, units: ResourceUnits, tail: string): TenantResponse {
  const [collection = "", encodedId, ...rest] = tail.split("/").filter(Boolean);
  const action = rest.map(decodeSafely).join("/");
  const id = decodeSafely(encodedId ?? "");
  const headers = units.charge(call.caller, id, costOf(call.request, action));
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
  const container = loadContainer(call, driveId);
  if (tail === "" && call.request.method === "GET") {
    const headers = units.charge(call.caller, driveId, 1);
    checkAccess(call.store, call.caller, container, "read");
    return withHeaders({ status: 200, body: viewDrive(call, container) }, headers);
  }
  const address = parseItemAddress(tail);
  if (address === null) throw unknownSegment(tail.split("/")[0] ?? "");
  const headers = units.charge(call.caller, driveId, costOf(call.request, address.action));
  const fromId = address.fromId ?? container.drive.rootId;
  const itemCall: ItemCall = { ...call, container, fromId, names: address.names };
  const found = findHandler(call.request.method, address.action);
  if (found === null) throw unknownSegment(address.action || call.request.method);
  return withHeaders(found.handler(itemCall, ...found.rest), headers);
}

const ITEM_ROUTES: readonly (readonly [string, RegExp, ItemHandler])[] = [
  ["GET", /^$/, items.getItemRoute],
  ["PUT", /^$/, items.putItem],
  ["PATCH", /^$/, items.patchItem],
  ["DELETE", /^$/, items.deleteItem],
  ["GET", /^children$/i, items.listChildren],
  ["POST", /^children$/i, items.createChild],
  ["GET", /^content$/i, content.getContent],
  ["PUT", /^content$/i, items.putContent],
  ["POST", /^(?:microsoft\.graph\.)?createUploadSession$/i, createUploadSession],
  ["GET", /^(?:microsoft\.graph\.)?delta(?:\(token='([^']*)'\)|\(\))?$/i, drivesDelta],
  ["POST", /^preview$/i, content.preview],
  ["GET", /^versions$/i, content.listVersions],
  ["GET", /^versions\/([^/]+)(?:\/(content))?$/i, content.getVersion],
  ["POST", /^versions\/([^/]+)\/restoreVersion$/i, content.restoreVersion],
  ["POST", /^checkout$/i, content.checkOut],
  ["POST", /^checkin$/i, (call) => content.checkIn(call)],
  ["POST", /^discardCheckout$/i, (call) => content.checkIn(call, true)],
];

function findHandler(method: string, action: string) {
  for (const [wanted, pattern, handler] of ITEM_ROUTES) {
    const match = wanted === method ? pattern.exec(action) : null;
    if (match !== null) return { handler, rest: match.slice(1) as string[] };
  }
  return null;
}

function withHeaders(response: TenantResponse, headers: Record<string, string>): TenantResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}

function unknownSegment(segment: string): GraphProblem {
  return new GraphProblem(400, "BadRequest", `Resource not found for the segment '${segment}'.`);
}
