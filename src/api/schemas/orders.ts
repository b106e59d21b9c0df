/** Orders that trades are matched with, and the senders and people that we trust. */
import * as z from "zod";
import { OrderInput } from "../../trades/orders/read-orders.ts";
import { cursorOf, next } from "../http/paging.ts";
import { dryRun, limit, text, time } from "./common.ts";
import { Order } from "./trades.ts";

const Import = z.object({
  csv: z
    .string()
    .max(5_000_000)
    .describe("the text of a CSV file whose first line names the columns"),
  dryRun,
});
const counts = { added: z.int(), changed: z.int(), unchanged: z.int() };
const OrderChange = z.object({
  reference: z.string(),
  change: z.enum(["added", "changed", "unchanged"]),
  fields: z.array(z.object({ name: z.string(), from: text, to: text })).readonly(),
});
const tags = ["orders"];

export const listOrders = {
  operationId: "listOrders",
  summary: "Orders, in the order in which they were written",
  tags,
  querystring: z.object({
    status: z.enum(["open", "executed", "cancelled"]).optional(),
    username: z.string().max(100).optional(),
    cursor: cursorOf("orders", z.int()),
    limit: limit(5_000, 500),
  }),
  response: { 200: z.object({ orders: z.array(Order), next }) },
  example: { query: { status: "open" } },
};

const Written = z.object({ order: Order, change: z.enum(["added", "changed", "unchanged"]) });

export const putOrder = {
  operationId: "putOrder",
  summary: "Write an order under its reference",
  tags,
  body: OrderInput,
  response: { 200: Written, 201: Written },
  example: {
    body: {
      reference: "ORD-1042",
      username: "nberg",
      direction: "BUY",
      ticker: "AAPL",
      quantity: 100,
      placedOn: "2026-11-02",
    },
  },
};

export const importOrders = {
  operationId: "importOrders",
  summary: "Write every order of a CSV file, or none",
  tags,
  body: Import,
  response: {
    200: z.union([
      z.object({
        dryRun: z.literal(true),
        orders: z.int(),
        ...counts,
        changes: z
          .array(OrderChange)
          .describe("the first 200 orders that would be added or changed"),
      }),
      z.object(counts),
    ]),
  },
  example: {
    body: {
      csv: "reference,username,direction,ticker,quantity,placedOn\nORD-1043,nberg,SELL,MSFT,20,2026-11-03\n",
    },
  },
};

export const cancelOrder = {
  operationId: "cancelOrder",
  summary: "Cancel an order that was not executed",
  tags,
  params: z.object({ reference: z.string().max(500).describe("the reference of an order") }),
  response: { 200: z.object({ reference: z.string(), status: z.literal("cancelled") }) },
  example: { params: { reference: "ORD-1042" } },
};

const ApprovedSender = z
  .object({
    pattern: z.string().describe("an address, or `@` and a domain"),
    approvedBy: z.string(),
    approvedAt: time,
    until: text,
  })
  .meta({ id: "ApprovedSender" });

const ofSenders = ["senders"];

export const listSenders = {
  operationId: "listSenders",
  summary: "Senders whose contract notes are booked without a question",
  tags: ofSenders,
  querystring: z.object({ cursor: cursorOf("senders", z.string()), limit: limit(1_000, 200) }),
  response: { 200: z.object({ senders: z.array(ApprovedSender), next }) },
  example: { query: { limit: 50 } },
};

export const approveSender = {
  operationId: "approveSender",
  summary: "Approve a sender, without an end or until a date",
  tags: ofSenders,
  body: z.object({
    sender: z.string().trim().min(3).max(320),
    until: z.iso.date().optional(),
    dryRun,
  }),
  response: {
    200: z.union([
      ApprovedSender,
      z.object({ dryRun: z.literal(true), pattern: z.string(), until: text }),
    ]),
  },
  example: { body: { sender: "notes@broker.example" } },
};

export const revokeSender = {
  operationId: "revokeSender",
  summary: "Revoke an approval",
  tags: ofSenders,
  params: z.object({ sender: z.string().max(500).describe("an approved pattern") }),
  querystring: z.object({ dryRun: z.enum(["true", "false"]).default("false") }),
  response: {
    200: z.object({
      pattern: z.string(),
      dryRun: z.literal(true).optional(),
      revoked: z.literal(true).optional(),
    }),
  },
  example: { params: { sender: "notes@broker.example" }, query: { dryRun: "true" } },
};

export const listPeople = {
  operationId: "listPeople",
  summary: "Everybody whose trades may be booked",
  tags: ofSenders,
  querystring: z.object({ cursor: cursorOf("people", z.string()), limit: limit(5_000, 500) }),
  response: {
    200: z.object({
      next,
      people: z.array(
        z.object({
          username: z.string(),
          email: text,
          name: text,
          accounts: z.array(z.string()).readonly(),
          source: z.enum(["directory", "import", "order"]),
        }),
      ),
    }),
  },
  example: { query: { limit: 50 } },
};

export const importPeople = {
  operationId: "importPeople",
  summary: "Replace the imported people with those of a CSV file",
  tags: ofSenders,
  body: Import,
  response: { 200: z.object({ people: z.int(), dryRun: z.literal(true).optional() }) },
  example: { body: { csv: "email,name\nnina.berg@ashdown.example,Nina Berg\n" } },
};
