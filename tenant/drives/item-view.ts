/** Items and containers as Graph shows them. */
import { checkOptions } from "../graph/call/query-options.ts";
import type { DriveCall, DriveWorld } from "./drive-call.ts";
import { readExpand } from "./drive-options.ts";
import { hashOf } from "./store/content.ts";
import {
  type Container,
  type ContainerPermission,
  contentOf,
  cTagOf,
  EVERYONE,
  eTagOf,
  type Item,
  type ItemPermission,
  iso,
  type Version,
} from "./store/drive-model.ts";
import { childrenOf } from "./store/drive-tree.ts";
import { isOffice, mimeTypeOf } from "./store/mime-types.ts";

export function viewItem(world: DriveWorld, container: Container, item: Item) {
  const { drive } = container;
  return {
    ...(item.isFolder
      ? {}
      : { "@microsoft.graph.downloadUrl": world.links.toFile(linkTo(container, item)) }),
    createdDateTime: iso(item.createdMs),
    eTag: eTagOf(item),
    id: item.id,
    lastModifiedDateTime: iso(item.modifiedMs),
    name: item.name,
    webUrl: webUrlOf(world, container, item),
    ...(item.isFolder ? {} : { cTag: cTagOf(item) }),
    size: sizeOf(container, item),
    ...(item.description ? { description: item.description } : {}),
    createdBy: identity(world, item.createdBy),
    lastModifiedBy: identity(world, item.modifiedBy),
    parentReference: parentOf(container, item),
    fileSystemInfo: {
      createdDateTime: iso(item.createdMs),
      lastModifiedDateTime: iso(item.modifiedMs),
    },
    ...(item.isFolder
      ? { folder: { childCount: childrenOf(drive, item.id).length } }
      : {
          file: {
            hashes: { quickXorHash: hashOf(contentOf(item)) },
            mimeType: mimeTypeOf(item.name),
          },
        }),
    ...(item.parentId === null ? { root: {} } : {}),
    ...(item.isFolder ? {} : { publication: publicationOf(world, item) }),
    ...(item.permissions?.length ? { shared: { scope: sharedScope(item) } } : {}),
  };
}

/** The widest scope in which an item is shared. */
function sharedScope(item: Item): string {
  const scopes = new Set(item.permissions?.map(({ link }) => link?.scope ?? "users"));
  return ["anonymous", "organization"].find((scope) => scopes.has(scope as never)) ?? "users";
}

function publicationOf(world: DriveWorld, item: Item) {
  const versionId = item.versions.at(-1)?.id ?? "1.0";
  if (item.checkedOutBy === null) return { level: "published", versionId };
  return { level: "checkout", versionId, checkedOutBy: identity(world, item.checkedOutBy) };
}

/** What delta shows of a deleted item. */
export function viewDeleted(container: Container, item: Item) {
  return {
    id: item.id,
    name: item.name,
    parentReference: { driveId: container.id, driveType: "other", id: item.parentId },
    deleted: { state: "deleted" },
    ...(item.isFolder ? { folder: { childCount: 0 } } : { file: {} }),
    size: 0,
  };
}

export function viewVersion(world: DriveWorld, version: Version) {
  return {
    id: version.id,
    lastModifiedDateTime: iso(version.modifiedMs),
    size: version.content.length,
    lastModifiedBy: identity(world, version.modifiedBy),
    ...(version.comment ? { publication: { level: "published", versionId: version.id } } : {}),
  };
}

export function viewDrive(world: DriveWorld, container: Container) {
  const { drive } = container;
  return {
    "@odata.context": `${world.context.origin()}/v1.0/$metadata#drives/$entity`,
    createdDateTime: iso(container.createdMs),
    description: container.description,
    id: container.id,
    lastModifiedDateTime: iso(drive.items.get(drive.rootId)!.modifiedMs),
    name: "Document Library",
    webUrl: `${siteOf(world, container)}/Document%20Library`,
    driveType: "other",
    createdBy: identity(world, container.createdBy),
    owner: { user: { displayName: "System Account" } },
    quota: {
      deleted: 0,
      remaining: container.quotaBytes - drive.usedBytes,
      state: quotaState(drive.usedBytes / container.quotaBytes),
      total: container.quotaBytes,
      used: drive.usedBytes,
    },
  };
}

function quotaState(share: number): string {
  if (share >= 1) return "exceeded";
  return share >= 0.99 ? "critical" : share >= 0.9 ? "nearing" : "normal";
}

export function viewContainer(call: DriveCall, container: Container) {
  const expands = readExpand(call.request.query, ["permissions", "drive"]).map(
    ({ name, query }) => {
      checkOptions(query, [], "invalidRequest");
      return name;
    },
  );
  return {
    id: container.id,
    displayName: container.displayName,
    description: container.description,
    containerTypeId: container.containerTypeId,
    status: container.status,
    lockState: container.lockState,
    createdDateTime: iso(container.createdMs),
    settings: { ...container.settings, isOcrEnabled: false },
    viewpoint: { effectiveRole: effectiveRole(call, container) },
    ...(expands.includes("permissions")
      ? { permissions: container.permissions.map((known) => viewPermission(call, known)) }
      : {}),
    ...(expands.includes("drive") ? { drive: viewDrive(call, container) } : {}),
  };
}

function effectiveRole({ caller }: DriveCall, container: Container): string {
  if (caller.isAppOnly) return "owner";
  const isMine = (userId: string) => userId === caller.objectId || userId === EVERYONE;
  return container.permissions.find(({ userId }) => isMine(userId))?.roles[0] ?? "none";
}

export function viewPermission(world: DriveWorld, permission: ContainerPermission) {
  if (permission.userId === EVERYONE) {
    const group = { id: world.context.tenantId, displayName: "Everyone" };
    return { id: permission.id, roles: permission.roles, grantedToV2: { group } };
  }
  const grantedToV2 = { user: personOf(world, permission.userId) };
  return { id: permission.id, roles: permission.roles, grantedToV2 };
}

/** A permission on one item: a sharing link, or somebody who was invited. */
export function viewItemPermission(world: DriveWorld, permission: ItemPermission) {
  const { id, roles, link, userIds, expiresMs } = permission;
  const people = userIds.map((userId) => ({ user: personOf(world, userId) }));
  const url = `${world.context.origin()}/contentstorage/${link?.type === "edit" ? ":w:" : ":b:"}/s/${link?.token}`;
  return {
    id,
    roles,
    hasPassword: false,
    ...(expiresMs === null ? {} : { expirationDateTime: iso(expiresMs) }),
    ...(link === null
      ? { grantedToV2: people[0] }
      : {
          link: { type: link.type, scope: link.scope, webUrl: url, preventsDownload: false },
          grantedToIdentitiesV2: people,
          shareId: `u!${Buffer.from(url).toString("base64url")}`,
        }),
  };
}

function personOf({ context }: DriveWorld, userId: string) {
  const user = context.users.find(({ id }) => id === userId);
  return {
    id: userId,
    displayName: user?.displayName ?? "",
    email: user?.mail ?? "",
    userPrincipalName: user?.userPrincipalName ?? "",
  };
}

export function linkTo(container: Container, item: Item) {
  return { driveId: container.id, itemId: item.id, versionId: item.versions.at(-1)?.id ?? "1.0" };
}

/** Names from below the root down to the item. */
function pathTo(container: Container, item: Item): string[] {
  const names: string[] = [];
  for (let at: Item | undefined = item; at !== undefined && at.parentId !== null; ) {
    names.unshift(at.name);
    at = container.drive.items.get(at.parentId);
  }
  return names;
}

function parentOf(container: Container, item: Item) {
  const base = { driveType: "other", driveId: container.id, siteId: siteIdOf(container) };
  if (item.parentId === null) return base;
  const parent = container.drive.items.get(item.parentId)!;
  const path = pathTo(container, parent).map(encodeURIComponent);
  return {
    ...base,
    id: parent.id,
    name: parent.name,
    path: [`/drives/${container.id}/root:`, ...path].join("/"),
  };
}

function sizeOf(container: Container, item: Item): number {
  if (!item.isFolder) return contentOf(item).length;
  return item.id === container.drive.rootId
    ? container.drive.usedBytes
    : childrenOf(container.drive, item.id).reduce(
        (sum, child) => sum + sizeOf(container, child),
        0,
      );
}

function webUrlOf(world: DriveWorld, container: Container, item: Item): string {
  const site = siteOf(world, container);
  if (!item.isFolder && isOffice(item.name)) {
    const id = encodeURIComponent(`{${item.uniqueId.toUpperCase()}}`);
    const file = encodeURIComponent(item.name);
    return `${site}/_layouts/15/Doc.aspx?sourcedoc=${id}&file=${file}&action=default&mobileredirect=true`;
  }
  const path = pathTo(container, item).map(encodeURIComponent);
  return [`${site}/Document%20Library`, ...path].join("/");
}

function siteOf({ context }: DriveWorld, container: Container): string {
  return `${context.origin()}/contentstorage/CSP_${siteIdOf(container)}`;
}

/** Every container has its own site; the site id is contained in the container's id. */
function siteIdOf(container: Container): string {
  const hex = Buffer.from(container.id.slice(2), "base64url").toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

export function identity({ context }: DriveWorld, objectId: string) {
  const user = context.users.find(({ id }) => id === objectId);
  if (user !== undefined) {
    return { user: { id: user.id, displayName: user.displayName, email: user.mail } };
  }
  const app = context.apps.find(({ servicePrincipalId }) => servicePrincipalId === objectId);
  return {
    application: { id: app?.appId ?? objectId, displayName: app?.displayName ?? "System Account" },
  };
}
