/** Documents for a message that somebody writes: as links, which grant nobody anything, or as attachments. */
import type { FastifyRequest } from "fastify";
import { type Actor, type Actors, actorFor } from "../../filing/actors.ts";
import { OfficeRefusal } from "../../filing/office/office-refusal.ts";
import { FILE_BYTES_MAX } from "../../filing/office/office-save.ts";
import { getRecord, type RecordRow } from "../../filing/record.ts";
import type { Queryable } from "../../store/database.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/office-finding.ts";
import { dataverseOf } from "./find-routes.ts";
import { limitCalls } from "./office-limits.ts";

export interface OfficeShareRoutesNeeds {
  readonly database: Queryable;
  readonly actors: Actors;
}

export function registerOfficeShareRoutes(app: ApiScope, needs: OfficeShareRoutesNeeds): void {
  const { actors } = needs;
  const onRequest = limitCalls(needs.database, "share");

  app.post(
    "/office/share/links",
    { config: { access: "person" }, schema: schemas.shareLinks, onRequest },
    async (request) => {
      const dataverse = dataverseOf(actors, request);
      const links = [];
      for (const documentId of request.body.documentIds) {
        const { sprk_filename: name, sprk_filepath: url } = loaded(
          await getRecord(dataverse, documentId),
        );
        if (url === null) throw missing();
        links.push({ documentId, name: name ?? "", url });
      }
      return { links };
    },
  );

  app.post(
    "/office/share/attach",
    { config: { access: "person" }, schema: schemas.shareAttach, onRequest },
    async (request) => attach(actorOf(actors, request), request.body.documentId),
  );
}

function actorOf(actors: Actors, request: FastifyRequest): Actor {
  dataverseOf(actors, request); // refuses the operator's key
  return actorFor(actors, request.caller);
}

/** The record is read first: only a person who may see the document gets its file. */
async function attach(actor: Actor, documentId: string) {
  const row = loaded(await getRecord(actor.dataverse, documentId));
  if (row.sprk_graphdriveid === null || row.sprk_graphitemid === null) throw missing();
  if ((row.sprk_filesize ?? 0) > FILE_BYTES_MAX)
    throw new OfficeRefusal("OFFICE_004", "the document is larger than 25 MB; send a link");
  const bytes = await actor.readFile(row.sprk_graphdriveid, row.sprk_graphitemid, FILE_BYTES_MAX);
  if (bytes === null) throw missing();
  return {
    fileName: row.sprk_filename ?? "document",
    contentType: row.sprk_mimetype ?? "application/octet-stream",
    size: bytes.length,
    contentBase64: bytes.toString("base64"),
  };
}

function loaded(row: RecordRow | null): RecordRow {
  if (row === null) throw missing();
  return row;
}

/** A document that the caller may not see looks identical to one that does not exist. */
const missing = () =>
  new OfficeRefusal("OFFICE_007", "there is no such document, or its file is gone");
