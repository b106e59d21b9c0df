/** Delta over the folder hierarchy. */

import type { GraphCall } from "../call/graph-call.ts";
import { contextUrl, json } from "../call/graph-call.ts";
import { badRequest } from "../call/graph-error.ts";
import { toFolderId } from "../mailbox/mail-ids.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { showFolder, toSelect } from "../messages/folder-routes.ts";
import { scopeOf } from "../messages/mail-scope.ts";
import type { DeltaWorld } from "./delta-start.ts";
import type { SyncPoint } from "./sync-tokens.ts";
import { stateNotFound } from "./sync-tokens.ts";

const PAGE_SIZE = 100;

export function folderDelta(world: DeltaWorld, call: GraphCall) {
  const { mailbox, user } = scopeOf(world, call, "read-basic");
  const { faults, switches } = world.context;
  const point = readPoint(world, call);
  if (
    point.generation > 0 &&
    faults.strike("expire-delta", { mailbox: user.id, folder: "" }) !== null
  ) {
    throw stateNotFound(point.generation, point.generation + 8, switches.deltaGenerations);
  }
  if (call.maxPageSize !== null) call.applied.push(`odata.maxpagesize=${call.maxPageSize}`);
  const pageSize = call.maxPageSize ?? PAGE_SIZE;
  const entries = mailbox.folderLog.after(point.since, pageSize);
  const isDone = entries.length < pageSize || !mailbox.folderLog.hasAfter(entries.at(-1)!.sequence);
  const select = toSelect(point.options.select);
  const value = entries.flatMap((entry) => {
    const id = toFolderId(mailbox.tag, entry.key);
    const state = mailbox.folders.get(id);
    if (entry.kind === "removed")
      return point.isWalk ? [] : [{ id, "@removed": { reason: "deleted" } }];
    return state === undefined || isOutside(mailbox, id)
      ? []
      : [showFolder(mailbox, state, select)];
  });
  const since = entries.at(-1)?.sequence ?? point.since;
  const token = world.tokens.issue({ ...point, since, isWalk: point.isWalk && !isDone });
  const base = `${world.context.origin()}${call.request.path}`;
  const link = isDone
    ? { "@odata.deltaLink": `${base}?$deltatoken=${token}` }
    : { "@odata.nextLink": `${base}?$skiptoken=${token}` };
  return json(
    200,
    { "@odata.context": contextUrl(world.context, call, "Collection(mailFolder)"), ...link, value },
    call,
  );
}

function readPoint(world: DeltaWorld, call: GraphCall): SyncPoint {
  const { query } = call.request;
  const token = query.get("$skiptoken") ?? query.get("$deltatoken");
  if (token !== null && token !== "")
    return world.tokens.read(token, world.context.switches.deltaGenerations);
  for (const name of query.keys()) {
    if (name.startsWith("$") && name !== "$select" && name !== "$deltatoken") {
      throw badRequest(
        `The query parameter '${name}' is not supported with delta.`,
        "ErrorInvalidUrlQuery",
      );
    }
  }
  return world.tokens.start(
    { select: query.get("$select"), top: null, filter: null, changeType: null },
    0,
  );
}

/** The root and its siblings are not folders that people see. */
function isOutside(mailbox: Mailbox, id: string): boolean {
  return mailbox.folders.get(id)!.folder.parentFolderId === "";
}
