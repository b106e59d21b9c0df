import type { Content } from "./content.ts";

/** The data model of drives. A container of SharePoint Embedded is a drive: both have the same id. */
export type Role = "reader" | "writer" | "manager" | "owner";

export interface ContainerPermission {
  readonly id: string;
  roles: Role[];
  /** Object id of the user, or `EVERYONE`. */
  readonly userId: string;
}

/** What somebody may do with one item, through a sharing link or by invitation. */
export interface ItemPermission {
  readonly id: string;
  roles: ("read" | "write")[];
  /** Whom it is for; for a link, only if its scope is `users`. */
  readonly userIds: readonly string[];
  readonly link: SharingLink | null;
  /** The app that created it. */
  readonly appId: string;
  expiresMs: number | null;
}

export interface SharingLink {
  readonly type: "view" | "edit";
  readonly scope: "anonymous" | "organization" | "users";
  /** The secret part of its URL. */
  readonly token: string;
}

export type ColumnType = "text" | "number" | "boolean" | "dateTime" | "choice";

/** A column of a container: a field that every item of it may have. */
export interface Column {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly type: ColumnType;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Stands for all users of the tenant, including later ones. */
export const EVERYONE = "everyone";

export interface Container {
  /** `b!…`; also the id of its drive. */
  readonly id: string;
  readonly containerTypeId: string;
  displayName: string;
  description: string;
  status: "inactive" | "active";
  lockState: "unlocked" | "lockedReadOnly";
  readonly createdMs: number;
  readonly createdBy: string;
  /** Null if it is not in the recycle bin. */
  deletedMs: number | null;
  permissions: ContainerPermission[];
  settings: { isItemVersioningEnabled: boolean; itemMajorVersionLimit: number };
  customProperties: Record<string, { value: string; isSearchable: boolean }>;
  columns?: Column[];
  /** How many bytes may be stored; the service allows 25 TB. */
  quotaBytes: number;
  readonly drive: Drive;
}

export interface Drive {
  readonly id: string;
  readonly rootId: string;
  readonly items: Map<string, Item>;
  /** Counts every change; a delta link records its position in this count. */
  changes: number;
  usedBytes: number;
}

export interface Item {
  readonly id: string;
  name: string;
  /** Null only for the root. */
  parentId: string | null;
  readonly isFolder: boolean;
  description: string;
  createdMs: number;
  readonly createdBy: string;
  modifiedMs: number;
  modifiedBy: string;
  /** A GUID; eTag and cTag are derived from it and a counter each. */
  readonly uniqueId: string;
  eTagCount: number;
  cTagCount: number;
  /** Oldest first; the last is the content. Empty for folders. */
  versions: Version[];
  /** The drive's change count when the item last changed. */
  changedAt: number;
  changedAtMs: number;
  isDeleted: boolean;
  /** Set while it is in the recycle bin; the contents of a folder are there with it. */
  recycled?: { readonly id: string; readonly deletedMs: number; readonly deletedBy: string };
  /** Who has checked it out, or null. */
  checkedOutBy: string | null;
  /** Links and invitations of this item only. */
  permissions?: ItemPermission[];
  /** Values of the container's columns. */
  fields?: Record<string, unknown>;
}

export interface Version {
  /** `1.0`, `2.0` … */
  readonly id: string;
  readonly content: Content;
  readonly modifiedMs: number;
  readonly modifiedBy: string;
  comment: string;
}

export type ConflictBehavior = "fail" | "replace" | "rename";

export function contentOf(item: Item): Content {
  return item.versions.at(-1)?.content ?? Buffer.alloc(0);
}

export function eTagOf(item: Item): string {
  return `"{${item.uniqueId.toUpperCase()}},${item.eTagCount}"`;
}

/** Changes only with the content. */
export function cTagOf(item: Item): string {
  return `"c:{${item.uniqueId.toUpperCase()}},${item.cTagCount}"`;
}

/** A time as Graph writes it for drives: whole seconds. */
export function iso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
