/** Copying: accepted immediately, done later, monitored at a URL that needs no token. */
import { GraphProblem } from "../graph/call/graph-error.ts";
import { otherHost } from "../graph/call/upload-host.ts";
import type { TenantRequest, TenantResponse } from "../http.ts";
import { checkAccess, checkItem } from "./drive-access.ts";
import {
  type CopyJob,
  conflictOf,
  type DriveWorld,
  type ItemCall,
  isObject,
  loadTarget,
  readBody,
  writerOf,
} from "./drive-call.ts";
import { checkBody, invalid } from "./drive-options.ts";
import { readParent } from "./item-routes.ts";
import type { Container, Item } from "./store/drive-model.ts";
import { contentOf } from "./store/drive-model.ts";
import {
  childrenOf,
  createItem,
  findChild,
  getItem,
  notFound,
  putFile,
  removeItem,
  type Writer,
} from "./store/drive-tree.ts";
import { checkName, freeName } from "./store/item-names.ts";

export function copyItem(call: ItemCall): TenantResponse {
  checkItem(call, "read");
  const item = loadTarget(call);
  if (item.parentId === null) throw invalid("The root of a drive cannot be copied.");
  const body = readBody(call.request);
  checkBody(body, ["name", "parentReference", "@microsoft.graph.conflictBehavior"]);
  const name = typeof body["name"] === "string" ? body["name"] : item.name;
  checkName(name);
  const target = targetOf(call, item, body["parentReference"]);
  const conflict = conflictOf(call.request, body) ?? "fail";
  const writer = writerOf(call);
  const nowMs = call.context.clock.now();
  const job: CopyJob = {
    id: call.store.world.uuid(),
    startMs: nowMs,
    endMs: nowMs + Number(call.context.switches["driveCopyMs"] ?? 0),
    outcome: null,
    run() {
      const existing = findChild(target.container.drive, target.folder.id, name);
      if (existing !== null && conflict === "fail") {
        throw new GraphProblem(409, "nameAlreadyExists", "Name already exists");
      }
      if (existing !== null && conflict === "replace") {
        removeItem(target.container.drive, existing, writer);
      }
      const free =
        existing !== null && conflict === "rename"
          ? freeName(
              name,
              (taken) => findChild(target.container.drive, target.folder.id, taken) !== null,
            )
          : name;
      return copyInto(call.container, item, { ...target, name: free }, writer).id;
    },
  };
  call.copies.set(job.id, job);
  const location = `${otherHost(call.context.origin())}/monitor/drive/${job.id}`;
  return { status: 202, headers: { location } };
}

function targetOf(
  call: ItemCall,
  item: Item,
  given: unknown,
): { container: Container; folder: Item } {
  const reference = given ?? { id: item.parentId };
  if (!isObject(reference)) throw invalid("parentReference must be an object.");
  const driveId = String(reference["driveId"] ?? call.container.id);
  const container = call.store.containers.get(driveId);
  if (container === undefined || container.deletedMs !== null) throw notFound();
  checkAccess(call.store, call.caller, container, "write");
  const { driveId: _, ...within } = reference;
  const folderId = readParent(container.drive, within) ?? container.drive.rootId;
  const folder = getItem(container.drive, folderId);
  if (folder === null) throw notFound();
  if (!folder.isFolder) throw invalid("The parent is not a folder.");
  return { container, folder };
}

function copyInto(
  from: Container,
  item: Item,
  to: { container: Container; folder: Item; name: string },
  writer: Writer,
): Item {
  const { container, folder, name } = to;
  if (!item.isFolder) {
    const content = contentOf(item);
    return putFile(container, folder, { name, content, conflict: "fail" }, writer).item;
  }
  // The children are listed first, because a folder may be copied into itself.
  const children = childrenOf(from.drive, item.id);
  const folderCopy = createItem(container, folder, { name, isFolder: true }, writer);
  for (const child of children) {
    copyInto(from, child, { container, folder: folderCopy, name: child.name }, writer);
  }
  return folderCopy;
}

/** `/monitor/drive/{id}`: 202 until the copy is due. The first request after that performs it: 200 with the id of the new item, or with the error. */
export function watchCopy(world: DriveWorld, request: TenantRequest, id: string): TenantResponse {
  if (request.method !== "GET") {
    throw new GraphProblem(405, "invalidRequest", "The method is not allowed.");
  }
  const job = world.copies.get(id);
  if (job === undefined) throw notFound();
  const nowMs = world.context.clock.now();
  if (nowMs < job.endMs) {
    const done = (nowMs - job.startMs) / (job.endMs - job.startMs);
    return {
      status: 202,
      body: {
        operation: "ItemCopy",
        percentageComplete: Math.floor(done * 1000) / 10,
        status: "inProgress",
      },
    };
  }
  job.outcome ??= runNow(job);
  if ("resourceId" in job.outcome) {
    const { resourceId } = job.outcome;
    return { status: 200, body: { percentageComplete: 100, resourceId, status: "completed" } };
  }
  const { code, message } = job.outcome.error;
  return {
    status: 200,
    body: { operation: "ItemCopy", status: "failed", error: { code, message } },
  };
}

function runNow(job: CopyJob): NonNullable<CopyJob["outcome"]> {
  try {
    return { resourceId: job.run() };
  } catch (error) {
    if (!(error instanceof GraphProblem)) throw error;
    return { error };
  }
}
