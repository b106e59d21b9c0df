/**
 * Contract notes that a person uploads. The file goes to the spool and a job to the queue; from there a note
 * takes the same steps as one that arrived by mail.
 */
import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import type { FileStore } from "../../files/file-store.ts";
import { ingestFile } from "../../flows/specs/ingestion.ts";
import type { JobQueue } from "../../jobs/job.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import { admitPdf, FILE_BYTES_MAX } from "../../reading/admit-file.ts";
import type { Database } from "../../store/database.ts";
import type { Caller } from "../access/auth.ts";
import { hasRole } from "../access/roles.ts";
import { badRequest, tooLarge, unsupported } from "../http/problem.ts";
import { type ApiScope, typed } from "../openapi.ts";
import * as schemas from "../schemas/ingestion.ts";

export interface UploadNotesNeeds {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly files: FileStore;
  readonly clock: Clock;
  readonly random: Random;
  /** The address of the signed-in user; null for a caller without one. */
  readonly emailOf: (caller: Caller) => Promise<string | null>;
}

const FILES_MAX = 20;
const PLAIN_EMAIL = /^[^\s@]+@[^\s@]+$/;

export async function registerUploadNotesRoutes(
  app: ApiScope,
  needs: UploadNotesNeeds,
): Promise<void> {
  // A separate scope, so that other routes do not accept forms.
  await app.register(async (plain) => {
    const scope = typed(plain);
    await scope.register(multipart, { limits: { fileSize: FILE_BYTES_MAX + 1, files: FILES_MAX } });
    scope.post(
      "/api/contract-notes",
      {
        config: { access: "person" },
        schema: schemas.uploadNotes,
        bodyLimit: FILES_MAX * FILE_BYTES_MAX,
      },
      async (request, reply) => {
        const caller = request.caller;
        const accepted = await takeFiles(needs, request, caller);
        if (accepted.length === 0) throw badRequest("no file in the form");
        return reply.code(202).send({ accepted });
      },
    );
  });
}

interface Accepted {
  readonly filename: string;
  readonly sha256: string;
  readonly jobId: string;
  readonly statusUrl: string;
}

async function takeFiles(
  needs: UploadNotesNeeds,
  request: FastifyRequest,
  caller: Caller,
): Promise<Accepted[]> {
  if (!request.isMultipart()) throw badRequest("send the files as multipart/form-data");
  const accepted: Accepted[] = [];
  let onBehalfOf: string | undefined;
  for await (const part of request.parts()) {
    if (part.type === "field") {
      if (part.fieldname === "senderEmail") onBehalfOf = String(part.value);
      continue;
    }
    const bytes = await part.toBuffer();
    const sender = await senderOf(needs, caller, onBehalfOf);
    accepted.push(await takeFile(needs, { filename: part.filename, bytes, ...sender, caller }));
  }
  return accepted;
}

/** Users upload for themselves; only an operator may name another sender. */
async function senderOf(
  needs: UploadNotesNeeds,
  caller: Caller,
  onBehalfOf: string | undefined,
): Promise<{ senderEmail: string; isOwn: boolean }> {
  if (onBehalfOf !== undefined && hasRole(caller, "operator")) {
    if (!PLAIN_EMAIL.test(onBehalfOf)) throw badRequest("senderEmail is not an address");
    return { senderEmail: onBehalfOf, isOwn: false };
  }
  const email = await needs.emailOf(caller);
  if (email === null) throw badRequest("senderEmail must come before the file in the form");
  return { senderEmail: email, isOwn: true };
}

async function takeFile(
  needs: UploadNotesNeeds,
  upload: { filename: string; bytes: Buffer; senderEmail: string; isOwn: boolean; caller: Caller },
): Promise<Accepted> {
  const admitted = admitPdf(upload.filename, upload.bytes);
  if (!admitted.ok) {
    const refuse = admitted.reason === "too-large" ? tooLarge : unsupported;
    throw refuse(`${admitted.reason}: ${admitted.detail}`);
  }
  const { id: sha256 } = await needs.files.put(upload.bytes);
  const { name: filename } = admitted.file;
  const jobId = await needs.database.transaction(async (tx) => {
    const [id] = await needs.jobs.add(tx, ingestFile, [
      {
        subjectId: sha256,
        // Each upload is a separate job; ingestion ignores the same bytes the second time.
        idempotencyKey: `upload-${needs.random.uuid()}`,
        ownerId: hasRole(upload.caller, "operator") ? null : upload.caller.id,
        payload: {
          sha256,
          filename,
          source: "manual_upload",
          senderEmail: upload.senderEmail,
          isOwn: upload.isOwn,
          receivedAt: new Date(needs.clock.now()).toISOString(),
        },
      },
    ]);
    return id!;
  });
  return { filename, sha256, jobId, statusUrl: `/api/jobs/${jobId}/status` };
}
