/**
 * Large files in chunks. The sender gets an address of ours; the one that Graph gave stays with us, so
 * nobody can point us to another, and only the one who began may go on.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod";
import type { Actor } from "../filing/actors.ts";
import { chooseContainer } from "../filing/container.ts";
import { documentPath, nameIn, otherPaths } from "../filing/drive-path.ts";
import { reserve, type WantedFile } from "../filing/file-document.ts";
import type { Filing } from "../filing/filing.ts";
import { getFiling } from "../filing/filing-table.ts";
import { beginSession, cancelSession, sendChunk, sessionStatus } from "../filing/send-chunk.ts";
import { Fault } from "../lib/fault.ts";
import { CHUNK_BYTES } from "../microsoft/graph/upload-session.ts";
import { badRequest, notFound } from "./auth.ts";
import { parse } from "./jobs-routes.ts";
import { ProblemError } from "./problem.ts";
import {
  actorOf,
  assertSize,
  columnsFor,
  readParent,
  type UploadNeeds,
  viewUpload,
} from "./upload-documents-routes.ts";

const Begin = z.object({
  fileName: z.string().min(1).max(400),
  size: z.number().int().positive(),
  containerId: z.string().max(300).optional(),
  parent: z.string().max(200).optional(),
});

export async function registerUploadSessionRoutes(
  app: FastifyInstance,
  needs: UploadNeeds,
): Promise<void> {
  app.post("/upload/session", async (request, reply) => {
    const caller = await needs.authorize(request);
    const actor = actorOf(needs.actors, caller);
    const filing = await beginUpload(needs, actor, parse(Begin, request.body));
    return reply.code(201).send(viewSession(filing, 0));
  });

  app.get("/upload/session/:id", async (request) => {
    const filing = await loadOwn(needs, request);
    if (filing.state !== "pending") return viewUpload(filing);
    const nextByte = await sessionStatus(needs, filing);
    if (nextByte === null) throw gone();
    return viewSession(filing, nextByte);
  });

  app.delete("/upload/session/:id", async (request, reply) => {
    await cancelSession(needs, await loadOwn(needs, request));
    return reply.code(204).send();
  });

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    scope.put(
      "/upload/session/:id",
      { config: { takesLong: true }, bodyLimit: CHUNK_BYTES },
      async (request, reply) => {
        const caller = await needs.authorize(request);
        const filing = await loadOwn(needs, request);
        const { first, total, bytes } = readRange(request);
        if (total !== filing.size) throw badRequest("the total differs from the size announced");
        const answer = await sendChunk(needs, actorOf(needs.actors, caller), filing, first, bytes);
        if (answer.state === "gone") throw gone();
        if (answer.state === "done") return reply.code(201).send(viewUpload(answer.filing));
        const status = answer.isOutOfOrder ? 416 : 202;
        return reply.code(status).send(viewSession(filing, answer.nextByte));
      },
    );
  });
}

async function beginUpload(
  needs: UploadNeeds,
  actor: Actor,
  wish: z.infer<typeof Begin>,
): Promise<Filing> {
  assertSize(wish.size);
  const parent = readParent(wish.parent);
  const driveId = await chooseContainer(
    { dataverse: actor.dataverse, defaultContainerId: needs.defaultContainerId },
    { parent, containerId: wish.containerId },
  );
  const path = documentPath(wish.fileName);
  const wanted: WantedFile = {
    ...{ driveId, path, size: wish.size, mimeType: null, sha256: null, isSpooled: false },
    source: "session",
    ownerId: actor.id,
    name: nameIn(path),
    wantsRecord: true,
    columns: columnsFor(parent),
  };
  for (const free of otherPaths(path)) {
    const filing = await reserve(needs, { ...wanted, path: free }, "fail");
    // One that is done is another upload; one that was cut off begins anew.
    if (filing === null || filing.state !== "pending") continue;
    if (await beginSession(needs, actor, filing))
      return (await getFiling(needs.database, filing.id))!;
  }
  throw new Fault("drive.conflict", "a file of that name is there already");
}

function viewSession(filing: Filing, nextByte: number) {
  return {
    uploadId: filing.id,
    uploadUrl: `/upload/session/${filing.id}`,
    name: nameIn(filing.path),
    size: filing.size,
    chunkSize: CHUNK_BYTES,
    nextExpectedRanges: [`${nextByte}-`],
  };
}

/** Somebody else's upload is as good as none. */
async function loadOwn(needs: UploadNeeds, request: FastifyRequest): Promise<Filing> {
  const caller = await needs.authorize(request);
  const id = z.guid().safeParse((request.params as { id: string }).id);
  const filing = id.success ? await getFiling(needs.database, id.data) : null;
  const ownerId = actorOf(needs.actors, caller).id;
  if (filing === null || filing.source !== "session" || filing.ownerId !== ownerId)
    throw notFound("there is no such upload");
  return filing;
}

function gone(): ProblemError {
  return new ProblemError({
    status: 410,
    title: "Gone",
    detail: "the upload has run out; begin it again with POST /upload/session",
  });
}

const UNIT_BYTES = 320 * 1024;

function readRange(request: FastifyRequest): { first: number; total: number; bytes: Buffer } {
  const bytes = request.body as Buffer;
  const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(
    String(request.headers["content-range"] ?? ""),
  );
  if (range === null) throw badRequest("Content-Range must be like bytes 0-10485759/52428800");
  const [first, last, total] = range.slice(1).map(Number) as [number, number, number];
  if (!Buffer.isBuffer(bytes) || last < first || last >= total || bytes.length !== last - first + 1)
    throw badRequest("Content-Range and the length of the body do not agree");
  if (last + 1 < total && bytes.length % UNIT_BYTES !== 0)
    throw badRequest("every chunk but the last must be a multiple of 327,680 bytes");
  return { first, total, bytes };
}
