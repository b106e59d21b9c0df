import * as z from "zod";
import { TEXT_KINDS } from "../../reading/text/document-text.ts";
import { moment } from "./common.ts";

const QUERY_LENGTH_MAX = 1_000;

const kinds = z
  .string()
  .max(100)
  .transform((text) => text.split(",").filter((kind) => kind !== ""))
  .pipe(z.array(z.enum(TEXT_KINDS)));

const Filters = {
  kind: kinds.optional().describe("kinds of files, separated by commas"),
  parent: z
    .string()
    .max(100)
    .optional()
    .describe("the row that they belong to: `sprk_matter:GUID`"),
  sender: z.string().min(1).max(200).optional().describe("a part of the sender's address or name"),
  mailbox: z.string().min(1).max(320).optional(),
  from: moment.optional(),
  to: moment.optional(),
};

const SearchQuery = z.object({
  q: z.string().trim().min(1).max(QUERY_LENGTH_MAX),
  ...Filters,
  mode: z.enum(["hybrid", "text", "vector"]).default("hybrid"),
  limit: z.coerce.number().int().min(1).max(50).default(10),
  cursor: z.coerce.number().int().min(0).max(200).default(0),
});

const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

const FoundPassage = z
  .object({
    chunkId: z.string(),
    text: z.string(),
    highlights: z
      .array(z.tuple([z.int(), z.int()]))
      .describe("start and end of matching words in the text"),
    page: z.int().nullable(),
    label: z
      .string()
      .nullable()
      .describe("the name of a sheet, or the subject of a message inside"),
    box: Box.nullable(),
    link: z.string().nullable(),
    score: z.number(),
  })
  .meta({ id: "FoundPassage" });

const FoundDocument = z
  .object({
    documentId: z.string(),
    name: z.string(),
    kind: z.string().nullable(),
    parent: z.object({ type: z.string(), id: z.string(), name: z.string().nullable() }).nullable(),
    sender: z.string().nullable(),
    date: z.string().nullable(),
    language: z.string(),
    link: z.string().nullable(),
    score: z.number(),
    passages: z.array(FoundPassage),
  })
  .meta({ id: "FoundDocument" });

const Missing = z
  .array(z.string())
  .readonly()
  .describe("words of five letters and more that none of these documents contains as typed");

const Found = z
  .object({
    query: z.string(),
    results: z.array(FoundDocument),
    count: z.object({
      documents: z.int(),
      isMore: z.boolean().describe("show the count as `more than`"),
    }),
    facets: z.object({
      kind: z.record(z.string(), z.int()),
      parent: z.array(
        z.object({
          type: z.string().nullable(),
          id: z.string(),
          name: z.string().nullable(),
          documents: z.int(),
        }),
      ),
    }),
    next: z.int().nullable().describe("the cursor of the next page"),
    missing: Missing,
    degraded: z.string().nullable().describe("what did not work, in words"),
  })
  .meta({ id: "SearchResults" });

const AskBody = z.object({
  question: z.string().trim().min(3).max(QUERY_LENGTH_MAX),
  ...Filters,
  documentIds: z.array(z.guid()).min(1).max(200).optional(),
});

const Answer = z
  .object({
    question: z.string(),
    answer: z.string().describe("plain text"),
    kind: z.enum(["model", "quotes", "none"]),
    citations: z.array(
      z.object({
        documentId: z.string(),
        name: z.string(),
        chunkId: z.string(),
        page: z.int().nullable(),
        label: z.string().nullable(),
        words: z.string().describe("they occur in the document exactly like this"),
        link: z.string().nullable(),
      }),
    ),
    missing: Missing,
    degraded: z.string().nullable(),
  })
  .meta({ id: "AskAnswer" });

const SuggestQuery = z.object({
  q: z.string().trim().min(2).max(200),
  limit: z.coerce.number().int().min(1).max(20).default(8),
});

const Suggestions = z.object({
  suggestions: z.array(
    z.object({ type: z.enum(["document", "parent"]), id: z.string(), text: z.string() }),
  ),
});

const RecordsQuery = z.object({
  q: z.string().trim().min(1).max(QUERY_LENGTH_MAX),
  limit: z.coerce.number().int().min(1).max(50).default(10),
});

const Records = z.object({
  records: z.array(
    z.object({
      type: z.enum(["mail", "note", "trade", "review"]),
      id: z.string(),
      title: z.string(),
      detail: z.string().nullable(),
      date: z.string().nullable(),
    }),
  ),
});

const UsageQuery = z.object({ days: z.coerce.number().int().min(1).max(90).default(7) });

const Usage = z.object({
  personId: z.string(),
  day: z.string(),
  model: z.string(),
  calls: z.int(),
  failedCalls: z.int(),
  promptTokens: z.int(),
  completionTokens: z.int(),
});

export const search = {
  operationId: "search",
  summary: "Documents that the caller may read, best first, with passages",
  tags: ["search"],
  querystring: SearchQuery,
  response: { 200: Found },
  example: { query: { q: "notice period", kind: "pdf,docx" } },
};

export const suggest = {
  operationId: "suggest",
  summary:
    "Names of documents and their parents that the caller may read and that contain the given text",
  tags: ["search"],
  querystring: SuggestQuery,
  response: { 200: Suggestions },
  example: { query: { q: "lea" } },
};

export const searchRecords = {
  operationId: "searchRecords",
  summary:
    "Mail, notes, trades and reviews that contain all words, of each kind those that the caller may see",
  tags: ["search"],
  querystring: RecordsQuery,
  response: { 200: Records },
  example: { query: { q: "settlement friday" } },
};

export const ask = {
  operationId: "ask",
  summary: "An answer from the documents that the caller may read, with citations",
  tags: ["search"],
  body: AskBody,
  response: { 200: Answer },
  example: { body: { question: "When can the lease be terminated?" } },
};

export const listModelUsage = {
  operationId: "listModelUsage",
  summary: "Calls and tokens of models by day: the caller's own, everybody's for operators",
  tags: ["search"],
  querystring: UsageQuery,
  response: { 200: z.object({ usage: z.array(Usage) }) },
};
