/**
 * Container types, and what their registration in the tenant lets apps do. Modelled after
 * learn.microsoft.com/graph/api/filestorage-post-containertypes, filestorage-post-containertyperegistrations and
 * filestoragecontainertyperegistration-post-applicationpermissiongrants.
 */
import { GraphProblem } from "../graph/call/graph-error.ts";
import { checkOptions } from "../graph/call/query-options.ts";
import type { TenantResponse } from "../http.ts";
import { type DriveCall, isObject, readBody } from "./drive-call.ts";
import { checkBody, invalid } from "./drive-options.ts";
import type { ContainerType } from "./store/drive-store.ts";
import { notFound } from "./store/drive-tree.ts";

const MANAGE_TYPES = "FileStorageContainerType.Manage.All";
const REGISTER = "FileStorageContainerTypeReg.Selected";
const BILLING = ["standard", "trial", "directToCustomer"];
const PERMISSIONS: ReadonlySet<unknown> = new Set([
  ...["none", "readContent", "writeContent", "manageContent", "create", "delete", "read", "write"],
  ...["enumeratePermissions", "addPermissions", "updatePermissions", "deletePermissions"],
  ...["deleteOwnPermission", "managePermissions", "full"],
]);

/** `containerTypes`: for administrators only, so never with an app's own token. */
export function useContainerTypes(call: DriveCall): TenantResponse {
  const { caller, store } = call;
  if (caller.isAppOnly || !caller.scopes.has(MANAGE_TYPES)) throw denied();
  checkOptions(call.request.query, [], "invalidRequest");
  if (call.request.method === "GET") return { status: 200, body: { value: store.types } };
  if (call.request.method !== "POST") throw wrongMethod();
  const body = readBody(call.request);
  checkBody(body, ["name", "owningAppId", "billingClassification"]);
  const { name, owningAppId, billingClassification = "standard" } = body;
  if (typeof name !== "string" || name === "") throw invalid("name is needed.");
  if (!call.context.apps.some(({ appId }) => appId === owningAppId))
    throw invalid("owningAppId must be an app of this tenant.");
  if (!BILLING.includes(String(billingClassification)))
    throw invalid("billingClassification is not valid.");
  const type = {
    id: store.world.uuid(),
    name,
    owningAppId: String(owningAppId),
    billingClassification: String(billingClassification),
  };
  store.types.push(type);
  call.context.journal.record("drive.type-created", { type: type.id });
  return { status: 201, body: type };
}

/** `containerTypeRegistrations/{type}` and the grants of its apps. */
export function useRegistration(call: DriveCall, id: string, action: string): TenantResponse {
  const { caller, store } = call;
  const granted = caller.isAppOnly ? caller.roles : caller.scopes;
  const type = store.types.find((each) => each.id === id.toLowerCase());
  if (!granted.has(REGISTER)) throw denied();
  if (type === undefined) throw notFound();
  if (type.owningAppId !== caller.appId) throw denied();
  checkOptions(call.request.query, [], "invalidRequest");
  const [, grants, appId] = /^(applicationPermissionGrants)?(?:\/([^/]+))?$/i.exec(action) ?? [];
  const isPut = call.request.method === "PUT";
  if (isPut && action === "") return register(call, type);
  const known = store.registrations.filter(({ containerTypeId }) => containerTypeId === type.id);
  if (grants === undefined || known.length === 0) throw notFound();
  if (isPut && appId !== undefined) return grant(call, type, appId);
  if (call.request.method !== "GET" || appId !== undefined) throw wrongMethod();
  return { status: 200, body: { value: known.map(viewGrant) } };
}

/** Replaces all grants of the type. */
function register(call: DriveCall, type: ContainerType): TenantResponse {
  const body = readBody(call.request);
  checkBody(body, ["applicationPermissionGrants"]);
  const wanted = body["applicationPermissionGrants"] ?? [];
  if (!Array.isArray(wanted) || !wanted.every(isObject)) throw invalid("The grants are not valid.");
  const read = wanted.map((each) => {
    checkBody(each, ["appId", "delegatedPermissions", "applicationPermissions"]);
    if (typeof each["appId"] !== "string") throw invalid("appId is needed.");
    return readGrant(type, each["appId"], each);
  });
  const others = call.store.registrations.filter((each) => each.containerTypeId !== type.id);
  call.store.registrations = [...others, ...read];
  return { status: 201, body: { ...type, applicationPermissionGrants: read.map(viewGrant) } };
}

function grant(call: DriveCall, type: ContainerType, appId: string): TenantResponse {
  const body = readBody(call.request);
  checkBody(body, ["delegatedPermissions", "applicationPermissions"]);
  const wanted = readGrant(type, appId, body);
  const isSame = (each: { containerTypeId: string; appId: string }) =>
    each.containerTypeId === type.id && each.appId === appId;
  const isNew = !call.store.registrations.some(isSame);
  call.store.registrations = [...call.store.registrations.filter((each) => !isSame(each)), wanted];
  return { status: isNew ? 201 : 200, body: viewGrant(wanted) };
}

function readGrant({ id }: ContainerType, appId: string, body: Record<string, unknown>) {
  const list = (name: string): string[] => {
    const given = body[name] ?? [];
    if (!Array.isArray(given) || !given.every((each) => PERMISSIONS.has(each)))
      throw invalid(`${name} is not valid.`);
    return given as string[];
  };
  return {
    containerTypeId: id,
    appId,
    delegated: list("delegatedPermissions"),
    appOnly: list("applicationPermissions"),
  };
}

const viewGrant = ({ appId, delegated, appOnly }: ReturnType<typeof readGrant>) => ({
  appId,
  delegatedPermissions: delegated,
  applicationPermissions: appOnly,
});

const denied = () => new GraphProblem(403, "accessDenied", "Access denied");
const wrongMethod = () =>
  new GraphProblem(405, "invalidRequest", "The method is not allowed here.");
