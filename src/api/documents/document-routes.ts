/** Filed documents: their state, and links to view and edit them. The record is read with the caller's token, so Dataverse enforces access. */
import { type Actors, actorFor } from "../../filing/actors.ts";
import { viewFiling } from "../../filing/filing.ts";
import { endReview, findFilings, getFiling } from "../../filing/filing-table.ts";
import { editorLinks, previewLink } from "../../filing/links.ts";
import { getRecord } from "../../filing/record.ts";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../../store/database.ts";
import { hasRole } from "../access/roles.ts";
import { toPage } from "../http/paging.ts";
import { ProblemError } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/documents.ts";
import { fileGone, idOf, openDocument, seesFiling, unknownDocument } from "./open-document.ts";

/** What search reads of a document, and more than a person reads on a page. */
const CONTENT_MAX = 25 * 1024 * 1024;

export interface DocumentRoutesNeeds {
  readonly database: Database;
  readonly actors: Actors;
  readonly usesPreviewAction: boolean;
  readonly log: Log;
}

export function registerDocumentRoutes(app: ApiScope, needs: DocumentRoutesNeeds): void {
  app.get(
    "/api/documents",
    { config: { access: "person" }, schema: schemas.listDocuments },
    async (request) => {
      const caller = request.caller;
      const { state, review: needsReview = false, cursor: after, limit } = request.query;
      const filings = await findFilings(needs.database, {
        ...(state === undefined ? {} : { state }),
        ...(hasRole(caller, "operator") ? {} : { ownerId: caller.id }),
        needsReview,
        after,
        limit: limit + 1,
      });
      const page = toPage("documents", limit, filings, ({ id, createdAt }) => ({ id, createdAt }));
      return { documents: page.rows.map(viewFiling), next: page.next };
    },
  );

  app.get(
    "/api/documents/:id",
    { config: { access: "person" }, schema: schemas.getDocument },
    async (request) => {
      const caller = request.caller;
      const id = idOf(request);
      const filing = await getFiling(needs.database, id);
      const row = await getRecord(actorFor(needs.actors, caller).dataverse, id);
      if (row === null && !seesFiling(caller, filing)) throw unknownDocument();
      return {
        document: filing === null ? null : viewFiling(filing),
        record: row === null ? null : { ...row },
      };
    },
  );

  app.post(
    "/api/documents/:id/reviewed",
    { config: { access: "operator" }, schema: schemas.endReview },
    async (request) => {
      const id = idOf(request);
      await endReview(needs.database, id);
      const filing = await getFiling(needs.database, id);
      if (filing === null) throw unknownDocument();
      return viewFiling(filing);
    },
  );

  registerLinkRoutes(app, needs);
  registerContentRoute(app, needs);
}

function registerLinkRoutes(app: ApiScope, needs: DocumentRoutesNeeds): void {
  app.get(
    "/api/documents/:id/preview-url",
    { config: { access: "person" }, schema: schemas.getPreviewUrl },
    async (request) => {
      const { item, actor, driveId } = await openDocument(needs, request, "preview-url");
      const previewUrl = needs.usesPreviewAction
        ? await actor.drives.preview(driveId, item.id)
        : item.webUrl;
      if (previewUrl === null)
        throw new ProblemError({
          status: 502,
          title: "Bad Gateway",
          detail: "Graph offers no preview of this file",
          errorCode: "preview_not_available",
        });
      return {
        previewUrl: previewLink(previewUrl, needs.usesPreviewAction),
        documentInfo: { name: item.name, size: item.size },
        correlationId: request.id,
      };
    },
  );

  app.get(
    "/api/documents/:id/office",
    { config: { access: "person" }, schema: schemas.getOfficeUrls },
    async (request) => {
      const { item } = await openDocument(needs, request, "office");
      return { ...editorLinks(item), correlationId: request.id };
    },
  );
}

/** The console draws PDFs itself, so that the cited words can be highlighted. Graph checks the caller's right to the file. */
function registerContentRoute(app: ApiScope, needs: DocumentRoutesNeeds): void {
  app.get(
    "/api/documents/:id/content",
    { config: { access: "person" }, schema: schemas.getContent },
    async (request, reply) => {
      const { item, actor, driveId } = await openDocument(needs, request, "content");
      if (item.size > CONTENT_MAX)
        throw new ProblemError({
          status: 413,
          title: "Content Too Large",
          detail: `the file has ${item.size} bytes; at most ${CONTENT_MAX} are sent`,
          errorCode: "file_too_large",
        });
      const bytes = await actor.readFile(driveId, item.id, CONTENT_MAX);
      if (bytes === null) throw fileGone();
      return (
        reply
          .type("application/octet-stream")
          // Never shown by the browser itself: only our reader opens what came from outside.
          .header(
            "content-disposition",
            `attachment; filename="document"; filename*=UTF-8''${encodeURIComponent(item.name)}`,
          )
          .header("content-security-policy", "sandbox; default-src 'none'")
          .header("x-content-type-options", "nosniff")
          .header("cache-control", "private, no-store")
          .send(bytes as never)
      );
    },
  );
}
