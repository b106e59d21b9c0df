/**
 * Large files in chunks. The sender gets a URL of ours and never sees the one that Graph gave us, so nobody can
 * point us to another host; only the person who began an upload can continue it.
 */
import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { readParent } from "../../filing/container.ts";
import { nameIn, uploadPath } from "../../filing/drive-path.ts";
import { type Filing, viewUpload } from "../../filing/filing.ts";
import type { Upload } from "../../flows/specs/uploads.ts";
import { CHUNK_BYTES } from "../../microsoft/graph/upload-session.ts";
import type { Caller } from "../access/auth.ts";
import { badRequest, notFound, ProblemError } from "../http/problem.ts";
import { type ApiScope, typed } from "../openapi.ts";
import * as schemas from "../schemas/documents.ts";
import { assertSize, type UploadRoutesNeeds } from "./upload-file-routes.ts";

type Begin = z.output<typeof schemas.beginUpload.body>;

export async function registerUploadSessionRoutes(
  app: ApiScope,
  needs: UploadRoutesNeeds,
): Promise<void> {
  const { uploads } = needs;

  app.post(
    "/upload/session",
    { config: { access: "person" }, schema: schemas.beginUpload },
    async (request, reply) => {
      const caller = request.caller;
      const begun = await uploads.begin(caller, readBegin(request.body));
      return reply.code(201).send(viewSession(begun, 0));
    },
  );

  app.get(
    "/upload/session/:id",
    { config: { access: "person" }, schema: schemas.getUpload },
    async (request) => {
      const begun = await loadBegun(needs, request.caller, request);
      if (begun.state !== "pending") return viewUpload(begun);
      const nextByte = await uploads.getNextByte(begun);
      if (nextByte === null) throw expired();
      return viewSession(begun, nextByte);
    },
  );

  app.delete(
    "/upload/session/:id",
    { config: { access: "person" }, schema: schemas.cancelUpload },
    async (request, reply) => {
      await uploads.cancel(await loadBegun(needs, request.caller, request));
      return reply.code(204).send();
    },
  );

  await app.register(async (plain) => {
    const scope = typed(plain);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    scope.put(
      "/upload/session/:id",
      {
        config: { access: "person", takesLong: true },
        schema: schemas.sendChunk,
        bodyLimit: CHUNK_BYTES,
      },
      async (request, reply) => {
        const caller = request.caller;
        const begun = await loadBegun(needs, caller, request);
        const { first, total, bytes } = readRange(request);
        if (total !== begun.size)
          throw badRequest("the total size differs from the one that was announced");
        const sent = await uploads.sendChunk(caller, begun, first, bytes);
        if (sent.state === "gone") throw expired();
        if (sent.state === "done") return reply.code(201).send(viewUpload(sent.filing));
        return reply.code(sent.isOutOfOrder ? 416 : 202).send(viewSession(begun, sent.nextByte));
      },
    );
  });
}

function readBegin({ fileName, size, containerId, parent }: Begin): Upload {
  assertSize(size);
  return { size, containerId, parent: readParent(parent), path: uploadPath(fileName) };
}

async function loadBegun(
  { uploads }: UploadRoutesNeeds,
  caller: Caller,
  request: FastifyRequest,
): Promise<Filing> {
  const id = z.guid().safeParse((request.params as { id: string }).id);
  const begun = id.success ? await uploads.getBegun(caller, id.data) : null;
  if (begun === null) throw notFound("there is no such upload");
  return begun;
}

function viewSession(begun: Filing, nextByte: number) {
  return {
    uploadId: begun.id,
    uploadUrl: `/upload/session/${begun.id}`,
    name: nameIn(begun.path),
    size: begun.size,
    chunkSize: CHUNK_BYTES,
    nextExpectedRanges: [`${nextByte}-`],
  };
}

function expired(): ProblemError {
  return new ProblemError({
    status: 410,
    title: "Gone",
    detail: "the upload has expired; begin again with POST /upload/session",
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
    throw badRequest("Content-Range does not match the length of the body");
  if (last + 1 < total && bytes.length % UNIT_BYTES !== 0)
    throw badRequest("every chunk but the last must be a multiple of 327,680 bytes");
  return { first, total, bytes };
}
