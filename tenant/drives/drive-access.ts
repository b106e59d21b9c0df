/**
 * Three layers protect a container: the Graph permission of the app, what the container type lets that app do
 * and, with a user, the user's own role. All must allow the call.
 */
import type { Caller } from "../context.ts";
import { GraphProblem } from "../graph/call/graph-error.ts";
import { findTarget, type ItemCall } from "./drive-call.ts";
import { type Container, EVERYONE, type Role } from "./store/drive-model.ts";
import type { DriveStore } from "./store/drive-store.ts";

/** What a call needs: to read or write content, or to manage or delete the container itself. */
export type Need = "read" | "write" | "manage" | "own" | "create" | "list";

const GRAPH_PERMISSION = "FileStorageContainer.Selected";

const APP_PERMISSIONS: Readonly<Record<Need, readonly string[]>> = {
  read: ["readContent"],
  write: ["writeContent"],
  manage: ["managePermissions", "write"],
  own: ["delete"],
  create: ["create"],
  list: ["read"],
};

const USER_ROLES: Readonly<Record<"read" | "write" | "manage" | "own", readonly Role[]>> = {
  read: ["reader", "writer", "manager", "owner"],
  write: ["writer", "manager", "owner"],
  manage: ["manager", "owner"],
  own: ["owner"],
};

export function checkGraphPermission(caller: Caller): void {
  const granted = caller.isAppOnly ? caller.roles : caller.scopes;
  if (!granted.has(GRAPH_PERMISSION)) throw denied();
}

export function checkContainerType(
  store: DriveStore,
  caller: Caller,
  containerTypeId: string,
  need: Need,
): void {
  const registration = store.findRegistration(containerTypeId, caller.appId);
  const granted = (caller.isAppOnly ? registration?.appOnly : registration?.delegated) ?? [];
  if (granted.includes("full")) return;
  if (!APP_PERMISSIONS[need].some((permission) => granted.includes(permission))) throw denied();
}

/** Throws unless the caller may do this in the container. */
export function checkAccess(
  store: DriveStore,
  caller: Caller,
  container: Container,
  need: "read" | "write" | "manage" | "own",
): void {
  checkGraphPermission(caller);
  checkContainerType(store, caller, container.containerTypeId, need);
  if (!caller.isAppOnly && !isMember(store, container, caller.objectId, need)) throw denied();
  checkLock(container, need);
}

/**
 * Checks one item: the caller needs the right in its container, or a permission on the item or on a folder
 * above it.
 */
export function checkItem(call: ItemCall, need: "read" | "write"): void {
  const { store, caller, container } = call;
  const isGuest = !caller.isAppOnly && !isMember(store, container, caller.objectId, need);
  if (!isGuest) {
    checkAccess(store, caller, container, need);
    return;
  }
  checkGraphPermission(caller);
  checkContainerType(store, caller, container.containerTypeId, need);
  if (!isInvited(call, need)) throw denied();
  checkLock(container, need);
}

function isInvited(call: ItemCall, need: "read" | "write"): boolean {
  const { drive } = call.container;
  const nowMs = call.context.clock.now();
  for (let item = findTarget(call); item !== null; ) {
    const isGranted = item.permissions?.some(
      ({ roles, userIds, expiresMs }) =>
        userIds.includes(call.caller.objectId) &&
        (roles.includes("write") || need === "read") &&
        (expiresMs === null || expiresMs > nowMs),
    );
    if (isGranted) return true;
    item = item.parentId === null ? null : (drive.items.get(item.parentId) ?? null);
  }
  return false;
}

function checkLock(container: Container, need: string): void {
  if (need === "write" && container.lockState === "lockedReadOnly") {
    throw new GraphProblem(423, "resourceLocked", "The container is locked for changes.");
  }
}

export function isMember(
  store: DriveStore,
  container: Container,
  userId: string,
  need: "read" | "write" | "manage" | "own",
): boolean {
  return container.permissions.some(
    (permission) =>
      (permission.userId === userId || (permission.userId === EVERYONE && store.isUser(userId))) &&
      permission.roles.some((role) => USER_ROLES[need].includes(role)),
  );
}

function denied(): GraphProblem {
  return new GraphProblem(403, "accessDenied", "Access denied");
}
