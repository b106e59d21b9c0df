/** What the add-in looks up and shares. */
import * as z from "zod";
import { EXAMPLE_ID, limit, text } from "./common.ts";

const tags = ["office"];
const q = z.string().trim().min(2).max(100);

const Target = z
  .object({ entityType: z.string(), id: z.string(), name: z.string(), info: text })
  .meta({ id: "OfficeTarget" });

export const searchEntities = {
  operationId: "searchOfficeEntities",
  summary: "Rows that a save can be linked to, by name or number",
  tags,
  querystring: z.object({ q, type: z.string().max(100).optional(), top: limit(50, 10) }),
  response: { 200: z.object({ results: z.array(Target) }) },
  example: { query: { q: "Brown", type: "sprk_matter" } },
};

export const searchDocuments = {
  operationId: "searchOfficeDocuments",
  summary: "Documents by name, newest first",
  tags,
  querystring: z.object({ q, top: limit(50, 10) }),
  response: {
    200: z.object({
      results: z.array(
        z.object({ documentId: z.string(), name: z.string(), webUrl: text, changedAt: text }),
      ),
    }),
  },
  example: { query: { q: "fee" } },
};

export const recent = {
  operationId: "getOfficeRecent",
  summary:
    "Where you saved lately, where this mail probably belongs, and where it is saved already",
  tags,
  querystring: z.object({
    sender: z.string().max(1_000).optional(),
    subject: z.string().max(1_000).optional(),
    conversationId: z.string().max(1_000).optional(),
    internetMessageId: z.string().max(1_000).optional(),
  }),
  response: {
    200: z.object({
      recent: z.array(Target),
      suggested: z.array(Target),
      filed: z.array(
        z.object({
          documentId: z.string(),
          name: z.string(),
          webUrl: text,
          target: Target,
          savedAt: z.string(),
        }),
      ),
    }),
  },
  example: { query: { sender: "ada@clients.example" } },
};

export const quickCreate = {
  operationId: "quickCreateOfficeEntity",
  summary: "Creates a row to save to",
  tags,
  params: z.object({ type: z.string().max(100).describe("like sprk_matter") }),
  body: z.object({
    name: z.string().trim().min(1).max(160),
    number: z.string().trim().min(1).max(100).optional(),
  }),
  response: { 201: Target },
  example: { params: { type: "sprk_matter" }, body: { name: "Brown v. Smith" } },
};

export const shareLinks = {
  operationId: "shareOfficeLinks",
  summary: "Addresses of documents; they open for people who may see them",
  tags,
  body: z.object({ documentIds: z.array(z.guid()).min(1).max(20) }),
  response: {
    200: z.object({
      links: z.array(z.object({ documentId: z.string(), name: z.string(), url: z.string() })),
    }),
  },
  example: { body: { documentIds: [EXAMPLE_ID] } },
};

export const shareAttach = {
  operationId: "shareOfficeAttachment",
  summary: "A document's file, to attach it to a message; at most 25 MB",
  tags,
  body: z.object({ documentId: z.guid() }),
  response: {
    200: z.object({
      fileName: z.string(),
      contentType: z.string(),
      size: z.int(),
      contentBase64: z.string(),
    }),
  },
  example: { body: { documentId: EXAMPLE_ID } },
};
