/** Deleted items of a container, which can be restored to their old place for 93 days. */
import { GraphProblem } from "../../graph/call/graph-error.ts";
import type { Container, Drive, Item } from "./drive-model.ts";
import {
  findChild,
  getItem,
  hideItem,
  link,
  nameTaken,
  notFound,
  touch,
  type Writer,
} from "./drive-tree.ts";

const KEPT_MS = 93 * 24 * 60 * 60_000;

/** Puts an item with everything in it into the bin. */
export function recycleItem(drive: Drive, item: Item, writer: Writer): void {
  hideItem(drive, item, writer);
  item.recycled = { id: writer.uuid(), deletedMs: writer.now(), deletedBy: writer.by };
  for (const old of binOf(drive)) {
    if (old.recycled!.deletedMs + KEPT_MS <= writer.now()) forgetItem(drive, old);
  }
}

/** Newest first. */
export function binOf(drive: Drive): Item[] {
  return [...drive.items.values()]
    .filter(({ recycled }) => recycled !== undefined)
    .sort((one, other) => other.changedAt - one.changedAt);
}

/** Removes the content permanently; delta still reports the deletion. */
export function forgetItem(drive: Drive, item: Item): void {
  delete item.recycled;
  for (const each of withDescendants(drive, item)) each.versions = [];
}

export function restoreItem(container: Container, item: Item, writer: Writer): void {
  const { drive } = container;
  const parent = getItem(drive, item.parentId ?? "");
  if (parent === null) throw notFound();
  if (findChild(drive, parent.id, item.name) !== null) throw nameTaken();
  const restored = withDescendants(drive, item);
  const sizeBytes = restored.reduce((sum, { versions }) => sum + bytesOf(versions), 0);
  if (drive.usedBytes + sizeBytes > container.quotaBytes) {
    throw new GraphProblem(507, "quotaLimitReached", "The user has reached their quota limit.");
  }
  drive.usedBytes += sizeBytes;
  delete item.recycled;
  for (const each of restored) {
    each.isDeleted = false;
    link(drive, each);
    touch(drive, each, writer, "updated");
  }
}

/** The item and what was deleted with it; items that were deleted separately stay in the bin. */
function withDescendants(drive: Drive, item: Item): Item[] {
  const below = [...drive.items.values()].filter(
    (each) => each.parentId === item.id && each.isDeleted && each.recycled === undefined,
  );
  return [item, ...below.flatMap((each) => withDescendants(drive, each))];
}

function bytesOf(versions: Item["versions"]): number {
  return versions.reduce((sum, { content }) => sum + content.length, 0);
}
