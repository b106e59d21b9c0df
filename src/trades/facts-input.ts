import * as z from "zod";

const text = z.string().trim().min(1).max(300).nullable();
const amount = z.number().finite().nonnegative().nullable();

/** The facts about a trade that a person may enter. Any other property is refused. */
export const FactsInput = z
  .strictObject({
    direction: z.enum(["BUY", "SELL"]),
    tradeDate: z.iso.date(),
    tradeTime: z
      .string()
      .regex(/^\d\d:\d\d(:\d\d)?$/)
      .nullable(),
    settlementDate: z.iso.date().nullable(),
    name: text,
    isin: text,
    sedol: text,
    cusip: text,
    wkn: text,
    valor: text,
    ticker: text,
    quantity: z.number().finite().positive(),
    price: z.number().finite().positive().nullable(),
    priceCurrency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .nullable(),
    isPercentQuoted: z.boolean(),
    gross: amount,
    fees: amount,
    taxes: amount,
    net: amount,
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .nullable(),
    forexGross: amount,
    fxRate: amount,
    reference: text,
    account: text,
    broker: text,
    holder: text,
    accountType: z.enum(["individual", "joint", "trust", "corporate", "other"]).nullable(),
    isCancelled: z.boolean(),
    isAmendment: z.boolean(),
    refersTo: text,
  })
  .partial();
