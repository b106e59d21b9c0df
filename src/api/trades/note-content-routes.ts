/** The PDF of a contract note, for people who look at what was read from it. */
import * as z from "zod";
import type { BlobStore } from "../../files/blob-store.ts";
import type { FileStore } from "../../files/file-store.ts";
import { getDocument } from "../../ingestion/document-table.ts";
import { isUuid } from "../../lib/hash.ts";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../../store/database.ts";
import { notFound } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";

export interface NoteContentNeeds {
  readonly database: Database;
  readonly files: FileStore;
  readonly blobs: BlobStore;
  readonly log: Log;
}

export function registerNoteContentRoutes(app: ApiScope, needs: NoteContentNeeds): void {
  app.get(
    "/api/notes/:documentId/content",
    {
      config: { access: "reviewer" },
      schema: {
        operationId: "getNoteContent",
        summary: "The PDF of a contract note, from the spool or the archive",
        tags: ["reviews"],
        params: z.object({ documentId: z.string().max(100) }),
        example: { params: { documentId: "6f1f2c3e-0f5b-4a52-9c61-1f0f8a2f7d11" } },
        response: {
          200: {
            description: "The file as it arrived.",
            content: { "application/pdf": { schema: z.string().meta({ format: "binary" }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { documentId } = request.params;
      const document = isUuid(documentId) ? await getDocument(needs.database, documentId) : null;
      if (document === null) throw notFound("there is no such document");
      const { sha256, archivePath, filename } = document;
      const bytes =
        (await needs.files.get(sha256)) ??
        (archivePath === null ? null : await needs.blobs.get(archivePath));
      if (bytes === null) throw notFound("the file was removed after its retention");
      needs.log.info({ documentId, who: request.caller.id }, "a contract note was opened");
      return (
        reply
          .type("application/pdf")
          // Never shown by the browser itself: a note comes from outside, and only our reader opens it.
          .header(
            "content-disposition",
            `attachment; filename="note.pdf"; filename*=UTF-8''${encodeURIComponent(filename)}`,
          )
          .header("content-security-policy", "sandbox; default-src 'none'")
          .header("x-content-type-options", "nosniff")
          .header("cache-control", "private, no-store")
          .send(Buffer.from(bytes) as never)
      );
    },
  );
}
