/** The folders and files of one drive, and every change to them. */
import { GraphProblem } from "../../graph/call/graph-error.ts";
import type { Content } from "./content.ts";
import type { ConflictBehavior, Container, Drive, Item, Version } from "./drive-model.ts";
import { checkName, freeName } from "./item-names.ts";

export interface TreeWorld {
  now(): number;
  uuid(): string;
  /** A drive item's id: `01` and 32 characters. */
  itemId(): string;
  changed(drive: Drive, item: Item, what: "created" | "updated" | "deleted"): void;
}

/** Makes changes on behalf of a person or app; `by` is their object id. */
export interface Writer extends TreeWorld {
  readonly by: string;
}

/** Children by parent and lower-case name; built from the items on first use. */
type Index = Map<string, Map<string, Item>>;
const indexes = new WeakMap<Drive, Index>();

function indexOf(drive: Drive): Index {
  let index = indexes.get(drive);
  if (index === undefined) {
    index = new Map();
    indexes.set(drive, index);
    for (const item of drive.items.values()) if (!item.isDeleted) link(drive, item);
  }
  return index;
}

/** Puts an item among the children of its folder. */
export function link(drive: Drive, item: Item): void {
  if (item.parentId === null) return;
  const index = indexOf(drive);
  const siblings = index.get(item.parentId) ?? new Map<string, Item>();
  index.set(item.parentId, siblings.set(item.name.toLowerCase(), item));
}

function unlink(drive: Drive, item: Item): void {
  indexOf(drive)
    .get(item.parentId ?? "")
    ?.delete(item.name.toLowerCase());
}

export function childrenOf(drive: Drive, parentId: string): Item[] {
  return [...(indexOf(drive).get(parentId)?.values() ?? [])];
}

/** Names are compared case-insensitively. */
export function findChild(drive: Drive, parentId: string, name: string): Item | null {
  return indexOf(drive).get(parentId)?.get(name.toLowerCase()) ?? null;
}

export function getItem(drive: Drive, id: string): Item | null {
  const item = drive.items.get(id);
  return item === undefined || item.isDeleted ? null : item;
}

/** Follows names down from a folder; null if one of them is missing. */
export function followPath(drive: Drive, fromId: string, names: readonly string[]): Item | null {
  let item = getItem(drive, fromId);
  for (const name of names) {
    if (item === null) return null;
    item = findChild(drive, item.id, name);
  }
  return item;
}

/** The folder at a path; missing folders are created, as in an upload by path. */
export function ensureFolder(
  container: Container,
  fromId: string,
  names: readonly string[],
  writer: Writer,
): Item {
  let folder = getItem(container.drive, fromId);
  for (const name of names) {
    if (folder === null) break;
    const next: Item | null = findChild(container.drive, folder.id, name);
    folder = next ?? createItem(container, folder, { name, isFolder: true }, writer);
  }
  if (folder === null) throw notFound();
  if (!folder.isFolder) {
    throw new GraphProblem(400, "invalidRequest", "A file stands where a folder is needed.");
  }
  return folder;
}

export function createItem(
  container: Container,
  parent: Item,
  wanted: { name: string; isFolder: boolean; content?: Content },
  writer: Writer,
): Item {
  const { drive } = container;
  checkName(wanted.name);
  const nowMs = writer.now();
  const item: Item = {
    id: writer.itemId(),
    name: wanted.name,
    parentId: parent.id,
    isFolder: wanted.isFolder,
    description: "",
    createdMs: nowMs,
    createdBy: writer.by,
    modifiedMs: nowMs,
    modifiedBy: writer.by,
    uniqueId: writer.uuid(),
    eTagCount: 0,
    cTagCount: 0,
    versions: [],
    changedAt: 0,
    changedAtMs: 0,
    isDeleted: false,
    checkedOutBy: null,
  };
  if (!wanted.isFolder) addVersion(container, item, wanted.content ?? Buffer.alloc(0), writer);
  drive.items.set(item.id, item);
  link(drive, item);
  container.status = "active";
  touch(drive, item, writer, "created");
  return item;
}

/** Puts content under a name; the caller decides what happens to an existing file. */
export function putFile(
  container: Container,
  parent: Item,
  wanted: { name: string; content: Content; conflict: ConflictBehavior },
  writer: Writer,
): { item: Item; isNew: boolean } {
  const { drive } = container;
  checkName(wanted.name);
  const existing = findChild(drive, parent.id, wanted.name);
  if (existing === null) {
    return {
      item: createItem(container, parent, { ...wanted, isFolder: false }, writer),
      isNew: true,
    };
  }
  if (wanted.conflict === "rename") {
    const name = freeName(
      wanted.name,
      (candidate) => findChild(drive, parent.id, candidate) !== null,
    );
    const item = createItem(container, parent, { ...wanted, name, isFolder: false }, writer);
    return { item, isNew: true };
  }
  if (wanted.conflict === "fail" || existing.isFolder) throw nameTaken();
  replaceContent(container, existing, wanted.content, writer);
  return { item: existing, isNew: false };
}

export function replaceContent(
  container: Container,
  item: Item,
  content: Content,
  writer: Writer,
): void {
  if (item.isFolder) throw new GraphProblem(400, "invalidRequest", "A folder has no content.");
  refuseIfHeld(item, writer);
  addVersion(container, item, content, writer);
  container.status = "active";
  touch(container.drive, item, writer, "updated");
}

function addVersion(container: Container, item: Item, content: Content, writer: Writer): void {
  const { drive, settings } = container;
  if (drive.usedBytes + content.length > container.quotaBytes) {
    throw new GraphProblem(507, "quotaLimitReached", "The user has reached their quota limit.");
  }
  const number = Number(item.versions.at(-1)?.id.split(".")[0] ?? 0) + 1;
  const version: Version = {
    id: `${number}.0`,
    content,
    modifiedMs: writer.now(),
    modifiedBy: writer.by,
    comment: "",
  };
  item.versions.push(version);
  drive.usedBytes += content.length;
  const limit = settings.isItemVersioningEnabled ? settings.itemMajorVersionLimit : 1;
  while (item.versions.length > limit) drive.usedBytes -= item.versions.shift()!.content.length;
  item.cTagCount += 1;
}

/** Renames or moves; `conflict` decides what happens if the name is taken. */
export function relocate(
  drive: Drive,
  item: Item,
  to: { name: string; parentId: string; conflict: ConflictBehavior },
  writer: Writer,
): void {
  checkName(to.name);
  refuseIfHeld(item, writer);
  const parent = getItem(drive, to.parentId);
  if (parent === null || !parent.isFolder) throw notFound();
  if (isInside(drive, parent, item)) {
    throw new GraphProblem(400, "invalidRequest", "A folder cannot be moved into itself.");
  }
  const taken = findChild(drive, to.parentId, to.name);
  let { name } = to;
  if (taken !== null && taken !== item) {
    if (to.conflict === "fail") throw nameTaken();
    if (to.conflict === "replace") removeItem(drive, taken, writer);
    else name = freeName(name, (candidate) => findChild(drive, to.parentId, candidate) !== null);
  }
  unlink(drive, item);
  item.name = name;
  item.parentId = to.parentId;
  link(drive, item);
  touch(drive, item, writer, "updated");
}

function isInside(drive: Drive, item: Item, folder: Item): boolean {
  for (let at: Item | undefined = item; at !== undefined; ) {
    if (at === folder) return true;
    at = at.parentId === null ? undefined : drive.items.get(at.parentId);
  }
  return false;
}

/** Removes an item with everything in it permanently. */
export function removeItem(drive: Drive, item: Item, writer: Writer): void {
  const removed = withDescendants(drive, item);
  hideItem(drive, item, writer);
  for (const each of removed) each.versions = [];
}

function withDescendants(drive: Drive, item: Item): Item[] {
  return [item, ...childrenOf(drive, item.id).flatMap((child) => withDescendants(drive, child))];
}

/** Deletes an item with everything in it but keeps the content; delta shows each of them as deleted. */
export function hideItem(drive: Drive, item: Item, writer: Writer): void {
  refuseIfHeld(item, writer);
  for (const child of childrenOf(drive, item.id)) hideItem(drive, child, writer);
  unlink(drive, item);
  item.isDeleted = true;
  for (const version of item.versions) drive.usedBytes -= version.content.length;
  touch(drive, item, writer, "deleted");
}

export function touch(
  drive: Drive,
  item: Item,
  writer: Writer,
  what: "created" | "updated" | "deleted",
): void {
  item.eTagCount += 1;
  item.modifiedMs = writer.now();
  item.modifiedBy = writer.by;
  item.changedAt = ++drive.changes;
  item.changedAtMs = writer.now();
  writer.changed(drive, item, what);
}

/** A check-out keeps everybody else from writing. */
export function refuseIfHeld(item: Item, writer: Writer): void {
  if (item.checkedOutBy === null || item.checkedOutBy === writer.by) return;
  throw new GraphProblem(423, "resourceLocked", "The file is checked out by another user.");
}

export function notFound(): GraphProblem {
  return new GraphProblem(404, "itemNotFound", "The resource could not be found.");
}

export function nameTaken(): GraphProblem {
  return new GraphProblem(409, "nameAlreadyExists", "The specified item name already exists.");
}
