/** Opens a document as the caller: Dataverse decides whether they may see its record, Graph whether they may read its file. */
import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { type Actor, type Actors, actorFor } from "../../filing/actors.ts";
import type { Filing } from "../../filing/filing.ts";
import { getRecord, type RecordRow } from "../../filing/record.ts";
import type { Log } from "../../lib/log.ts";
import type { DriveItem } from "../../microsoft/graph/drive-client.ts";
import type { Caller } from "../access/auth.ts";
import { hasRole } from "../access/roles.ts";
import { forbidden, ProblemError } from "../http/problem.ts";

export interface OpenDocumentNeeds {
  readonly actors: Actors;
  readonly log: Log;
}

export interface OpenedDocument {
  readonly id: string;
  readonly actor: Actor;
  readonly row: RecordRow;
  readonly driveId: string;
  readonly item: DriveItem;
}

/** `what` is the part of the document that the caller asked for, for the log. */
export async function openDocument(
  needs: OpenDocumentNeeds,
  request: FastifyRequest,
  what: string,
): Promise<OpenedDocument> {
  const id = idOf(request);
  needs.log.info(
    { documentId: id },
    `[FileAccess] GET ${what} for ${id} | Correlation: ${request.id}`,
  );
  const actor = actorFor(needs.actors, request.caller);
  const row = await getRecord(actor.dataverse, id);
  if (row === null) throw unknownDocument();
  const [driveId, itemId] = placeOf(row);
  const item = await actor.drives.getItem(driveId, itemId);
  if (item === null) throw fileGone();
  return { id, actor, row, driveId, item };
}

export const fileGone = () =>
  new ProblemError({
    status: 404,
    title: "Not Found",
    detail: "the file of this document was deleted from its drive",
    errorCode: "file_not_found",
  });

function placeOf(row: RecordRow): [string, string] {
  const missing =
    row.sprk_graphdriveid === null ? "drive" : row.sprk_graphitemid === null ? "item" : null;
  if (missing === null) return [row.sprk_graphdriveid!, row.sprk_graphitemid!];
  throw new ProblemError({
    status: 409,
    title: "Conflict",
    detail: `the record does not name the ${missing} of its file`,
    errorCode: `mapping_missing_${missing}`,
  });
}

export function idOf(request: FastifyRequest): string {
  const id = z.guid().safeParse((request.params as { id: string }).id);
  if (id.success) return id.data.toLowerCase();
  throw new ProblemError({
    status: 400,
    title: "Bad Request",
    detail: "the id of a document is a GUID",
    errorCode: "invalid_id",
  });
}

/** Without a record Dataverse cannot decide; then only the sender and operators may see the filing. */
export const seesFiling = (caller: Caller, filing: Filing | null): boolean =>
  filing !== null && (hasRole(caller, "operator") || filing.ownerId === caller.id);

/** The same response for a document that does not exist and one that the caller may not see. */
export function unknownDocument(): ProblemError {
  const { problem } = forbidden(
    "there is no such document, or you may not see it; postroom documents list shows the newest",
  );
  return new ProblemError({ ...problem, errorCode: "document_not_found" });
}
