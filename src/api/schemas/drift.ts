import * as z from "zod";
import { cursorOf, next } from "../http/paging.ts";
import { limit, record } from "./common.ts";
import { TradeFacts } from "./trades.ts";

const Trust = z.object({
  sender: z.string(),
  decided: z.int().describe("trades that were read and that people decided on"),
  said: z.number().describe("mean confidence of these trades"),
  right: z.number().describe("share of them that people booked as they were read"),
});

const Line = z.object({
  confidence: z.number(),
  read: TradeFacts.nullable().describe("null if a person entered the line"),
  decided: TradeFacts.nullable().describe("null if it is not a trade"),
  places: record.describe("where each value was read"),
  isByPerson: z.boolean(),
});

export const findDrift = {
  operationId: "findDrift",
  summary:
    "Documents per sender and week, how many of them gave trades, how often people booked them as read, and the senders for whom either has become bad",
  tags: ["health"],
  response: {
    200: z.object({
      yields: z.array(
        z.object({
          sender: z.string(),
          period: z.string(),
          documents: z.int(),
          yielded: z.int(),
        }),
      ),
      alarms: z.array(
        z.object({
          sender: z.string(),
          period: z.string(),
          now: z.number(),
          before: z.number(),
          documents: z.int(),
        }),
      ),
      trusts: z.array(Trust),
      overtrusted: z
        .array(Trust)
        .describe("right less often than the confidence says, by more than chance explains"),
    }),
  },
  example: {},
};

export const listDecided = {
  operationId: "listDecided",
  summary: "Documents that people decided on: what was read, at which places, and what was booked",
  tags: ["reviews"],
  querystring: z.object({ cursor: cursorOf("decided", z.uuid()), limit: limit(1_000, 200) }),
  response: {
    200: z.object({
      documents: z.array(
        z.object({
          documentId: z.string(),
          sender: z.string(),
          lines: z.array(Line).readonly(),
        }),
      ),
      next,
    }),
  },
  example: { query: { limit: 50 } },
};
