/** Files on their way to a drive and to their record in Dataverse. */
import * as z from "zod";
import { SCHEMA_NAME } from "../../filing/navigation/navmap.ts";
import { cursorOf, next } from "../http/paging.ts";
import { byId, EXAMPLE_ID, flag, limit, text, time } from "./common.ts";

const State = z.enum(["pending", "uploaded", "recorded", "refused", "missing"]);

const Document = z
  .object({
    id: z.string(),
    source: z.enum(["upload", "session", "email", "attachment", "office"]),
    state: State,
    reason: text,
    name: z.string(),
    path: z.string(),
    size: z.int(),
    mimeType: text,
    sha256: text,
    driveId: z.string(),
    itemId: text,
    webUrl: text,
    ownerId: text,
    parent: text,
    review: text.describe("why a person should look at it; null if nobody needs to"),
    hasRecord: z.boolean(),
    createdAt: time,
    changedAt: time,
  })
  .meta({ id: "Document" });

/** Dataverse adds annotations, such as `@odata.etag`. */
const DataverseRecord = z
  .looseObject({
    sprk_documentid: z.string(),
    sprk_filename: text,
    sprk_filesize: z.int().nullable(),
    sprk_mimetype: text,
    sprk_graphitemid: text,
    sprk_graphdriveid: text,
    sprk_filepath: text,
  })
  .meta({ id: "DocumentRecord" });

const Uploaded = z
  .object({
    id: text.describe("of the drive item"),
    name: z.string(),
    size: z.int(),
    webUrl: text,
    driveId: z.string(),
    documentId: text,
    document: Document,
  })
  .meta({ id: "Uploaded" });

const UploadSession = z
  .object({
    uploadId: z.string(),
    uploadUrl: z.string().describe("where the chunks go"),
    name: z.string(),
    size: z.int(),
    chunkSize: z.int(),
    nextExpectedRanges: z.array(z.string()),
  })
  .meta({ id: "UploadSession" });

const tags = ["documents"];
const params = byId("a document");
const example = { params: { id: EXAMPLE_ID } };
const parent = z.string().max(200).optional().describe("like sprk_matter:0198a2b4-…");

export const listDocuments = {
  operationId: "listDocuments",
  summary: "Filed documents, newest first: your own, or all of them for an operator",
  tags,
  querystring: z.object({
    state: State.optional(),
    review: flag.optional().describe("true for documents that a person should look at"),
    cursor: cursorOf("documents", z.object({ id: z.guid(), createdAt: z.iso.datetime() })),
    limit: limit(1_000, 100),
  }),
  response: { 200: z.object({ documents: z.array(Document), next }) },
  example: { query: { state: "recorded" } },
};

export const endReview = {
  operationId: "endDocumentReview",
  summary: "A person has looked at a document that a rule sent to review",
  tags,
  params,
  response: { 200: Document },
  example,
};

export const getDocument = {
  operationId: "getDocument",
  summary: "One document and its record",
  tags,
  params,
  response: {
    200: z.object({ document: Document.nullable(), record: DataverseRecord.nullable() }),
  },
  example,
};

export const getPreviewUrl = {
  operationId: "getPreviewUrl",
  summary: "Where a person views a document",
  tags,
  params,
  response: {
    200: z.object({
      previewUrl: z.string(),
      documentInfo: z.object({ name: z.string(), size: z.int() }),
      correlationId: z.string(),
    }),
  },
  example,
};

export const getOfficeUrls = {
  operationId: "getOfficeUrls",
  summary: "Where a person edits a document",
  tags,
  params,
  response: {
    200: z.object({ officeUrl: z.string(), desktopUrl: text, correlationId: z.string() }),
  },
  example,
};

export const getContent = {
  operationId: "getContent",
  summary: "The bytes of a document, up to 25 MB",
  tags,
  params,
  response: {
    200: {
      description: "The file as it is in its drive now.",
      content: { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } },
    },
  },
  example,
};

export const putFile = {
  operationId: "putFile",
  summary: "Send a file to a path in a container; `default` is the usual one",
  tags,
  sends: "application/octet-stream",
  params: z.object({ containerId: z.string(), "*": z.string().describe("a path in the drive") }),
  querystring: z.object({
    parent,
    record: flag.optional(),
    conflictBehavior: z.enum(["fail", "replace", "rename"]).default("fail"),
    dryRun: flag
      .optional()
      .describe("only check the path, the container and the parent; the body is ignored"),
  }),
  response: {
    200: z
      .object({ dryRun: z.literal(true), containerId: z.string(), path: z.string() })
      .describe("where the file would be, if `dryRun` is set"),
    201: Uploaded,
  },
  example: {
    params: { containerId: "default", "*": "documents/letter.pdf" },
    query: { conflictBehavior: "replace" },
  },
} as const;

export const addRecord = {
  operationId: "addRecord",
  summary: "Write the record of a file that was sent without one",
  tags,
  params: z.object({ id: z.guid() }),
  body: z.object({ parent }),
  response: { 201: Uploaded },
  example: { ...example, body: { parent: `sprk_matter:${EXAMPLE_ID}` } },
};

export const sendForm = {
  operationId: "sendForm",
  summary: "Send a file of less than 4 MB as a form, with `containerId` and `parent` before it",
  tags,
  sends: "multipart/form-data",
  response: { 201: Uploaded },
  example: {},
} as const;

const session = byId("an upload");

export const beginUpload = {
  operationId: "beginUpload",
  summary: "Start to send a large file in chunks",
  tags,
  body: z.object({
    fileName: z.string().min(1).max(400),
    size: z.int().positive(),
    containerId: z.string().max(300).optional(),
    parent,
  }),
  response: { 201: UploadSession },
  example: { body: { fileName: "report.pdf", size: 52_428_800 } },
};

export const getUpload = {
  operationId: "getUpload",
  summary: "Which bytes are expected next, or the finished upload",
  tags,
  params: session,
  response: { 200: z.union([UploadSession, Uploaded]) },
  example,
};

export const sendChunk = {
  operationId: "sendChunk",
  summary: "Send the next chunk; `Content-Range` says which bytes it holds",
  tags,
  sends: "application/octet-stream",
  params: session,
  response: { 201: Uploaded, 202: UploadSession, 416: UploadSession },
  example,
} as const;

export const cancelUpload = {
  operationId: "cancelUpload",
  summary: "Cancel an upload",
  tags,
  params: session,
  response: { 204: z.undefined() },
  example,
};

const schemaName = z.string().regex(SCHEMA_NAME, "must consist of letters, digits and underscores");
const ofNames = ["navigation names"];
const Relationship = z.object({ entity: schemaName, relationship: schemaName });
const Names = z.object({
  childEntity: z.string(),
  relationship: z.string(),
  navigationPropertyName: z.string(),
  parentEntity: z.string(),
  logicalName: z.string(),
  source: z.enum(["dataverse", "cache"]),
});
const LOOKUP = { entity: "sprk_document", relationship: "sprk_matter_document_1n" };

export const getLookupName = {
  operationId: "getLookupName",
  summary: "The name of a lookup, for programs that bind rows themselves",
  tags: ofNames,
  params: Relationship,
  response: { 200: Names },
  example: { params: LOOKUP },
};

export const getCollectionName = {
  operationId: "getCollectionName",
  summary: "The name of the collection on the other side of a lookup",
  tags: ofNames,
  params: Relationship,
  response: { 200: Names.extend({ collectionPropertyName: z.string() }) },
  example: { params: { ...LOOKUP, entity: "sprk_matter" } },
};

export const getEntitySet = {
  operationId: "getEntitySet",
  summary: "The name of the set of a table",
  tags: ofNames,
  params: z.object({ entity: schemaName }),
  response: {
    200: z.object({
      entityLogicalName: z.string(),
      entitySetName: z.string(),
      source: z.literal("dataverse"),
    }),
  },
  example: { params: { entity: "sprk_document" } },
};
