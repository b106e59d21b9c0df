/** Ingestion, uploads of contract notes, evidence, and the health of the installation. */
import * as z from "zod";
import { cursorOf, next } from "../http/paging.ts";
import { byId, dryRun, JobReference, limit, maybeTime, record, text, time } from "./common.ts";
import { Note } from "./reviews.ts";

const GuardState = z.enum(["installed", "absent", "disabled", "foreign"]);

const Mail = z
  .object({
    id: z.int().describe("of the row in the shared table"),
    messageId: z.string(),
    mailbox: z.string(),
    sender: text,
    receivedAt: maybeTime,
    subject: text,
    status: z.string(),
    error: text,
    attachments: z.int(),
    trades: z.int(),
    archivePaths: z.array(z.string()).readonly().nullable(),
    worker: text,
    updatedAt: time,
  })
  .meta({ id: "IngestedMail" });

const tags = ["ingestion"];

export const viewIngestion = {
  operationId: "viewIngestion",
  summary: "The state of ingestion",
  tags,
  response: {
    200: z.object({
      schema: z.string(),
      appName: z.string(),
      guard: GuardState,
      messages: z.record(z.string(), z.int()).readonly().describe("number of messages by status"),
      liveClaims: z.int(),
      conflicts: z.int(),
      foreignLeases: z
        .array(z.object({ workerPrefix: z.string(), leaseSeconds: z.number() }))
        .readonly(),
    }),
  },
  example: {},
};

export const listMails = {
  operationId: "listMails",
  summary: "Ingested messages, newest first",
  tags,
  querystring: z.object({
    status: z.enum(["processing", "success", "failed", "skipped"]).optional(),
    cursor: cursorOf("mails", z.int()),
    limit: limit(1_000, 100),
  }),
  response: { 200: z.object({ mails: z.array(Mail), next }) },
  example: { query: { status: "success" } },
};

export const getMail = {
  operationId: "getMail",
  summary: "One ingested message with the stages that it passed and its documents",
  tags,
  params: byId("a message"),
  response: {
    200: z.object({
      mail: Mail.nullable(),
      steps: z.array(
        z.object({
          step: z.string(),
          name: z.string(),
          worker: z.string(),
          detail: record,
          at: time,
        }),
      ),
      documents: z.array(Note),
    }),
  },
  example: { params: { id: "AAMkAGI2" } },
};

export const ingestAgain = {
  operationId: "ingestAgain",
  summary: "Ingest a message again",
  tags,
  body: z.object({
    mailbox: z.string().min(3).max(320),
    messageId: z.string().min(1).max(500),
  }),
  response: { 202: JobReference },
  example: { body: { mailbox: "nina.berg@ashdown.example", messageId: "AAMkAGI2" } },
};

export const setGuard = {
  operationId: "setGuard",
  summary: "Install or remove the guard of the shared table",
  tags,
  body: z.object({ action: z.enum(["install", "remove"]), dryRun }),
  response: {
    200: z.object({
      guard: GuardState,
      dryRun: z.literal(true).optional(),
      action: z.enum(["install", "remove"]).optional(),
    }),
  },
  example: { body: { action: "install", dryRun: true } },
};

const ForeignLease = z.object({
  workerPrefix: z.string().max(200),
  seconds: z
    .number()
    .positive()
    .max(7 * 86_400),
});

export const setForeignLease = {
  operationId: "setForeignLease",
  summary: "Set how long another program's claims stay valid",
  tags,
  body: ForeignLease,
  response: { 200: ForeignLease },
  example: { body: { workerPrefix: "legacy-", seconds: 900 } },
};

export const uploadNotes = {
  operationId: "uploadNotes",
  summary: "Upload contract notes as PDF files; each becomes a job",
  tags,
  sends: "multipart/form-data",
  response: {
    202: z.object({
      accepted: z.array(JobReference.extend({ filename: z.string(), sha256: z.string() })),
    }),
  },
  example: {},
} as const;

const Rows = z.array(record).readonly();

export const getEvidence = {
  operationId: "getEvidence",
  summary: "Everything that shows how a message became trades, or where a trade came from",
  tags: ["evidence"],
  querystring: z.object({
    kind: z.enum(["message", "trade"]),
    id: z.string().min(1).max(500),
  }),
  response: {
    200: z.object({
      subject: z.object({ kind: z.enum(["message", "trade"]), id: z.string() }),
      messages: z.array(
        z.object({ messageId: z.string(), mailbox: text, eml: text.describe("in base64") }),
      ),
      documents: z.array(
        z.object({
          documentId: z.string(),
          filename: z.string(),
          archivePath: text,
          bytes: text.describe("in base64"),
          extraction: z.unknown(),
        }),
      ),
      decisions: Rows,
      trades: Rows,
      notifications: Rows,
      events: Rows,
      missing: z.array(z.object({ what: z.string(), why: z.string() })).readonly(),
    }),
  },
  example: { query: { kind: "trade", id: "nberg-20261102-AAPL-BUY-100" } },
};

export const diagnose = {
  operationId: "diagnose",
  summary: "Permissions, reachability, clocks and secrets, each with what to do",
  tags: ["health"],
  querystring: z.object({
    outside: z.string().max(320).optional().describe("a mailbox that must stay out of reach"),
  }),
  response: {
    200: z.array(
      z.object({
        name: z.string(),
        status: z.enum(["ok", "warning", "failed"]),
        detail: z.string(),
        fix: z.string().optional().describe("what to type or click"),
      }),
    ),
  },
  example: { query: {} },
};
