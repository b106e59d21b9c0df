/** `/storage/fileStorage/containers`: creating, listing, activating, sharing and deleting containers. */
import { GraphProblem } from "../graph/call/graph-error.ts";
import { checkNoParameters } from "../graph/call/parameters.ts";
import { checkOptions } from "../graph/call/query-options.ts";
import type { TenantResponse } from "../http.ts";
import { type Expression, parseExpression } from "../odata/expression.ts";
import { compile, type Test } from "../odata/filter.ts";
import { createJsonSource } from "../odata/json-source.ts";
import { ODataSyntaxError } from "../odata/tokens.ts";
import { checkAccess, checkContainerType, checkGraphPermission, isMember } from "./drive-access.ts";
import { type DriveCall, isObject, readBody } from "./drive-call.ts";
import { checkBody, invalid, selectOwn } from "./drive-options.ts";
import { answerColumns } from "./fields-routes.ts";
import { viewContainer, viewDrive, viewPermission } from "./item-view.ts";
import { answerCustomProperties } from "./property-routes.ts";
import { useRecycleBin } from "./recycle-routes.ts";
import type { Container, Role } from "./store/drive-model.ts";
import { notFound } from "./store/drive-tree.ts";

export function createContainer(call: DriveCall): TenantResponse {
  checkGraphPermission(call.caller);
  checkOptions(call.request.query, [], "invalidRequest");
  const body = readBody(call.request);
  checkBody(body, ["displayName", "containerTypeId", "description", "settings"]);
  const { displayName, containerTypeId, description, settings } = body;
  if (typeof displayName !== "string" || typeof containerTypeId !== "string") {
    throw invalid("displayName and containerTypeId are needed.");
  }
  checkText(description, "description");
  checkContainerType(call.store, call.caller, containerTypeId, "create");
  const { isAppOnly, objectId } = call.caller;
  const container = call.store.createContainer({
    displayName,
    containerTypeId,
    description: typeof description === "string" ? description : "",
    createdBy: objectId,
    settings: readSettings(settings),
    members: isAppOnly ? [] : [{ userId: objectId, role: "owner" }],
  });
  return answer(call, container, 201);
}

function answer(call: DriveCall, container: Container, status = 200): TenantResponse {
  const context = `${call.context.origin()}/${call.version}/$metadata#storage/fileStorage/containers/$entity`;
  const view = { "@odata.context": context, ...viewContainer(call, container) };
  return { status, body: selectOwn(view, call.request.query) };
}

/** The filter by type is mandatory. */
export function listContainers(call: DriveCall, isDeleted: boolean): TenantResponse {
  checkGraphPermission(call.caller);
  checkOptions(call.request.query, ["$filter", "$select", "$expand"], "invalidRequest");
  if (call.request.method !== "GET") throw wrongMethod(["GET", "POST"]);
  const { typeId, test } = readContainerFilter(call.request.query.get("$filter") ?? "");
  checkContainerType(call.store, call.caller, typeId, "list");
  const found = [...call.store.containers.values()].filter(
    (container) =>
      test(container) &&
      (container.deletedMs !== null) === isDeleted &&
      (call.caller.isAppOnly || isMember(call.store, container, call.caller.objectId, "read")),
  );
  return {
    status: 200,
    body: {
      "@odata.context": `${call.context.origin()}/${call.version}/$metadata#storage/fileStorage/containers`,
      value: found.map((container) =>
        selectOwn(viewContainer(call, container), call.request.query),
      ),
    },
  };
}

const FILTERED = new Set(["containerTypeId", "status"]);

function readContainerFilter(text: string): { typeId: string; test: Test } {
  const source = createJsonSource((name) => {
    if (!FILTERED.has(name)) throw invalid(`Containers cannot be filtered by '${name}'.`);
  });
  try {
    const expression = parseExpression(text);
    const typeId = containerTypeOf(expression);
    if (typeId === null) throw invalid("A $filter by containerTypeId is required.");
    return { typeId, test: compile(expression, source) };
  } catch (error) {
    if (!(error instanceof ODataSyntaxError)) throw error;
    if (text === "") throw invalid("A $filter by containerTypeId is required.");
    throw invalid(`The $filter '${text}' has a ${error.message}.`);
  }
}

/** The type that every match must have; null if the filter does not determine one. */
function containerTypeOf(expression: Expression): string | null {
  if (expression.kind === "and") {
    return containerTypeOf(expression.left) ?? containerTypeOf(expression.right);
  }
  if (expression.kind !== "compare" || expression.operator !== "eq") return null;
  const { left, right } = expression;
  if (left.kind !== "path" || left.names.join("/") !== "containerTypeId") return null;
  return right.kind === "literal" ? String(right.value).toLowerCase() : null;
}

export function loadContainer(call: DriveCall, id: string): Container {
  const container = call.store.containers.get(id);
  if (container === undefined || container.deletedMs !== null) throw notFound();
  return container;
}

function loadDeletedContainer(call: DriveCall, id: string): Container {
  const container = call.store.containers.get(id);
  if (container === undefined || container.deletedMs === null) throw notFound();
  return container;
}

/** Method, action on a container, and the query options that it honours. */
type ContainerRoute = readonly [string, RegExp, readonly string[]];

export const CONTAINER_ROUTES: readonly ContainerRoute[] = [
  ["GET", /^$/, ["$select", "$expand"]],
  ["PATCH", /^$/, ["$select", "$expand"]],
  ["DELETE", /^$/, []],
  ["POST", /^activate$/i, []],
  ["POST", /^lock$/i, []],
  ["POST", /^unlock$/i, []],
  ["POST", /^permanentDelete$/i, []],
  ["GET", /^drive$/i, ["$select"]],
  ["GET", /^permissions$/i, []],
  ["POST", /^permissions$/i, []],
  ["GET", /^permissions\/([^/]+)$/i, []],
  ["PATCH", /^permissions\/([^/]+)$/i, []],
  ["DELETE", /^permissions\/([^/]+)$/i, []],
  ["GET", /^columns$/i, []],
  ["POST", /^columns$/i, []],
  ["GET", /^columns\/([^/]+)$/i, []],
  ["DELETE", /^columns\/([^/]+)$/i, []],
  ["GET", /^customProperties$/i, []],
  ["PATCH", /^customProperties$/i, []],
  ["GET", /^customProperties\/([^/]+)$/i, []],
  ["GET", /^recycleBin\/items$/i, []],
  ["POST", /^recycleBin\/items\/restore$/i, []],
  ["POST", /^recycleBin\/items\/delete$/i, []],
];

/** The same for containers in the recycle bin. */
export const DELETED_CONTAINER_ROUTES: readonly ContainerRoute[] = [
  ["GET", /^$/, ["$select"]],
  ["DELETE", /^$/, []],
  ["POST", /^restore$/i, ["$select"]],
];

/** Refuses an action, a method or an option that the table does not have. */
function checkRoute({ request }: DriveCall, routes: readonly ContainerRoute[], action: string) {
  const known = routes.filter(([, pattern]) => pattern.test(action));
  if (known.length === 0) {
    throw new GraphProblem(400, "BadRequest", `Resource not found for the segment '${action}'.`);
  }
  const route = known.find(([method]) => method === request.method);
  if (route === undefined) throw wrongMethod(known.map(([method]) => method));
  checkOptions(request.query, route[2], "invalidRequest");
}

/** `{id}` and what follows it, by method and action. */
export function useContainer(call: DriveCall, id: string, action: string): TenantResponse {
  checkRoute(call, CONTAINER_ROUTES, action);
  const container = loadContainer(call, id);
  const column = /^columns(?:\/([^/]+))?$/i.exec(action);
  if (column !== null) return answerColumns(call, container, column[1] ?? null);
  const property = /^customProperties(?:\/([^/]+))?$/i.exec(action);
  if (property !== null) return answerCustomProperties(call, container, property[1] ?? null);
  const bin = /^recycleBin\/items(?:\/(restore|delete))?$/i.exec(action);
  if (bin !== null) return useRecycleBin(call, container, (bin[1] ?? "").toLowerCase());
  const { store, caller } = call;
  const need = (what: "read" | "write" | "manage" | "own") =>
    checkAccess(store, caller, container, what);
  switch (`${call.request.method} ${action.toLowerCase()}`) {
    case "GET ":
      need("read");
      return answer(call, container);
    case "PATCH ":
      need("manage");
      return patchContainer(call, container);
    case "DELETE ":
      need("own");
      container.deletedMs = call.context.clock.now();
      return { status: 204 };
    case "POST activate":
      need("write");
      checkNoParameters(call.request);
      container.status = "active";
      return { status: 204 };
    case "POST lock":
    case "POST unlock":
      need("own");
      checkLock(call);
      container.lockState = action.toLowerCase() === "lock" ? "lockedReadOnly" : "unlocked";
      return { status: 204 };
    case "POST permanentdelete":
      need("own");
      checkNoParameters(call.request);
      store.containers.delete(container.id);
      return { status: 204 };
    case "GET drive":
      need("read");
      return { status: 200, body: selectOwn(viewDrive(call, container), call.request.query) };
    case "GET permissions":
      need("read");
      return {
        status: 200,
        body: { value: container.permissions.map((known) => viewPermission(call, known)) },
      };
    case "POST permissions":
      need("manage");
      return addPermission(call, container);
    default:
      return usePermission(call, container, action);
  }
}

/** The only state that a container can be locked into. */
function checkLock(call: DriveCall): void {
  const body = readBody(call.request);
  checkBody(body, call.request.path.toLowerCase().endsWith("/lock") ? ["lockState"] : []);
  if ((body["lockState"] ?? "lockedReadOnly") !== "lockedReadOnly") {
    throw invalid("lockState must be lockedReadOnly.");
  }
}

function patchContainer(call: DriveCall, container: Container): TenantResponse {
  const body = readBody(call.request);
  checkBody(body, ["displayName", "description", "settings"]);
  checkText(body["displayName"], "displayName");
  checkText(body["description"], "description");
  if (typeof body["displayName"] === "string") container.displayName = body["displayName"];
  if (typeof body["description"] === "string") container.description = body["description"];
  Object.assign(container.settings, readSettings(body["settings"]));
  container.status = "active";
  return answer(call, container);
}

function checkText(value: unknown, name: string): void {
  if (value === undefined || value === null || typeof value === "string") return;
  throw invalid(`The value of '${name}' is not a string.`);
}

function readSettings(given: unknown): Partial<Container["settings"]> {
  if (given === undefined || given === null) return {};
  const { isItemVersioningEnabled, itemMajorVersionLimit } = isObject(given) ? given : {};
  const isSwitch = ["boolean", "undefined"].includes(typeof isItemVersioningEnabled);
  const isLimit =
    itemMajorVersionLimit === undefined ||
    (Number.isInteger(itemMajorVersionLimit) && Number(itemMajorVersionLimit) >= 1);
  if (!isObject(given) || !isSwitch || !isLimit) throw invalid("The settings are not valid.");
  checkBody(given, ["isItemVersioningEnabled", "itemMajorVersionLimit", "isOcrEnabled"]);
  if (given["isOcrEnabled"] === true) throw invalid("isOcrEnabled cannot be set here.");
  return given as Partial<Container["settings"]>;
}

function readRoles(body: Record<string, unknown>): Role[] {
  const roles = body["roles"];
  const isKnown = (role: unknown): role is Role =>
    ["reader", "writer", "manager", "owner"].includes(String(role));
  if (!Array.isArray(roles) || roles.length === 0 || !roles.every(isKnown)) {
    throw invalid("roles must name reader, writer, manager or owner.");
  }
  return roles;
}

function addPermission(call: DriveCall, container: Container): TenantResponse {
  const body = readBody(call.request);
  checkBody(body, ["roles", "grantedToV2"]);
  const roles = readRoles(body);
  const granted = body["grantedToV2"] as { user?: Record<string, string> } | undefined;
  const wanted = granted?.user?.["id"] ?? granted?.user?.["userPrincipalName"];
  const user = call.context.users.find(
    ({ id, userPrincipalName }) =>
      id === wanted || userPrincipalName.toLowerCase() === wanted?.toLowerCase(),
  );
  if (user === undefined) throw invalid("grantedToV2.user names nobody in this tenant.");
  container.permissions = container.permissions.filter(({ userId }) => userId !== user.id);
  const permission = { id: call.store.world.uuid(), roles, userId: user.id };
  container.permissions.push(permission);
  container.status = "active";
  return { status: 201, body: viewPermission(call, permission) };
}

function usePermission(call: DriveCall, container: Container, action: string): TenantResponse {
  const id = /^permissions\/([^/]+)$/i.exec(action)?.[1];
  const permission = container.permissions.find((known) => known.id === id);
  if (id === undefined || permission === undefined) throw notFound();
  checkAccess(call.store, call.caller, container, "manage");
  if (call.request.method === "DELETE") {
    container.permissions = container.permissions.filter((known) => known !== permission);
    return { status: 204 };
  }
  if (call.request.method === "PATCH") {
    const body = readBody(call.request);
    checkBody(body, ["roles"]);
    permission.roles = readRoles(body);
  }
  return { status: 200, body: viewPermission(call, permission) };
}

/** Containers in the recycle bin. */
export function useDeletedContainer(call: DriveCall, id: string, action: string): TenantResponse {
  checkRoute(call, DELETED_CONTAINER_ROUTES, action);
  const container = loadDeletedContainer(call, id);
  checkAccess(call.store, call.caller, container, "own");
  switch (`${call.request.method} ${action.toLowerCase()}`) {
    case "DELETE ":
      call.store.containers.delete(id);
      return { status: 204 };
    case "POST restore":
      checkNoParameters(call.request);
      container.deletedMs = null;
      return answer(call, container);
    default:
      return answer(call, container);
  }
}

function wrongMethod(allowed: readonly string[]): GraphProblem {
  const headers = { allow: allowed.join(", ") };
  return new GraphProblem(405, "invalidRequest", "The method is not allowed here.", { headers });
}
