import * as z from "zod";
import { FactsInput } from "../../trades/facts-input.ts";
import { cursorOf, next } from "../http/paging.ts";
import {
  byId,
  dryRun,
  JobReference,
  limit,
  maybeTime,
  reason,
  record,
  text,
  time,
} from "./common.ts";
import { Trade, TradeFacts, TradeRow } from "./trades.ts";

const Decision = z
  .discriminatedUnion("action", [
    z.object({ action: z.literal("accept") }),
    z.object({ action: z.literal("correct"), facts: FactsInput }),
    z.object({ action: z.literal("reject"), reason }),
    z.object({ action: z.literal("split"), lines: z.array(FactsInput).min(2).max(100) }),
    z.object({
      action: z.literal("link"),
      tradeId: z.string().max(300).optional(),
      orderId: z.int().optional(),
    }),
    z.object({ action: z.literal("approve-sender"), until: z.iso.date().optional() }),
    z.object({ action: z.literal("not-a-note"), reason }),
  ])
  .meta({ id: "ReviewDecision" });

/** As it was stored. */
const Decided = z
  .object({
    action: z.enum([
      "accept",
      "correct",
      "reject",
      "split",
      "link",
      "approve-sender",
      "not-a-note",
      "unlock",
      "replace",
    ]),
    facts: record.optional(),
    reason: z.string().optional(),
    lines: z.array(record).readonly().optional(),
    tradeId: z.string().optional(),
    orderId: z.int().optional(),
    until: z.string().optional(),
    filename: z.string().optional(),
    sha256: z.string().optional(),
    archivePath: z.string().optional(),
  })
  .meta({ id: "StoredDecision" });

const Review = z
  .object({
    id: z.int(),
    subject: z.enum(["line", "document", "order"]),
    lineId: text,
    documentId: text,
    tradeId: text,
    reason: z.string().describe("the first of `reasons`"),
    reasons: z.array(z.string()).readonly(),
    status: z.enum(["open", "decided", "applied"]),
    assignee: text,
    openedAt: time,
    decidedAt: maybeTime,
    decidedBy: text,
    decision: Decided.nullable(),
    refusal: text.describe("why the last decision could not be carried out"),
  })
  .meta({ id: "Review" });

const About = z
  .object({
    file: text,
    sender: text,
    messageId: text,
    archivePath: text,
    trade: text.describe("the trade as it was read, in a few words"),
  })
  .describe("what a reviewer needs to tell one question from another");

const DescribedReview = Review.extend({ about: About }).meta({ id: "DescribedReview" });

const TradeLine = z
  .object({
    id: z.string(),
    documentId: z.string(),
    position: z.int(),
    facts: TradeFacts,
    confidence: z.number(),
    outcome: z.enum(["confirmed", "same", "cancels", "amends", "review", "rejected"]),
    tradeId: text,
    explanation: z.array(z.string()).readonly(),
    evidence: z.unknown().describe("where each fact is printed in the document"),
  })
  .meta({ id: "TradeLine" });

const SenderEvidence = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("mail"),
    authenticationResults: text,
    authAs: z.array(z.string()).readonly(),
    sender: text,
    isAutomatic: z
      .boolean()
      .optional()
      .describe("whether a rule or a program sent it in the sender's name; absent in older notes"),
  }),
  z.object({ kind: z.literal("upload"), isOwn: z.boolean() }),
  z.object({ kind: z.literal("folder") }),
]);

/** A file that may contain trades. */
export const Note = z
  .object({
    id: z.string(),
    emailKey: z.string(),
    sha256: z.string(),
    source: z.enum(["graph_webhook", "manual_upload", "poller"]),
    mailbox: text,
    messageId: text,
    senderEmail: z.string(),
    senderEvidence: SenderEvidence.nullable(),
    receivedAt: time,
    filename: z.string(),
    sizeBytes: z.int(),
    foundIn: z.string(),
    status: z.enum(["received", "parsed", "unreadable", "rejected", "elsewhere"]),
    documentType: text,
    reason: text,
    reads: z.int(),
    textSha256: text,
    archivePath: text,
    createdAt: time,
    processedAt: maybeTime,
  })
  .meta({ id: "Note" });

const ReviewDetails = DescribedReview.extend({
  decidedByName: text,
  line: TradeLine.nullable(),
  document: Note.nullable(),
  lines: z.array(TradeLine).describe("every trade that the document reports"),
  trade: TradeRow.nullable(),
  candidates: z
    .array(Trade)
    .describe("booked trades that the line may report once more, change or cancel"),
}).meta({ id: "ReviewDetails" });

const tags = ["reviews"];
const params = byId("a question");

export const listReviews = {
  operationId: "listReviews",
  summary: "Questions that wait for a person, oldest first",
  tags,
  querystring: z.object({
    status: z.enum(["open", "decided", "applied"]).default("open"),
    subject: z.enum(["line", "document", "order"]).optional(),
    assignee: z.string().max(200).optional(),
    cursor: cursorOf("reviews", z.int()),
    limit: limit(1_000, 200),
  }),
  response: {
    200: z.object({
      reviews: z.array(DescribedReview),
      next,
      open: z.int(),
      decided: z.int(),
      oldestAt: maybeTime,
    }),
  },
  example: { query: { status: "open", subject: "line" } },
};

export const nextReview = {
  operationId: "nextReview",
  summary: "The oldest open question that is not assigned to somebody else",
  tags,
  response: { 200: ReviewDetails },
  example: {},
};

export const getReview = {
  operationId: "getReview",
  summary: "One question, with what was read, where it came from and what it may belong to",
  tags,
  params,
  response: { 200: ReviewDetails },
  example: { params: { id: "7" } },
};

export const assignReview = {
  operationId: "assignReview",
  summary: "Assign a question to a person, or unassign it",
  tags,
  params,
  body: z.object({ assignee: z.string().trim().min(1).max(200).nullable() }),
  response: { 200: z.object({ id: z.int(), assignee: text }) },
  example: { params: { id: "7" }, body: { assignee: "nina.berg@ashdown.example" } },
};

export const decideReview = {
  operationId: "decideReview",
  summary: "Answer a question; a job carries the decision out",
  tags,
  params,
  body: z.object({ decision: Decision, dryRun }),
  response: {
    200: z.object({ dryRun: z.literal(true), id: z.int(), decision: Decided }),
    202: JobReference.extend({ id: z.int(), decision: Decided }),
  },
  example: { params: { id: "7" }, body: { decision: { action: "accept" }, dryRun: true } },
};

export const undoAnswer = {
  operationId: "undoAnswer",
  summary: "Take an answer back: what it created is withdrawn, and the question is asked again",
  tags,
  params,
  body: z.object({ reason }),
  response: {
    200: z.object({
      id: z.int(),
      decisionId: z.int().describe("the decision that undid the answer"),
      asked: z.int().describe("how many questions this opened"),
      questions: z.array(z.int()).describe("the ids of these questions"),
    }),
  },
  example: { params: { id: "7" }, body: { reason: "the wrong key" } },
};

const ReadAgain = JobReference.extend({ id: z.int(), decision: Decided });

export const givePassword = {
  operationId: "givePassword",
  summary: "Give the password of a document; it is read at once, and the password is not kept",
  tags,
  params,
  body: z.object({ password: z.string().min(1).max(200) }),
  hasSecret: true,
  response: { 202: ReadAgain },
  example: { params: { id: "7" }, body: { password: "the password of the file" } },
};

export const giveFile = {
  operationId: "giveFile",
  summary: "Send a PDF in place of a document that could not be read",
  tags,
  sends: "application/octet-stream",
  params,
  querystring: z.object({ filename: z.string().min(1).max(255) }),
  response: { 202: ReadAgain },
  example: { params: { id: "7" }, query: { filename: "note.pdf" } },
} as const;
