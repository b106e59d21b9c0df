import * as z from "zod";
import { EVENTS_PAGE_MAX } from "../../mailbox/events/event-table.ts";
import { cursorOf, next } from "../http/paging.ts";
import { flag, limit, maybeTime, moment, text, time } from "./common.ts";

const EventType = z.enum([
  "arrived",
  "deleted",
  "moved",
  "read",
  "unread",
  "flagged",
  "unflagged",
  "categorized",
  "restored",
  "re-keyed",
  "sent",
]);
const SeenBy = z.enum(["push", "delta", "poll", "audit", "import"]);

const Sender = z.object({
  name: z.string().optional(),
  email: z.string().optional(),
  domain: z.string().optional(),
});

const Event = z
  .object({
    seq: z.int().describe("its position in the feed"),
    userId: z.string(),
    mailboxId: z.int(),
    mailbox: z.string(),
    messageId: z.string(),
    internetMessageId: text,
    eventType: EventType,
    timestamp: time.describe("when it happened, if Graph says so"),
    seenBy: SeenBy.describe("which path saw it first"),
    seenAt: time,
    subject: text,
    sender: Sender,
    isMasked: z
      .boolean()
      .describe("subject, sender and internetMessageId are hidden; revealEvent shows them"),
    receivedAt: maybeTime,
    folderId: z.string(),
    folderName: text,
    fromFolder: text,
    fromFolderName: text.describe("the name that the folder had then"),
    toFolder: text,
    importance: z.string(),
    hasAttachments: z.boolean(),
    conversationId: text,
    categories: z.array(z.string()).readonly(),
    isRead: z.boolean(),
    flag: z.string(),
    relatedMessageId: text,
    metadata: z.object({
      hasListUnsubscribe: z.boolean(),
      isNewsletter: z.boolean(),
      isAutomated: z.boolean(),
    }),
  })
  .meta({ id: "Event" });

const conditions = {
  mailbox: z.string().optional().describe("an address"),
  type: EventType.optional(),
  senderDomain: z.string().optional(),
  seenBy: SeenBy.optional(),
  folder: z.string().optional().describe("an id or a name"),
  messageId: z.string().optional(),
  text: z.string().max(200).optional().describe("part of the subject"),
  since: moment.optional(),
  until: moment.optional(),
  unread: flag.optional(),
};
const perPage = limit(EVENTS_PAGE_MAX, 50);
const SenderQuery = z.object({ ...conditions, limit: perPage });
const after = z.coerce
  .number()
  .int()
  .nonnegative()
  .optional()
  .describe("continue after the event of this `seq`");
const TailQuery = z.object({ ...conditions, after });

/** What the queries of all operations here have in common. */
export type EventConditionsQuery = Omit<z.output<typeof TailQuery>, "after">;

const tags = ["events"];

export const listEvents = {
  operationId: "listEvents",
  summary: "What happened to messages, newest first",
  tags,
  querystring: z.object({
    ...conditions,
    order: z.enum(["newest", "oldest"]).default("newest"),
    after,
    cursor: cursorOf("events", z.int()),
    limit: perPage,
  }),
  response: { 200: z.object({ events: z.array(Event), next }) },
  example: { query: { type: "arrived", since: "2026-11-01", limit: 10 } },
};

export const listEventSenders = {
  operationId: "listEventSenders",
  summary: "The senders of most messages",
  tags,
  querystring: SenderQuery,
  response: {
    200: z.array(z.object({ domain: z.string(), email: z.string(), count: z.int(), newest: time })),
  },
  example: { query: { since: "2026-11-01" } },
};

export const listEventDays = {
  operationId: "listEventDays",
  summary: "Number of events by day and type, newest day first",
  tags,
  querystring: z.object({
    ...conditions,
    cursor: cursorOf("days", z.object({ day: z.iso.date(), eventType: z.string() })),
    limit: limit(1_000, 1_000),
  }),
  response: {
    200: z.object({
      days: z.array(z.object({ day: z.string(), eventType: z.string(), count: z.int() })),
      next,
    }),
  },
  example: { query: { since: "2026-11-01" } },
};

export const revealEvent = {
  operationId: "revealEvent",
  summary:
    "The subject and sender of one event that are masked; the log of actions keeps who asked",
  tags,
  params: z.object({
    seq: z.coerce
      .number()
      .int()
      .nonnegative()
      .max(Number.MAX_SAFE_INTEGER - 1),
  }),
  response: { 200: z.object({ subject: text, sender: Sender, internetMessageId: text }) },
  example: { params: { seq: "1" } },
};

export const tailEvents = {
  operationId: "tailEvents",
  summary: "New events as they are written; `Last-Event-ID` continues where a connection ended",
  tags,
  querystring: TailQuery,
  response: {
    200: {
      description: "Server-sent events named `event`; the data is an Event, the id its `seq`",
      content: { "text/event-stream": { schema: z.string() } },
    },
  },
  example: { query: { type: "arrived" } },
};
