/**
 * Files that people and programs send: a plain PUT to a path, or a form. Bytes pass through in chunks,
 * and whoever sends acts: a person as himself, the operator as the app.
 */
import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod";
import type { Actor, Actors } from "../filing/actors.ts";
import { bindParent, checkContainerId, chooseContainer, parseParent } from "../filing/container.ts";
import { bytesOf, contentOfBytes, contentOfStream } from "../filing/content.ts";
import { checkDrivePath, documentPath, nameIn } from "../filing/drive-path.ts";
import {
  type FileNeeds,
  fileContent,
  finishRecord,
  type WantedFile,
} from "../filing/file-document.ts";
import { type Filing, viewFiling } from "../filing/filing.ts";
import { getFiling, wantRecord } from "../filing/filing-table.ts";
import { RECORDED_BYTES_MAX } from "../filing/record.ts";
import { Fault } from "../lib/fault.ts";
import type { Log } from "../lib/log.ts";
import { SESSION_FROM_BYTES } from "../microsoft/graph/upload-session.ts";
import { type Authorize, badRequest, type Caller, notFound } from "./auth.ts";
import { parse } from "./jobs-routes.ts";
import { ProblemError } from "./problem.ts";

export interface UploadNeeds extends FileNeeds {
  readonly authorize: Authorize;
  readonly actors: Actors;
  readonly defaultContainerId: string;
  readonly log: Log;
}

/** A person acts as himself; the operator's key belongs to nobody, so the app acts. */
export function actorOf(actors: Actors, caller: Caller): Actor {
  return caller.token === undefined
    ? actors.app
    : actors.as({ id: caller.id, token: caller.token });
}

const flag = z.enum(["true", "false"]).transform((value) => value === "true");
const PutQuery = z.object({
  parent: z.string().max(200).optional(),
  record: flag.optional(),
  conflictBehavior: z.enum(["fail", "replace", "rename"]).default("fail"),
});
const USER_UPLOAD = 659490000;

export async function registerUploadDocumentRoutes(
  app: FastifyInstance,
  needs: UploadNeeds,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The body stays a stream; the route reads it as fast as the drive takes it.
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.put(
      "/api/containers/:containerId/files/*",
      { config: { takesLong: true }, bodyLimit: RECORDED_BYTES_MAX },
      async (request, reply) => {
        const caller = await needs.authorize(request);
        const filing = await putFile(needs, request, actorOf(needs.actors, caller));
        return reply.code(201).send(viewUpload(filing));
      },
    );
  });
  app.post("/api/documents/:id/record", async (request, reply) => {
    const caller = await needs.authorize(request);
    const filing = await recordLater(needs, request, actorOf(needs.actors, caller));
    return reply.code(201).send(viewUpload(filing));
  });
  await app.register(async (scope) => {
    await scope.register(multipart, { limits: { fileSize: SESSION_FROM_BYTES - 1, files: 1 } });
    scope.post(
      "/upload/file",
      { config: { takesLong: true }, bodyLimit: 2 * SESSION_FROM_BYTES },
      async (request, reply) => {
        const caller = await needs.authorize(request);
        const filing = await takeForm(needs, request, actorOf(needs.actors, caller));
        return reply.code(201).send(viewUpload(filing));
      },
    );
  });
}

/** For forms that send files first and make what they belong to afterwards; the file stays where it is. */
async function recordLater(
  needs: UploadNeeds,
  request: FastifyRequest,
  actor: Actor,
): Promise<Filing> {
  const { id } = parse(z.object({ id: z.guid() }), request.params);
  const { parent: given } = parse(
    z.object({ parent: z.string().max(200).optional() }),
    request.body,
  );
  const filing = await getFiling(needs.database, id.toLowerCase());
  if (filing === null || filing.ownerId !== actor.id || filing.itemId === null)
    throw notFound("there is no such file");
  if (filing.state === "recorded") return filing;
  const parent = readParent(given);
  // A parent that the caller cannot see is refused here, before anything is written.
  await chooseContainer(
    { dataverse: actor.dataverse, defaultContainerId: needs.defaultContainerId },
    { parent, containerId: filing.driveId },
  );
  await wantRecord(needs.database, filing.id, columnsFor(parent));
  return finishRecord(needs, actor, filing.id);
}

/** What callers of such an endpoint have always been given, and the document beside it. */
export function viewUpload(filing: Filing) {
  const { size, webUrl, driveId, path } = filing;
  return {
    id: filing.itemId,
    name: nameIn(path),
    size,
    webUrl,
    driveId,
    documentId: filing.wantsRecord ? filing.id : null,
    document: viewFiling(filing),
  };
}

async function putFile(needs: UploadNeeds, request: FastifyRequest, actor: Actor): Promise<Filing> {
  const { containerId, "*": given } = request.params as { containerId: string; "*": string };
  const query = parse(PutQuery, request.query);
  const checked = checkDrivePath(given);
  if ("problem" in checked) throw badRequest(checked.problem);
  const size = Number(request.headers["content-length"] ?? Number.NaN);
  if (!Number.isInteger(size))
    throw new ProblemError({
      status: 411,
      title: "Length Required",
      detail: "Content-Length is needed",
    });
  if (size === 0) throw badRequest("the file has no bytes");
  assertSize(size);
  const parent = readParent(query.parent);
  const driveId = await chooseContainer(
    { dataverse: actor.dataverse, defaultContainerId: needs.defaultContainerId },
    { parent, containerId: containerId === "default" ? undefined : checkContainerId(containerId) },
  );
  const wanted = {
    ...{ driveId, path: checked.path, size, mimeType: null, isSpooled: false },
    source: "upload",
    ownerId: actor.id,
    name: nameIn(checked.path),
    sha256: null,
    // A form that makes the record itself asks for the file alone.
    wantsRecord: query.record ?? parent !== null,
    columns: columnsFor(parent),
  } satisfies WantedFile;
  const streamed = contentOfStream(request.raw, size);
  const content = size < SESSION_FROM_BYTES ? contentOfBytes(await bytesOf(streamed)) : streamed;
  const file = { ...wanted, sha256: content.sha256 };
  return fileContent(needs, actor, file, content, query.conflictBehavior);
}

async function takeForm(
  needs: UploadNeeds,
  request: FastifyRequest,
  actor: Actor,
): Promise<Filing> {
  if (!request.isMultipart()) throw badRequest("send the file as multipart/form-data");
  const fields: Record<string, string> = {};
  let file: { name: string; bytes: Buffer } | null = null;
  for await (const part of request.parts()) {
    if (part.type === "field") fields[part.fieldname] = String(part.value);
    else file = { name: part.filename, bytes: await readPart(part) };
  }
  if (file === null || file.bytes.length === 0) throw badRequest("no file in the form");
  const parent = readParent(fields["parent"]);
  const driveId = await chooseContainer(
    { dataverse: actor.dataverse, defaultContainerId: needs.defaultContainerId },
    { parent, containerId: fields["containerId"] },
  );
  const content = contentOfBytes(file.bytes);
  const path = documentPath(file.name);
  const wanted: WantedFile = {
    ...{ driveId, path, size: content.size, sha256: content.sha256, mimeType: null },
    source: "upload",
    ownerId: actor.id,
    name: nameIn(path),
    isSpooled: false,
    wantsRecord: true,
    columns: columnsFor(parent),
  };
  return fileContent(needs, actor, wanted, content, "rename");
}

async function readPart(part: { toBuffer(): Promise<Buffer> }): Promise<Buffer> {
  try {
    return await part.toBuffer();
  } catch (error) {
    if ((error as { code?: string }).code !== "FST_REQ_FILE_TOO_LARGE") throw error;
    throw tooLarge("files of 4 MB and more go through POST /upload/session");
  }
}

export function assertSize(size: number): void {
  if (size > RECORDED_BYTES_MAX) throw tooLarge(`at most ${RECORDED_BYTES_MAX} bytes are taken`);
}

function tooLarge(detail: string): ProblemError {
  return new ProblemError({ status: 413, title: "Content Too Large", detail });
}

export function readParent(text: string | undefined) {
  if (text === undefined) return null;
  const parent = parseParent(text);
  if (parent === null)
    throw new Fault("request.bad", "parent must be like sprk_matter:00000000-0000-…");
  return parent;
}

export function columnsFor(parent: ReturnType<typeof readParent>): Record<string, unknown> {
  return { sprk_sourcetype: USER_UPLOAD, ...(parent === null ? {} : bindParent(parent)) };
}
