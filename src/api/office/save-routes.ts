/** Saving from Outlook and Word. Everything is done with the caller's own rights. */
import type { FastifyRequest } from "fastify";
import type { FileStore } from "../../files/file-store.ts";
import { OfficeRefusal } from "../../filing/office/office-refusal.ts";
import type { OfficeSaves } from "../../flows/specs/office.ts";
import type { Queryable } from "../../store/database.ts";
import { type ApiScope, typed } from "../openapi.ts";
import * as schemas from "../schemas/office.ts";
import { limitCalls } from "./office-limits.ts";
import { BODY_BYTES_MAX, type ReceivedFile, readSaveBody } from "./read-save-body.ts";
import { toSave } from "./to-save.ts";

export interface OfficeSaveRoutesNeeds {
  readonly database: Queryable;
  readonly spool: Pick<FileStore, "put">;
  readonly saves: OfficeSaves;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The files of a save, which are not part of its JSON. */
    receivedFiles: readonly ReceivedFile[];
  }
}

const KEY = /^[\x21-\x7e]{1,200}$/;

export async function registerSaveRoutes(
  app: ApiScope,
  { database, spool, saves }: OfficeSaveRoutesNeeds,
): Promise<void> {
  await app.register(async (plain) => {
    const scope = typed(plain);
    scope.decorateRequest("receivedFiles", null as unknown as readonly ReceivedFile[]);
    scope.removeAllContentTypeParsers();
    const parse = async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
      const { json, files } = await readSaveBody(payload, spool);
      request.receivedFiles = files;
      return json;
    };
    scope.addContentTypeParser("application/json", parse);
    scope.post(
      "/office/save",
      {
        // Its own key recognises a repetition; a kept answer would not know the files, which are not in the JSON.
        config: { access: "person", takesLong: true, answersAnew: true },
        schema: schemas.save,
        bodyLimit: Number.MAX_SAFE_INTEGER,
        onRequest: [assertLength, limitCalls(database, "save")],
      },
      async (request, reply) => {
        const { caller, body } = request;
        const key = keyOf(request);
        const save = await toSave({ spool, received: request.receivedFiles }, body);
        const { jobId, isDuplicate } = await saves.save(caller, save, key);
        void reply.header("x-idempotency-status", isDuplicate ? "cached" : "new");
        return reply.code(isDuplicate ? 200 : 202).send({
          success: true,
          duplicate: isDuplicate,
          jobId,
          statusUrl: `/office/jobs/${jobId}`,
          streamUrl: `/office/jobs/${jobId}/stream`,
        });
      },
    );
  });
}

/** Before a byte of the body is read. A body without a length is counted while it arrives. */
async function assertLength({ headers }: FastifyRequest): Promise<void> {
  if (Number(headers["content-length"] ?? 0) > BODY_BYTES_MAX)
    throw new OfficeRefusal("OFFICE_005", "all files together are larger than 100 MB");
}

function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers["x-idempotency-key"];
  if (key === undefined) return null;
  if (typeof key === "string" && KEY.test(key)) return key;
  throw new OfficeRefusal(
    "OFFICE_VALIDATION",
    "X-Idempotency-Key must be 1 to 200 visible ASCII characters",
  );
}
