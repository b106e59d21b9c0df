/** Who may use one item: sharing links, invitations, and the list of both. */
import { GraphProblem } from "../graph/call/graph-error.ts";
import type { TenantResponse } from "../http.ts";
import { checkItem, isMember } from "./drive-access.ts";
import {
  checkConditions,
  type DriveCall,
  type ItemCall,
  isObject,
  loadTarget,
  readBody,
} from "./drive-call.ts";
import { checkBody, invalid, selectOwn } from "./drive-options.ts";
import { viewItemPermission, viewPermission } from "./item-view.ts";
import { type Container, EVERYONE, type Item, type ItemPermission } from "./store/drive-model.ts";
import { notFound } from "./store/drive-tree.ts";

const LINK_TYPES = ["view", "edit"] as const;
const LINK_SCOPES = ["anonymous", "organization", "users"] as const;
const LINK_BODY = [
  ...["type", "scope", "expirationDateTime", "password", "retainInheritedPermissions"],
  ...["recipients", "sendNotification"],
];
const INVITE_BODY = [
  ...["recipients", "message", "requireSignIn", "sendInvitation", "roles"],
  ...["expirationDateTime", "password", "retainInheritedPermissions"],
];
const ROLES = ["read", "write"] as const;

/** An owner sees every permission; others see only those that apply to them, and links only if they may create them. */
export function listPermissions(call: ItemCall): TenantResponse {
  checkItem(call, "read");
  const item = loadTarget(call);
  const { container, caller, store } = call;
  const may = (need: "write" | "own") =>
    caller.isAppOnly || isMember(store, container, caller.objectId, need);
  const isOwner = may("own");
  const isMine = (userId: string) => userId === caller.objectId || userId === EVERYONE;
  const inheritedFrom = { driveId: container.id, id: container.drive.rootId, path: "/root:" };
  const own = (item.permissions ?? [])
    .filter(({ link, userIds }) => isOwner || isOpenLink(link) || userIds.some(isMine))
    .map((each) => viewItemPermission(call, each))
    .map((view) => (may("write") ? view : withoutSecrets(view)));
  const inherited = container.permissions
    .filter(({ userId }) => isOwner || isMine(userId))
    .map((each) => ({ ...viewPermission(call, each), inheritedFrom }));
  return { status: 200, body: { value: [...own, ...inherited] } };
}

const isOpenLink = (link: ItemPermission["link"]): boolean =>
  link !== null && link.scope !== "users";

function withoutSecrets(view: ReturnType<typeof viewItemPermission>) {
  if (!("link" in view)) return view;
  const { shareId: _, link, ...rest } = view;
  const { webUrl: _url, ...shown } = link;
  return { ...rest, link: shown };
}

export function usePermission(call: ItemCall, id: string): TenantResponse {
  const { method } = call.request;
  checkItem(call, method === "GET" ? "read" : "write");
  const item = loadTarget(call);
  const permission = item.permissions?.find((each) => each.id === id);
  if (permission === undefined) throw notFound();
  if (method !== "GET") checkConditions(call.request, item);
  if (method === "DELETE") {
    item.permissions = item.permissions?.filter((each) => each !== permission);
    return { status: 204 };
  }
  if (method === "PATCH") {
    const body = readBody(call.request);
    checkBody(body, ["roles", "expirationDateTime"]);
    if (body["roles"] !== undefined) permission.roles = readRoles(body["roles"]);
    if (body["expirationDateTime"] !== undefined) {
      permission.expiresMs = readExpiry(call, body["expirationDateTime"]);
    }
  }
  const view = viewItemPermission(call, permission);
  return { status: 200, body: selectOwn(view, call.request.query) };
}

/** If the app already created a link of the same kind, that link is returned, with 200 instead of 201. */
export function createLink(call: ItemCall): TenantResponse {
  checkItem(call, "write");
  const item = loadTarget(call);
  const body = readBody(call.request);
  checkBody(body, LINK_BODY);
  const type = LINK_TYPES.find((each) => each === body["type"]);
  if (type === undefined) {
    throw invalid(`'${String(body["type"])}' is not a type of link: use view or edit.`);
  }
  const scope = LINK_SCOPES.find((each) => each === (body["scope"] ?? "organization"));
  if (scope === undefined) throw invalid(`'${String(body["scope"])}' is not a scope of a link.`);
  if (body["password"] !== undefined) throw notSupported("Passwords are for OneDrive Personal.");
  const known = item.permissions?.find(
    ({ link, appId }) => link?.type === type && link.scope === scope && appId === call.caller.appId,
  );
  if (known !== undefined) return answerLink(call, known, 200);
  const permission: ItemPermission = {
    id: call.store.world.uuid(),
    roles: [type === "view" ? "read" : "write"],
    userIds: readRecipients(call, body["recipients"] ?? []),
    link: { type, scope, token: call.store.world.uuid().replaceAll("-", "") },
    appId: call.caller.appId,
    expiresMs: readExpiry(call, body["expirationDateTime"]),
  };
  item.permissions = [...(item.permissions ?? []), permission];
  return answerLink(call, permission, 201);
}

function answerLink(call: ItemCall, permission: ItemPermission, status: number): TenantResponse {
  const context = `${call.context.origin()}/${call.version}/$metadata#permission`;
  const view = viewItemPermission(call, permission);
  return { status, body: { "@odata.context": context, ...view } };
}

export function invite(call: ItemCall): TenantResponse {
  checkItem(call, "write");
  const item = loadTarget(call);
  const body = readBody(call.request);
  checkBody(body, INVITE_BODY);
  if (body["requireSignIn"] !== true && body["sendInvitation"] !== true) {
    throw invalid("At least one of requireSignIn and sendInvitation must be true.");
  }
  if (body["requireSignIn"] === false) throw notSupported("Sign-in is always required here.");
  if (body["password"] !== undefined) throw notSupported("Passwords are for OneDrive Personal.");
  const roles = readRoles(body["roles"]);
  const users = readRecipients(call, body["recipients"]);
  if (users.length === 0) throw invalid("recipients must name at least one person.");
  const permissions = users.map((userId): ItemPermission => {
    const others = (item.permissions ?? []).filter(
      (each) => each.link !== null || !each.userIds.includes(userId),
    );
    const permission: ItemPermission = {
      id: call.store.world.uuid(),
      roles,
      userIds: [userId],
      link: null,
      appId: call.caller.appId,
      expiresMs: readExpiry(call, body["expirationDateTime"]),
    };
    item.permissions = [...others, permission];
    return permission;
  });
  const value = permissions.map((each) => viewItemPermission(call, each));
  return { status: 200, body: { value } };
}

/** `/shares/{id}`: a sharing link as `u!` and its URL in base64url, or the token in it. */
export function findShared(
  call: DriveCall,
  id: string,
): { container: Container; item: Item; permission: ItemPermission } {
  const url = id.startsWith("u!") ? Buffer.from(id.slice(2), "base64url").toString() : id;
  const token = url.split("/").at(-1)?.split("?")[0] ?? "";
  for (const container of call.store.containers.values()) {
    for (const item of container.drive.items.values()) {
      const permission = item.permissions?.find(({ link }) => link?.token === token);
      if (permission === undefined || item.isDeleted) continue;
      if (permission.expiresMs !== null && permission.expiresMs <= call.context.clock.now()) break;
      checkSharing(call, permission);
      return { container, item, permission };
    }
  }
  throw new GraphProblem(404, "itemNotFound", "The sharing link no longer exists.");
}

function checkSharing({ caller }: DriveCall, { link, userIds }: ItemPermission): void {
  if (link?.scope !== "users" || caller.isAppOnly || userIds.includes(caller.objectId)) return;
  throw new GraphProblem(403, "accessDenied", "Access denied");
}

function readRoles(given: unknown): ItemPermission["roles"] {
  const roles = Array.isArray(given) ? given : [];
  const known = ROLES.filter((role) => roles.includes(role));
  if (known.length === roles.length && known.length > 0) return known;
  throw invalid("roles must list read or write.");
}

function readExpiry(call: ItemCall, given: unknown): number | null {
  if (given === undefined || given === null) return null;
  const ms = Date.parse(String(given));
  if (Number.isNaN(ms)) throw invalid(`'${String(given)}' is not a time.`);
  if (ms <= call.context.clock.now()) throw invalid("expirationDateTime must be in the future.");
  return ms;
}

function readRecipients(call: ItemCall, given: unknown): string[] {
  if (!Array.isArray(given) || !given.every(isObject)) {
    throw invalid("recipients must be a list of objects.");
  }
  return given.map((recipient) => {
    const name = String(recipient["email"] ?? recipient["objectId"] ?? recipient["alias"] ?? "");
    const wanted = name.toLowerCase();
    const user = call.context.users.find((each) =>
      [each.id, each.mail, each.userPrincipalName].some((known) => known.toLowerCase() === wanted),
    );
    if (user === undefined) throw invalid(`The recipient '${name}' could not be found.`);
    return user.id;
  });
}

function notSupported(message: string): GraphProblem {
  return new GraphProblem(400, "notSupported", message);
}
