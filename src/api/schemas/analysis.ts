import * as z from "zod";
import { EXAMPLE_ID, JobReference } from "./common.ts";

const ids = z.array(z.string().max(100)).max(50).optional();

/** Strict: an id in an unknown field would not be checked. */
const ExecuteBody = z.strictObject({
  documentIds: z.array(z.guid()).max(20).optional(),
  playbookId: z.string().max(100).nullish(),
  actionId: z.string().max(100).nullish(),
  skillIds: ids,
  knowledgeIds: ids,
  toolIds: ids,
  outputType: z.enum(["Document", "Email", "Teams", "Notification", "Workflow"]).optional(),
});

const Event = z
  .object({
    type: z.enum(["metadata", "chunk", "done", "error"]),
    content: z.string().nullable(),
    done: z.boolean(),
    analysisId: z.string().optional(),
    documentName: z.string().optional(),
    tokenUsage: z.object({ input: z.int(), output: z.int() }).optional(),
    error: z.string().optional(),
    partialStorage: z.boolean().optional(),
    storageMessage: z.string().optional(),
  })
  .describe("one `data:` line of the stream");
const Stream = {
  description: "Server-sent events, until the analysis has ended",
  content: { "text/event-stream": { schema: Event } },
};

export const executeAnalysis = {
  operationId: "executeAnalysis",
  summary: "Runs a playbook over documents and streams the result as server-sent events",
  tags: ["analysis"],
  body: ExecuteBody,
  response: { 200: Stream },
  example: { body: { documentIds: [EXAMPLE_ID], playbookId: "contract-key-terms" } },
};

export const continueAnalysis = {
  operationId: "continueAnalysis",
  summary: "Asks about an analysis and streams the answer",
  tags: ["analysis"],
  params: z.object({ id: z.guid() }),
  body: z.strictObject({ message: z.string().trim().min(1).max(4_000) }),
  response: { 200: Stream },
  example: { params: { id: EXAMPLE_ID }, body: { message: "Which date comes first?" } },
};

export const resumeAnalysis = {
  operationId: "resumeAnalysis",
  summary: "Streams a completed analysis again, or writes one again that did not complete",
  tags: ["analysis"],
  params: z.object({ id: z.guid() }),
  response: { 200: Stream },
  example: { params: { id: EXAMPLE_ID } },
};

export const getAnalysis = {
  operationId: "getAnalysis",
  summary: "One of the caller's analyses",
  tags: ["analysis"],
  params: z.object({ id: z.guid() }),
  response: {
    200: z.object({
      analysisId: z.string(),
      documentId: z.string(),
      documentName: z.string(),
      playbookId: z.string(),
      state: z.enum(["running", "completed", "degraded", "failed", "cancelled"]),
      author: z.string().nullable().describe("the model, or `extractive`"),
      content: z.string(),
      turns: z.array(z.object({ question: z.string(), answer: z.string() })),
      error: z.string().nullable(),
      savedAs: z.string().nullable().describe("the document that it was saved as"),
      createdAt: z.date(),
    }),
  },
  example: { params: { id: EXAMPLE_ID } },
};

const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const format = z.enum(["md", "docx"]).default("md");

export const exportAnalysis = {
  operationId: "exportAnalysis",
  summary: "One of the caller's analyses as a Markdown or Word file",
  tags: ["analysis"],
  params: z.object({ id: z.guid() }),
  body: z.strictObject({ format }),
  response: {
    200: {
      description: "The file",
      content: { "text/markdown": { schema: z.string() }, [WORD]: { schema: z.string() } },
    },
  },
  example: { params: { id: EXAMPLE_ID }, body: { format: "md" } },
};

export const saveAnalysis = {
  operationId: "saveAnalysis",
  summary: "Files one of the caller's analyses as a document",
  tags: ["analysis"],
  params: z.object({ id: z.guid() }),
  body: z.strictObject({
    format: z.enum(["md", "docx"]).default("docx"),
    fileName: z.string().trim().min(1).max(200).optional(),
    containerId: z.string().max(300).optional(),
    parent: z.string().max(200).optional().describe("such as `sprk_matter:GUID`"),
  }),
  response: {
    200: z.object({
      documentId: z.string(),
      driveId: z.string(),
      itemId: z.string().nullable(),
      webUrl: z.string().nullable(),
      fileName: z.string(),
    }),
  },
  example: { params: { id: EXAMPLE_ID }, body: { format: "docx" } },
};

export const listPlaybooks = {
  operationId: "listPlaybooks",
  summary: "What an analysis can do",
  tags: ["analysis"],
  response: {
    200: z.object({
      playbooks: z.array(z.object({ id: z.string(), name: z.string(), version: z.int() })),
    }),
  },
};

export const enqueueAnalysis = {
  operationId: "enqueueAnalysis",
  summary: "Analyses a document in the background",
  tags: ["analysis"],
  body: z.strictObject({
    documentId: z.guid().optional(),
    analysisType: z.string().max(100).optional(),
    playbookId: z.string().max(100).optional(),
  }),
  response: { 202: JobReference },
  example: { body: { documentId: EXAMPLE_ID, playbookId: "document-profile" } },
};
