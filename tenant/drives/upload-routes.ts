import { GraphProblem } from "../graph/call/graph-error.ts";
import type { TenantRequest, TenantResponse } from "../http.ts";
import { checkItem } from "./drive-access.ts";
import {
  CONFLICT_NAMES,
  checkConditions,
  conflictOf,
  type DriveWorld,
  findTarget,
  type ItemCall,
  isObject,
  readBody,
} from "./drive-call.ts";
import { checkBody } from "./drive-options.ts";
import { writeFacts } from "./item-routes.ts";
import { viewItem } from "./item-view.ts";
import { iso } from "./store/drive-model.ts";
import { nameTaken, notFound } from "./store/drive-tree.ts";
import { checkName } from "./store/item-names.ts";
import { commit, statusOf, takeChunk, type UploadSession } from "./upload-sessions.ts";

export function createUploadSession(call: ItemCall): TenantResponse {
  checkItem(call, "write");
  const body = readBody(call.request);
  const item = body["item"] ?? {};
  if (!isObject(item)) throw new GraphProblem(400, "invalidRequest", "item must be an object.");
  checkBody(body, ["item", "deferCommit"]);
  checkBody(item, ["name", "description", "fileSize", "fileSystemInfo", ...CONFLICT_NAMES]);
  checkSpace(call, item["fileSize"]);
  const { description, fileSystemInfo } = item;
  const facts = { description, fileSystemInfo };
  writeFacts({ description: "", createdMs: 0, modifiedMs: 0 }, facts); // refused now, not at the end
  const existing = findTarget(call);
  if (call.names.length === 0 && (existing === null || existing.isFolder)) {
    if (existing === null) throw notFound();
    throw new GraphProblem(
      400,
      "invalidRequest",
      "A session needs a file or the name of a new one.",
    );
  }
  checkConditions(call.request, existing);
  const conflict = conflictOf(call.request, item) ?? (call.names.length === 0 ? "replace" : "fail");
  const names = [...call.names];
  if (names.length > 0 && typeof item["name"] === "string") names[names.length - 1] = item["name"];
  for (const name of names) checkName(name);
  // According to the documentation a name conflict shows at the end of the upload; some report it at the
  // start.
  const isChecked = call.context.switches["uploadConflictAt"] === "start";
  if (isChecked && conflict === "fail" && existing !== null) throw nameTaken();
  const session = call.uploads.create({
    driveId: call.container.id,
    itemId: names.length === 0 ? existing!.id : null,
    fromId: call.fromId,
    names,
    conflict,
    isDeferred: body["deferCommit"] === true,
    by: call.caller.objectId,
    facts,
  });
  return {
    status: 200,
    body: {
      "@odata.context": `${call.context.origin()}/${call.version}/$metadata#microsoft.graph.uploadSession`,
      expirationDateTime: iso(session.expiresMs),
      nextExpectedRanges: ["0-"],
      uploadUrl: call.uploads.url(session),
    },
  };
}

/** A declared size that is too large is refused before anything is sent. */
function checkSpace({ container }: ItemCall, sizeBytes: unknown): void {
  if (typeof sizeBytes !== "number") return;
  if (container.drive.usedBytes + sizeBytes <= container.quotaBytes) return;
  throw new GraphProblem(507, "quotaLimitReached", "The user has reached their quota limit.");
}

/** Requests to the session's own URL, which alone authenticates the caller. */
export function useUploadSession(
  world: DriveWorld,
  request: TenantRequest,
  id: string,
): TenantResponse {
  if (request.headers["authorization"] !== undefined && request.method === "PUT") {
    throw new GraphProblem(
      401,
      "unauthenticated",
      "The upload URL must be used without an Authorization header.",
    );
  }
  const session = world.uploads.get(id);
  if (session === null)
    throw new GraphProblem(404, "itemNotFound", "The upload session was not found.");
  switch (request.method) {
    case "GET":
      return statusOf(session);
    case "DELETE":
      world.uploads.remove(session);
      return { status: 204 };
    case "PUT":
      return putChunk(world, session, request);
    case "POST":
      return commitDeferred(world, session);
    default:
      throw new GraphProblem(405, "invalidRequest", "The method is not allowed.");
  }
}

function putChunk(
  world: DriveWorld,
  session: UploadSession,
  request: TenantRequest,
): TenantResponse {
  const isLast = takeChunk(world.contents, session, request);
  world.uploads.extend(session);
  if (isLast && !session.isDeferred) return finish(world, session);
  return { ...statusOf(session), status: 202 };
}

function commitDeferred(world: DriveWorld, session: UploadSession): TenantResponse {
  if (session.totalBytes === null || session.receivedBytes < session.totalBytes) {
    throw new GraphProblem(400, "invalidRequest", "Not all bytes have been received.");
  }
  return finish(world, session);
}

function finish(world: DriveWorld, session: UploadSession): TenantResponse {
  const { container, item, isNew } = commit(world, world.uploads, session);
  writeFacts(item, session.facts);
  return { status: isNew ? 201 : 200, body: viewItem(world, container, item) };
}
