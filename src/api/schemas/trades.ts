import * as z from "zod";
import { cursorOf, next } from "../http/paging.ts";
import {
  amount,
  byId,
  dryRun,
  EXAMPLE_ID,
  flag,
  limit,
  moment,
  reason,
  record,
  text,
  time,
} from "./common.ts";

export const TradeFacts = z
  .object({
    direction: z.enum(["BUY", "SELL"]).nullable(),
    tradeDate: text.describe("YYYY-MM-DD"),
    tradeTime: text,
    settlementDate: text,
    name: text,
    isin: text,
    sedol: text,
    cusip: text,
    wkn: text,
    valor: text,
    ticker: text,
    quantity: amount,
    price: amount.describe("in whole units of `priceCurrency`"),
    priceCurrency: text,
    isPercentQuoted: z
      .boolean()
      .describe("`price` is a percentage and `quantity` the nominal value"),
    gross: amount,
    fees: amount,
    taxes: amount,
    net: amount,
    currency: text.describe("of the account"),
    forexGross: amount,
    fxRate: amount,
    reference: text,
    account: text,
    broker: text,
    holder: text,
    accountType: z.enum(["individual", "joint", "trust", "corporate", "other"]).nullable(),
    isCancelled: z.boolean(),
    isAmendment: z.boolean(),
    refersTo: text.describe("the reference of the trade that is cancelled or replaced"),
  })
  .describe("What a document says about one trade; null if it says nothing.")
  .meta({ id: "TradeFacts" });

const TradeStatus = z.enum(["confirmed", "cancelled", "amended", "withdrawn"]);
const OrderState = z.enum(["linked", "unmatched", "in-review", "no-orders"]);

const MatrixRow = z.object({
  orderId: z.int(),
  reference: z.string(),
  failed: z.enum(["user", "direction", "security", "economics"]).nullable(),
  why: z.string(),
});

const TradeDocument = z
  .object({
    documentId: z.string(),
    isPrimary: z.boolean(),
    filename: z.string(),
    archivePath: text,
    messageId: text,
    receivedAt: time,
  })
  .meta({ id: "TradeDocument" });

export const Trade = z
  .object({
    id: z.string(),
    tradeKey: z.string().describe("readable and not unique: use `id`"),
    status: TradeStatus,
    confirmedBy: z.string().describe("`postroom`, or the person who confirmed it"),
    needsAudit: z.boolean(),
    username: z.string(),
    senderEmail: z.string(),
    direction: text,
    quantity: amount,
    price: amount,
    priceCurrency: text,
    gross: amount,
    fees: amount,
    taxes: amount,
    net: amount,
    currency: text,
    tradeDate: text,
    settlementDate: text,
    name: text,
    isin: text,
    ticker: text,
    reference: text,
    account: text,
    broker: text,
    confidence: z.number(),
    orderId: z.int().nullable(),
    orderState: OrderState,
    correctsId: text.describe("the trade that this one amends"),
    correctedById: text.describe("the trade that amends this one"),
    createdAt: time,
    documents: z.array(TradeDocument).readonly(),
  })
  .meta({ id: "Trade" });

/** A trade with everything that was read and computed, as a question about it shows it. */
export const TradeRow = z
  .object({
    id: z.string(),
    tradeKey: z.string(),
    fingerprint: z.string(),
    referenceKey: text,
    economicKey: z.string(),
    occurrence: z.int(),
    status: TradeStatus,
    confirmedBy: z.string(),
    needsAudit: z.boolean(),
    username: z.string(),
    senderEmail: z.string(),
    confidence: z.number(),
    facts: TradeFacts,
    correctsId: text,
    orderId: z.int().nullable(),
    orderState: OrderState,
    matchMatrix: z.array(MatrixRow).readonly(),
    createdAt: time,
  })
  .meta({ id: "TradeRow" });

const Decision = z
  .object({
    id: z.int(),
    kind: z.enum([
      "confirm",
      "same",
      "cancel",
      "amend",
      "link",
      "unlink",
      "ask",
      "reject",
      "not-a-note",
      "undo",
    ]),
    actor: z.string().describe("`postroom`, or the person who decided"),
    lineId: text,
    tradeId: text,
    documentId: text,
    orderId: z.int().nullable(),
    explanation: z.array(z.string()).readonly(),
    before: record.nullable(),
    undoes: z.int().nullable(),
    undoneBy: z.int().nullable(),
    at: time,
  })
  .meta({ id: "Decision" });

export const Order = z
  .object({
    id: z.int(),
    reference: z.string(),
    username: z.string(),
    userEmail: text,
    holderName: text,
    direction: z.enum(["BUY", "SELL"]),
    ticker: text,
    isin: text,
    sedol: text,
    cusip: text,
    description: text,
    quantity: z.number(),
    limitPrice: amount,
    currency: text,
    placedOn: z.string(),
    validUntil: text,
    status: z.enum(["open", "executed", "cancelled"]),
  })
  .meta({ id: "Order" });

const tags = ["trades"];

export const listTrades = {
  operationId: "listTrades",
  summary: "Trades, newest first, as JSON or CSV",
  tags,
  querystring: z.object({
    status: TradeStatus.optional(),
    username: z.string().max(200).optional(),
    messageId: z.string().max(500).optional(),
    needsAudit: flag.optional(),
    since: moment.optional(),
    until: moment.optional().describe("booked before this time"),
    isin: z.string().max(12).optional(),
    cursor: cursorOf("trades", z.guid()),
    limit: limit(5_000, 200),
    format: z.enum(["json", "csv"]).default("json"),
  }),
  response: {
    200: {
      description: "The trades, or a CSV file of them",
      content: {
        "application/json": { schema: z.object({ trades: z.array(Trade), next }) },
        "text/csv": { schema: z.string() },
      },
    },
  },
  example: { query: { status: "confirmed", since: "2026-11-01" } },
};

export const getTrade = {
  operationId: "getTrade",
  summary: "One trade with its facts, documents and every decision about it",
  tags,
  params: byId("a trade"),
  response: {
    200: Trade.extend({
      facts: TradeFacts,
      fingerprint: z.string(),
      occurrence: z.int(),
      matchMatrix: z.array(MatrixRow).readonly(),
      order: Order.nullable(),
      decisions: z.array(Decision.extend({ actorName: text })),
    }).meta({ id: "TradeDetails" }),
  },
  example: { params: { id: EXAMPLE_ID } },
};

export const undoDecision = {
  operationId: "undoDecision",
  summary: "Undo a decision about a trade; without `decisionId`, the last one",
  tags,
  params: byId("a trade"),
  body: z.object({ decisionId: z.int().optional(), reason, dryRun }),
  response: {
    200: z.union([
      z.object({ dryRun: z.literal(true), decision: Decision }),
      z.object({
        undone: Decision,
        decisionId: z.int().describe("the decision that undid it"),
        asked: z.int().describe("how many questions this opened"),
      }),
    ]),
  },
  example: { params: { id: EXAMPLE_ID }, body: { reason: "booked twice", dryRun: true } },
};
