/** One authenticated request to the drives, and helpers that every route needs. */
import type { Caller, TenantContext } from "../context.ts";
import { GraphProblem } from "../graph/call/graph-error.ts";
import type { TenantRequest, TenantResponse } from "../http.ts";
import { hasTag, wrongJsonType } from "../request-headers.ts";
import type { Links } from "./links.ts";
import type { ContentStore } from "./store/content.ts";
import type { ConflictBehavior, Container, Item } from "./store/drive-model.ts";
import { cTagOf, eTagOf } from "./store/drive-model.ts";
import type { DriveStore } from "./store/drive-store.ts";
import { followPath, getItem, notFound, type Writer } from "./store/drive-tree.ts";
import type { UploadSessions } from "./upload-sessions.ts";

export interface DriveWorld {
  readonly context: TenantContext;
  readonly store: DriveStore;
  readonly links: Links;
  readonly uploads: UploadSessions;
  readonly contents: ContentStore;
  /** Requested copies, by id. */
  readonly copies: Map<string, CopyJob>;
}

/** A requested copy. */
export interface CopyJob {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Does the copy and returns the new item's id. */
  readonly run: () => string;
  outcome: { resourceId: string } | { error: GraphProblem } | null;
}

export interface DriveCall extends DriveWorld {
  readonly request: TenantRequest;
  readonly caller: Caller;
  /** `v1.0` or `beta`. */
  readonly version: string;
}

/** A call about an item of a container. */
export interface ItemCall extends DriveCall {
  readonly container: Container;
  readonly fromId: string;
  readonly names: readonly string[];
}

export type ItemHandler = (call: ItemCall, ...rest: string[]) => TenantResponse;

export function writerOf(call: DriveCall): Writer {
  return { ...call.store.world, by: call.caller.objectId };
}

export function findTarget(call: ItemCall): Item | null {
  const { drive } = call.container;
  return call.names.length === 0
    ? getItem(drive, call.fromId)
    : followPath(drive, call.fromId, call.names);
}

export function loadTarget(call: ItemCall): Item {
  const item = findTarget(call);
  if (item === null) throw notFound();
  return item;
}

export function readBody(request: TenantRequest): Record<string, unknown> {
  if (request.body.length === 0) return {};
  if (wrongJsonType(request) !== null) {
    throw new GraphProblem(415, "invalidRequest", "The body must be JSON in UTF-8.");
  }
  try {
    const parsed: unknown = JSON.parse(request.body.toString("utf8"));
    if (isObject(parsed)) return parsed;
  } catch {
    // handled below, together with JSON that is not an object
  }
  throw new GraphProblem(400, "invalidRequest", "Invalid JSON in the request body.");
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const CONFLICT = "@microsoft.graph.conflictBehavior";
/** Names of the option in a body. */
export const CONFLICT_NAMES = [CONFLICT, "@name.conflictBehavior"];

/** From the body, otherwise from the query; null if neither has it. */
export function conflictOf(
  request: TenantRequest,
  body: Record<string, unknown> = {},
): ConflictBehavior | null {
  const written = body[CONFLICT] ?? body["@name.conflictBehavior"] ?? request.query.get(CONFLICT);
  if (written === undefined || written === null) return null;
  if (written === "fail" || written === "replace" || written === "rename") return written;
  throw new GraphProblem(400, "invalidRequest", `'${String(written)}' is no conflict behaviour.`);
}

/** Checks `If-Match` and `If-None-Match` for a change; either tag of the item counts. */
export function checkConditions(request: TenantRequest, item: Item | null): void {
  const isOf = (tag: string | undefined) =>
    item !== null &&
    tag !== undefined &&
    (tag.trim() === "*" || hasTag(tag, eTagOf(item), cTagOf(item)));
  const match = request.headers["if-match"];
  const noneMatch = request.headers["if-none-match"];
  const isStale = match !== undefined && !isOf(match);
  if (!isStale && !isOf(noneMatch)) return;
  throw new GraphProblem(412, "resourceModified", "ETag does not match current item's value");
}
