import * as z from "zod";

const text = z.string().nullable();
const amount = z.number().nullable();

export const TradeDocument = z
  .object({
    documentId: z.string(),
    isPrimary: z.boolean(),
    filename: z.string(),
    archivePath: text,
    messageId: text,
    receivedAt: z.date(),
  })
  .meta({ id: "TradeDocument" });

export const Trade = z
  .object({
    id: z.string(),
    tradeKey: z.string().describe("readable and not unique: use `id`"),
    status: z.enum(["confirmed", "cancelled", "amended", "withdrawn"]),
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
    orderId: z.number().nullable(),
    orderState: z.enum(["linked", "unmatched", "in-review", "no-orders"]),
    correctsId: text.describe("the trade that this one amends"),
    createdAt: z.date(),
    documents: z.array(TradeDocument).readonly(),
  })
  .meta({ id: "Trade" });
