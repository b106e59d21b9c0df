import * as z from "zod";
import { TEXT_KINDS } from "../../reading/text/document-text.ts";
import { EXAMPLE_ID } from "./common.ts";

const TENANT = "0f9e8d7c-6b5a-4c3d-9e2f-1a0b9c8d7e6f";
const tenantId = z.string().max(100).optional().describe("the caller's own tenant");
const tags = ["rag"];

/** Strict: an id in an unknown field would not be checked. */
const SearchOptions = z.strictObject({
  tenantId,
  topK: z.int().min(1).max(50).default(5),
  minScore: z.number().min(0).max(1).default(0.7),
  fileTypes: z.array(z.enum(TEXT_KINDS)).max(20).optional(),
  parentEntityType: z.string().max(100).optional(),
  parentEntityId: z.guid().optional(),
  documentIds: z.array(z.guid()).min(1).max(200).optional(),
});

export const ragSearch = {
  operationId: "ragSearch",
  summary: "Searches the index; the results are chunks of documents that the caller may read",
  tags,
  body: z.strictObject({
    query: z.string().max(1_000).optional(),
    options: SearchOptions.optional(),
  }),
  response: {
    200: z.object({
      query: z.string(),
      results: z.array(
        z.object({
          id: z.string().describe("{documentId}_{chunkIndex}_v{generation}"),
          documentId: z.string(),
          fileName: z.string(),
          fileType: z.string().nullable(),
          chunkIndex: z.int(),
          chunkCount: z.int(),
          content: z.string(),
          score: z.number(),
          parentEntityType: z.string().nullable(),
          parentEntityId: z.string().nullable(),
          parentEntityName: z.string().nullable(),
        }),
      ),
      totalCount: z.int().describe("of these results"),
      searchDurationMs: z.int(),
      degraded: z.string().nullable(),
    }),
  },
  example: { body: { query: "notice period", options: { tenantId: TENANT } } },
};

const IndexedResult = z.object({
  documentId: z.string(),
  success: z.boolean(),
  chunksIndexed: z.int(),
  durationMs: z.int(),
  errorMessage: z.string().nullable(),
});

export const ragIndex = {
  operationId: "ragIndex",
  summary: "Brings the index up to date with one document",
  tags,
  body: z.strictObject({ documentId: z.guid().optional(), tenantId }),
  response: { 200: IndexedResult },
  example: { body: { documentId: EXAMPLE_ID, tenantId: TENANT } },
};

export const ragIndexFile = {
  operationId: "ragIndexFile",
  summary: "Brings the index up to date with the document of a file",
  tags,
  body: z.strictObject({
    driveId: z.string().max(300),
    itemId: z.string().max(300),
    fileName: z.string().max(1_000).optional(),
    documentId: z.guid().optional(),
    tenantId,
  }),
  response: { 200: IndexedResult },
  example: {
    body: { driveId: "b!x", itemId: "01ABC", documentId: EXAMPLE_ID, tenantId: TENANT },
  },
};

const Many = z.object({
  totalRequested: z.int(),
  successCount: z.int(),
  failedCount: z.int(),
  results: z.array(IndexedResult),
});
const ManyBody = z.strictObject({ documentIds: z.array(z.guid()).max(20).optional(), tenantId });
const manyExample = { body: { documentIds: [EXAMPLE_ID], tenantId: TENANT } };

export const ragIndexBatch = {
  operationId: "ragIndexBatch",
  summary: "Brings the index up to date with several documents",
  tags,
  body: ManyBody,
  response: { 200: Many },
  example: manyExample,
};

export const ragSendToIndex = {
  ...ragIndexBatch,
  operationId: "ragSendToIndex",
  summary: "The same, for a button in Dataverse; the records say that they are indexed",
};

export const ragEnqueue = {
  operationId: "ragEnqueueIndexing",
  summary: "Indexes a document in the background, for programs with the key `X-Api-Key`",
  tags,
  body: z.strictObject({
    documentId: z.guid().optional(),
    driveId: z.string().max(300).optional(),
    itemId: z.string().max(300).optional(),
    fileName: z.string().max(1_000).optional(),
    tenantId,
  }),
  response: {
    202: z.object({ accepted: z.literal(true), jobId: z.string(), idempotencyKey: z.string() }),
  },
  example: { body: { documentId: EXAMPLE_ID, tenantId: TENANT } },
};

export const ragEmbedding = {
  operationId: "ragEmbedding",
  summary: "The vector of a text",
  tags,
  body: z.strictObject({ text: z.string().trim().min(1).max(8_000) }),
  response: {
    200: z.object({ model: z.string(), dimensions: z.int(), embedding: z.array(z.number()) }),
  },
  example: { body: { text: "notice period" } },
};

export const ragDeleteChunk = {
  operationId: "ragDeleteChunk",
  summary: "Removes a chunk from the index until its document changes",
  tags,
  params: z.object({ chunkId: z.string().max(200) }),
  response: { 200: z.object({ id: z.string(), deleted: z.literal(true) }) },
  example: { params: { chunkId: `${EXAMPLE_ID}_0_v1` } },
};

export const ragDeleteSource = {
  operationId: "ragDeleteSource",
  summary: "Removes a document from the index until it changes",
  tags,
  params: z.object({ documentId: z.guid() }),
  response: { 200: z.object({ sourceDocumentId: z.string(), deletedCount: z.int() }) },
  example: { params: { documentId: EXAMPLE_ID } },
};

export const ragBulkIndex = {
  operationId: "ragBulkIndex",
  summary: "Compares all documents with the index and reads what differs",
  tags,
  body: z.strictObject({ tenantId }),
  response: { 202: z.object({ jobId: z.string(), statusUrl: z.string() }) },
  example: { body: { tenantId: TENANT } },
};
