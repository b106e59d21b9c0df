/** What the console shows beside a document: its versions, who may read it, its history and its profile. */
import { actorFor } from "../../filing/actors.ts";
import {
  getRecordDetails,
  toHistory,
  viewReaders,
  viewVersion,
} from "../../filing/document-details.ts";
import { getFiling } from "../../filing/filing-table.ts";
import { getIndexed } from "../../search/indexed-document-table.ts";
import type { Database } from "../../store/database.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/document-details.ts";
import {
  idOf,
  type OpenDocumentNeeds,
  openDocument,
  seesFiling,
  unknownDocument,
} from "./open-document.ts";

export interface DetailRoutesNeeds extends OpenDocumentNeeds {
  readonly database: Database;
}

export function registerDetailRoutes(app: ApiScope, needs: DetailRoutesNeeds): void {
  const { database } = needs;

  app.get(
    "/api/documents/:id/versions",
    { config: { access: "person" }, schema: schemas.listVersions },
    async (request) => {
      const { actor, driveId, item } = await openDocument(needs, request, "versions");
      return { versions: (await actor.drives.findVersions(driveId, item.id)).map(viewVersion) };
    },
  );

  app.get(
    "/api/documents/:id/readers",
    { config: { access: "person" }, schema: schemas.listReaders },
    async (request) => {
      const { id, actor, driveId, item } = await openDocument(needs, request, "readers");
      const [permissions, record] = await Promise.all([
        actor.drives.findPermissions(driveId, item.id),
        getRecordDetails(actor.dataverse, id),
      ]);
      return { recordOwner: record?.owner ?? null, readers: permissions.flatMap(viewReaders) };
    },
  );

  app.get(
    "/api/documents/:id/history",
    { config: { access: "person" }, schema: schemas.getHistory },
    async (request) => {
      const { caller } = request;
      const id = idOf(request);
      const filing = await getFiling(database, id);
      const record = await getRecordDetails(actorFor(needs.actors, caller).dataverse, id);
      if (record === null && !seesFiling(caller, filing)) throw unknownDocument();
      const indexed = await getIndexed(database, id);
      return { steps: toHistory(filing, record, indexed?.indexedAt ?? null) };
    },
  );

  app.get(
    "/api/documents/:id/profile",
    { config: { access: "person" }, schema: schemas.getProfile },
    async (request) => {
      const { dataverse } = actorFor(needs.actors, request.caller);
      const record = await getRecordDetails(dataverse, idOf(request));
      if (record === null) throw unknownDocument();
      const { summary, tldr, keywords, documentType, summarizedAt } = record;
      return { summary, tldr, keywords, documentType, summarizedAt };
    },
  );
}
