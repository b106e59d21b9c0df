import * as z from "zod";
import { cursorOf, next } from "../http/paging.ts";
import { dryRun, limit, maybeTime, text, time } from "./common.ts";

const kind = z.enum(["webhook", "event-hubs", "outbox"]);

const Sink = z
  .object({
    name: z.string(),
    kind,
    address: text.describe("where it sends to; null for the outbox"),
    sendsEvents: z.boolean(),
    sendsTrades: z.boolean(),
    eventPosition: z.int().describe("the last event that was accepted, by its number in the feed"),
    tradePosition: z.int(),
    sent: z.int().describe("messages accepted since the sink was added"),
    waiting: z.int().describe("messages not accepted yet"),
    lastSentAt: maybeTime,
    failures: z.int().describe("failures since a message was last accepted"),
    lastError: text,
    nextAt: maybeTime.describe("when it is tried again"),
    addedBy: z.string(),
    addedAt: time,
  })
  .meta({ id: "Sink" });

const tags = ["sinks"];
const byName = z.object({ name: z.string().max(100).describe("the name of a sink") });

export const listSinks = {
  operationId: "listSinks",
  summary: "Programs that get events and trades as they happen, and their positions",
  tags,
  querystring: z.object({ cursor: cursorOf("sinks", z.string()), limit: limit(200, 50) }),
  response: { 200: z.object({ sinks: z.array(Sink), next }) },
  example: { query: { limit: 50 } },
};

export const addSink = {
  operationId: "addSink",
  summary: "Send events and trades to another program",
  tags,
  body: z.object({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,49}$/, "must consist of lower-case letters, digits and hyphens"),
    kind,
    url: z.string().max(2_000).optional().describe("of a webhook; https, or http on this machine"),
    connectionString: z.string().max(2_000).optional().describe("of an event hub"),
    sendsEvents: z.boolean().default(true),
    sendsTrades: z.boolean().default(true),
    fromStart: z
      .boolean()
      .default(false)
      .describe("also send what happened before; otherwise only what happens from now on"),
    dryRun,
  }),
  response: {
    200: z.object({ dryRun: z.literal(true), name: z.string() }),
    201: z.object({
      sink: Sink,
      secret: text.describe("verifies the signatures of a webhook; it is never shown again"),
    }),
  },
  example: { body: { name: "warehouse", kind: "outbox" as const } },
};

export const removeSink = {
  operationId: "removeSink",
  summary: "Stop sending to a program, and forget its position in the feeds",
  tags,
  params: byName,
  querystring: z.object({ dryRun: z.enum(["true", "false"]).default("false") }),
  response: {
    200: z.object({ name: z.string(), waiting: z.int(), dryRun: z.literal(true).optional() }),
  },
  example: { params: { name: "warehouse" }, query: { dryRun: "true" } },
};

export const testSink = {
  operationId: "testSink",
  summary: "Send one message of the type postroom.test now",
  tags,
  params: byName,
  response: {
    200: z.object({ name: z.string(), id: z.string(), isTaken: z.boolean(), problem: text }),
  },
  example: { params: { name: "warehouse" } },
};
