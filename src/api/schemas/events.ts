import * as z from "zod";
import { EVENTS_PAGE_MAX } from "../../mailbox/events/event-table.ts";
import { flag, maybeTime, moment, text, time } from "./common.ts";

const EventType = z.enum([
  "arrived",
  "deleted",
  "moved",
  "read",
  "unread",
  "flagged",
  "categorized",
  "restored",
  "re-keyed",
  "sent",
]);
const SeenBy = z.enum(["push", "delta", "poll", "audit"]);

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
    sender: z.object({
      name: z.string().optional(),
      email: z.string().optional(),
      domain: z.string().optional(),
    }),
    receivedAt: maybeTime,
    folderId: z.string(),
    folderName: text,
    fromFolder: text,
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
  type: z.string().optional(),
  senderDomain: z.string().optional(),
  seenBy: SeenBy.optional(),
  folder: z.string().optional().describe("an id or a name"),
  messageId: z.string().optional(),
  text: z.string().max(200).optional().describe("part of the subject"),
  since: moment.optional(),
  until: moment.optional(),
  unread: flag.optional(),
  limit: z.coerce.number().int().min(1).max(EVENTS_PAGE_MAX).optional(),
};
const EventQuery = z.object({
  ...conditions,
  after: z.coerce.number().int().nonnegative().optional().describe("the `seq` to continue after"),
  order: z.enum(["newest", "oldest"]).optional(),
});

export type EventQuery = z.output<typeof EventQuery>;

const tags = ["events"];

export const listEvents = {
  operationId: "listEvents",
  summary: "What happened to messages, newest first",
  tags,
  querystring: EventQuery,
  response: { 200: z.object({ events: z.array(Event), next: z.int().nullable() }) },
  example: { query: { type: "arrived", since: "2026-11-01", limit: 10 } },
};

export const listEventSenders = {
  operationId: "listEventSenders",
  summary: "Senders by number of messages",
  tags,
  querystring: EventQuery,
  response: {
    200: z.array(z.object({ domain: z.string(), email: z.string(), count: z.int(), newest: time })),
  },
  example: { query: { since: "2026-11-01" } },
};

export const listEventDays = {
  operationId: "listEventDays",
  summary: "Number of events by day and type",
  tags,
  querystring: EventQuery,
  response: {
    200: z.array(z.object({ day: z.string(), eventType: z.string(), count: z.int() })),
  },
  example: { query: { since: "2026-11-01" } },
};

export const tailEvents = {
  operationId: "tailEvents",
  summary: "New events as they are written; `Last-Event-ID` continues where a connection ended",
  tags,
  querystring: EventQuery,
  response: {
    200: {
      description: "Server-sent events named `event`; the data is an Event, the id its `seq`",
      content: { "text/event-stream": { schema: z.string() } },
    },
  },
  example: { query: { type: "arrived" } },
};
