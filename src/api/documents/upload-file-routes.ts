/** Whole files that people and programs send: a plain PUT to a path, or a form. */
import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import type * as z from "zod";
import { checkContainerId, readParent } from "../../filing/container.ts";
import { contentOfBytes, contentOfStream } from "../../filing/content.ts";
import { checkDrivePath, uploadPath } from "../../filing/drive-path.ts";
import { viewUpload } from "../../filing/filing.ts";
import { RECORDED_BYTES_MAX } from "../../filing/record.ts";
import type { FileUpload, Upload, Uploads } from "../../flows/specs/uploads.ts";
import { SESSION_FROM_BYTES } from "../../microsoft/graph/upload-session.ts";
import { badRequest, ProblemError, tooLarge } from "../http/problem.ts";
import { type ApiScope, typed } from "../openapi.ts";
import * as schemas from "../schemas/documents.ts";
import { unknownDocument } from "./open-document.ts";

export interface UploadRoutesNeeds {
  readonly uploads: Uploads;
}

type PutQuery = z.output<typeof schemas.putFile.querystring>;

export async function registerUploadFileRoutes(
  app: ApiScope,
  { uploads }: UploadRoutesNeeds,
): Promise<void> {
  await app.register(async (plain) => {
    const scope = typed(plain);
    scope.removeAllContentTypeParsers();
    // The body stays a stream, which is read as fast as the drive takes it.
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.put(
      "/api/containers/:containerId/files/*",
      {
        config: { access: "person", takesLong: true },
        schema: schemas.putFile,
        bodyLimit: RECORDED_BYTES_MAX,
      },
      async (request, reply) => {
        const { caller, query } = request;
        const place = readPlace(request, query);
        if (query.dryRun)
          return {
            dryRun: true as const,
            ...(await uploads.checkPlace(caller, place, query.conflictBehavior)),
          };
        const filing = await uploads.sendFile(caller, readPut(request, query, place));
        return reply.code(201).send(viewUpload(filing));
      },
    );
  });
  app.post(
    "/api/documents/:id/record",
    { config: { access: "person" }, schema: schemas.addRecord },
    async (request, reply) => {
      const caller = request.caller;
      const { id } = request.params;
      const parent = readParent(request.body.parent);
      const filing = await uploads.addRecord(caller, id.toLowerCase(), parent);
      if (filing === null) throw unknownDocument();
      return reply.code(201).send(viewUpload(filing));
    },
  );
  await app.register(async (plain) => {
    const scope = typed(plain);
    await scope.register(multipart, { limits: { fileSize: SESSION_FROM_BYTES - 1, files: 1 } });
    scope.post(
      "/upload/file",
      {
        config: { access: "person", takesLong: true },
        schema: schemas.sendForm,
        bodyLimit: 2 * SESSION_FROM_BYTES,
      },
      async (request, reply) => {
        const caller = request.caller;
        const filing = await uploads.sendFile(caller, await readForm(request));
        return reply.code(201).send(viewUpload(filing));
      },
    );
  });
}

function readPlace(request: FastifyRequest, query: PutQuery): Omit<Upload, "size"> {
  const { containerId, "*": given } = request.params as { containerId: string; "*": string };
  const checked = checkDrivePath(given);
  if ("problem" in checked) throw badRequest(checked.problem);
  return {
    parent: readParent(query.parent),
    path: checked.path,
    containerId: containerId === "default" ? undefined : checkContainerId(containerId),
  };
}

function readPut(
  request: FastifyRequest,
  query: PutQuery,
  place: Omit<Upload, "size">,
): FileUpload {
  const size = Number(request.headers["content-length"] ?? Number.NaN);
  if (!Number.isInteger(size))
    throw new ProblemError({
      status: 411,
      title: "Length Required",
      detail: "Content-Length is required",
    });
  if (size === 0) throw badRequest("the file is empty");
  assertSize(size);
  return {
    ...place,
    size,
    content: contentOfStream(request.raw, size),
    // A form that writes the record itself sends only the file.
    wantsRecord: query.record ?? place.parent !== null,
    whenTaken: query.conflictBehavior,
  };
}

async function readForm(request: FastifyRequest): Promise<FileUpload> {
  if (!request.isMultipart()) throw badRequest("send the file as multipart/form-data");
  const fields: Record<string, string> = {};
  let file: { name: string; bytes: Buffer } | null = null;
  for await (const part of request.parts()) {
    if (part.type === "field") fields[part.fieldname] = String(part.value);
    else file = { name: part.filename, bytes: await readPart(part) };
  }
  if (file === null || file.bytes.length === 0) throw badRequest("the form has no file");
  return {
    containerId: fields["containerId"],
    parent: readParent(fields["parent"]),
    path: uploadPath(file.name),
    size: file.bytes.length,
    content: contentOfBytes(file.bytes),
    wantsRecord: true,
    whenTaken: "rename",
  };
}

async function readPart(part: { toBuffer(): Promise<Buffer> }): Promise<Buffer> {
  try {
    return await part.toBuffer();
  } catch (error) {
    if ((error as { code?: string }).code !== "FST_REQ_FILE_TOO_LARGE") throw error;
    throw tooLarge("send files of 4 MB and more through POST /upload/session");
  }
}

export function assertSize(size: number): void {
  if (size > RECORDED_BYTES_MAX)
    throw tooLarge(`the file may have at most ${RECORDED_BYTES_MAX} bytes`);
}
