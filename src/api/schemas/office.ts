/** The add-in's requests. What has a code of its own is checked by the route, not by the schema. */
import * as z from "zod";
import { EXAMPLE_ID, text } from "./common.ts";

const tags = ["office"];

const contentBase64 = z.string().describe("the bytes in Base64; at most 25 MB");
const fileName = z.string().min(1).max(400);
const address = z.string().max(1_000);
const moment = z.iso.datetime({ offset: true }).nullish();

const MailFacts = {
  subject: z.string().max(1_000).nullish(),
  senderEmail: address.nullish(),
  senderName: address.nullish(),
  recipients: z
    .array(
      z.object({
        type: z.enum(["To", "Cc", "Bcc"]).default("To"),
        email: address,
        name: address.nullish(),
      }),
    )
    .max(500)
    .default([]),
  sentDate: moment,
  receivedDate: moment,
  internetMessageId: z.string().max(1_000).nullish(),
  conversationId: z.string().max(1_000).nullish(),
};

const Attachment = z.object({
  attachmentId: z.string().max(1_000).nullish(),
  fileName,
  contentType: z.string().max(255).nullish(),
  contentId: z.string().max(1_000).nullish(),
  isInline: z.boolean().default(false),
  contentBase64,
});

export const SaveRequest = z
  .object({
    contentType: z.string().max(100).describe("Email, Attachment or Document"),
    targetEntity: z
      .object({
        entityType: z.string().max(100).optional(),
        entityId: z.string().max(100).optional(),
      })
      .optional(),
    containerId: z.string().max(300).optional(),
    folderPath: z.string().max(400).optional(),
    email: z
      .object({
        ...MailFacts,
        body: z.string().nullish(),
        isBodyHtml: z.boolean().default(true),
        contentBase64: contentBase64.optional().describe("the whole message, if Outlook offers it"),
        attachments: z.array(Attachment).max(99).default([]),
      })
      .optional(),
    attachment: z.object({ ...Attachment.shape, email: z.object(MailFacts).optional() }).optional(),
    document: z
      .object({ fileName, contentType: z.string().max(255).nullish(), contentBase64 })
      .optional(),
    triggerAiProcessing: z.boolean().default(true),
    aiOptions: z
      .object({
        profileSummary: z.boolean().default(true),
        ragIndex: z.boolean().default(true),
        deepAnalysis: z.boolean().default(false),
      })
      .prefault({}),
  })
  .meta({ id: "OfficeSaveRequest" });

const SaveAnswer = z
  .object({
    success: z.boolean(),
    duplicate: z.boolean(),
    jobId: z.string(),
    statusUrl: z.string(),
    streamUrl: z.string(),
  })
  .meta({ id: "OfficeSaveAnswer" });

export const save = {
  operationId: "saveFromOffice",
  summary: "Saves a message, an attachment or a document to a matter, a project or another row",
  description:
    "`X-Idempotency-Key` names the save for a day; without it the content does. 409 `OFFICE_011` if it is already saved there.",
  tags,
  body: SaveRequest,
  response: { 200: SaveAnswer, 202: SaveAnswer },
  example: {
    body: {
      contentType: "Document",
      targetEntity: { entityType: "sprk_matter", entityId: EXAMPLE_ID },
      document: { fileName: "Draft.docx", contentBase64: "UEsDBA==" },
    },
  },
};

const JobStatus = z
  .object({
    jobId: z.string(),
    status: z.enum(["Queued", "Running", "Completed", "Failed", "Cancelled"]),
    jobType: z.enum(["EmailSave", "AttachmentSave", "DocumentSave"]),
    progress: z.int(),
    currentPhase: text,
    completedPhases: z.array(
      z.object({ name: z.string(), completedAt: z.string(), durationMs: z.int() }),
    ),
    createdAt: z.string(),
    startedAt: text,
    completedAt: text,
    result: z
      .object({
        artifact: z.object({
          type: z.string(),
          id: z.string().describe("of the document"),
          name: z.string(),
          webUrl: text,
          attachments: z.array(z.string()).describe("documents of the attachments"),
        }),
        extractedMetadata: z.object({ subject: text, sender: text, date: text }).nullable(),
      })
      .nullable(),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        retryable: z.boolean(),
        retryCount: z.int(),
      })
      .nullable(),
  })
  .meta({ id: "OfficeJob" });

const params = z.object({ id: z.string().max(100).describe("the jobId of a save") });
const example = { params: { id: EXAMPLE_ID } };

export const getJob = {
  operationId: "getOfficeJob",
  summary: "The progress of one of your saves",
  tags,
  params,
  response: { 200: JobStatus },
  example,
};

export const findAnalyses = {
  operationId: "findOfficeAnalyses",
  summary: "The deep analyses that a save of yours asked for",
  tags,
  params,
  response: {
    200: z.object({
      analyses: z.array(
        z.object({
          documentId: z.string(),
          name: z.string(),
          state: z.enum(["waiting", "running", "completed", "failed"]),
          author: text.describe("the model, or `extractive`"),
          content: z.string().describe("plain text; while it is being written, its beginning"),
          error: text.describe("the code of the failure"),
        }),
      ),
    }),
  },
  example,
};

export const streamJob = {
  operationId: "streamOfficeJob",
  summary: "The same as server-sent events, until the save has ended",
  tags,
  params,
  response: {
    200: {
      description: "Server-sent events; `Last-Event-ID` continues after what was seen",
      content: { "text/event-stream": { schema: z.string() } },
    },
  },
  example,
};

export const health = {
  operationId: "getOfficeHealth",
  summary: "Whether saves are accepted and processed",
  tags,
  response: {
    200: z.object({ status: z.enum(["healthy", "degraded"]), workers: z.boolean() }),
  },
};
