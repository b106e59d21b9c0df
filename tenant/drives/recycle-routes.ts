/** `recycleBin/items` of a container. */
import { GraphProblem } from "../graph/call/graph-error.ts";
import type { TenantResponse } from "../http.ts";
import { checkAccess } from "./drive-access.ts";
import { type DriveCall, readBody, writerOf } from "./drive-call.ts";
import { checkBody, invalid } from "./drive-options.ts";
import { identity } from "./item-view.ts";
import { type Container, type Item, iso } from "./store/drive-model.ts";
import { notFound } from "./store/drive-tree.ts";
import { binOf, forgetItem, restoreItem } from "./store/recycle-bin.ts";

export function useRecycleBin(
  call: DriveCall,
  container: Container,
  action: string,
): TenantResponse {
  const { drive } = container;
  const isRead = call.request.method === "GET";
  checkAccess(call.store, call.caller, container, isRead ? "read" : "write");
  switch (`${call.request.method} ${action}`) {
    case "GET ":
      return { status: 200, body: { value: binOf(drive).map((item) => view(call, item)) } };
    case "POST restore":
      return restore(call, container);
    case "POST delete":
      for (const item of readIds(call).map((id) => load(container, id))) forgetItem(drive, item);
      return { status: 204 };
    default:
      throw new GraphProblem(405, "invalidRequest", "The method is not allowed here.");
  }
}

/** Each item succeeds or fails by itself. */
function restore(call: DriveCall, container: Container): TenantResponse {
  const value = readIds(call).map((id) => {
    try {
      restoreItem(container, load(container, id), writerOf(call));
      return { id };
    } catch (problem) {
      if (!(problem instanceof GraphProblem)) throw problem;
      return { id, error: { code: problem.code, message: problem.message } };
    }
  });
  return { status: 207, body: { value } };
}

function readIds(call: DriveCall): string[] {
  const body = readBody(call.request);
  checkBody(body, ["ids"]);
  const { ids } = body;
  if (!Array.isArray(ids) || ids.length === 0 || ids.some((id) => typeof id !== "string")) {
    throw invalid("ids must list items of the recycle bin.");
  }
  return ids;
}

function load({ drive }: Container, id: string): Item {
  const item = binOf(drive).find(({ recycled }) => recycled!.id === id);
  if (item === undefined) throw notFound();
  return item;
}

function view(call: DriveCall, item: Item) {
  const { id, deletedMs, deletedBy } = item.recycled!;
  return {
    id,
    name: item.name,
    title: item.name,
    size: item.versions.at(-1)?.content.length ?? 0,
    deletedDateTime: iso(deletedMs),
    deletedBy: identity(call, deletedBy),
  };
}
