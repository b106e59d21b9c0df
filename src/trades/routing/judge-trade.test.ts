import { describe, expect, it } from "vitest";
import { aTrade } from "../../../test/trades/scene.ts";
import type { TradeFacts } from "../trade.ts";
import { judgeTrade } from "./judge-trade.ts";

const judge = (facts: Partial<TradeFacts>, more: Partial<Parameters<typeof judgeTrade>[0]> = {}) =>
  judgeTrade({
    facts: aTrade(facts),
    confidence: 0.9,
    doubts: [],
    userScore: 1,
    userReason: "known",
    senderDoubts: [],
    today: "2026-02-10",
    ...more,
  });

const reasonsFor = (facts: Partial<TradeFacts>, more = {}) => {
  const verdict = judge(facts, more);
  return verdict.kind === "review" ? verdict.reasons : [];
};

describe("a trade is booked without a person", () => {
  it("from a confidence of 0.8, or of 0.5 with a mark for audit [X-02]", () => {
    expect(judge({}, { confidence: 0.8 })).toMatchObject({ kind: "confirm", needsAudit: false });
    expect(judge({}, { confidence: 0.799 })).toMatchObject({ kind: "confirm", needsAudit: true });
    expect(judge({}, { confidence: 0.5 })).toMatchObject({ kind: "confirm", needsAudit: true });
    expect(judge({}, { confidence: 0.499 }).kind).toBe("review");
  });

  it("only if no necessary fact is missing [X-02]", () => {
    expect(reasonsFor({ direction: null })).toEqual(["missing: direction"]);
    expect(reasonsFor({ quantity: null })).toEqual(["missing: quantity"]);
    expect(reasonsFor({ tradeDate: null })).toEqual(["missing: trade date"]);
    expect(reasonsFor({ isin: null, ticker: null })).toEqual(["missing: security"]);
    expect(reasonsFor({ isin: null, ticker: null, sedol: "0263494" })).toEqual([]);
  });

  it("only if its identifiers have the right length and check digit [X-04]", () => {
    expect(reasonsFor({ isin: "US0378331006" })).toEqual(["not an ISIN: US0378331006"]);
    expect(reasonsFor({ isin: "US037833100" })).toEqual(["not an ISIN: US037833100"]);
    expect(reasonsFor({ sedol: "0263495" })).toEqual(["not a SEDOL: 0263495"]);
    expect(reasonsFor({ cusip: "037833101" })).toEqual(["not a CUSIP: 037833101"]);
    expect(reasonsFor({ sedol: "0263494", cusip: "037833100" })).toEqual([]);
  });

  it("only if its figures are possible [X-04]", () => {
    const free = { gross: null, net: null };
    expect(reasonsFor({ quantity: 0, ...free })).toEqual(["quantity is not positive"]);
    expect(reasonsFor({ quantity: -5, ...free })).toEqual(["quantity is not positive"]);
    expect(reasonsFor({ price: 0, ...free })).toEqual(["price is not positive"]);
    expect(reasonsFor({ tradeDate: "2026-02-11", settlementDate: null })).toEqual([
      "trade date 2026-02-11 is in the future",
    ]);
    expect(reasonsFor({ settlementDate: "2026-02-03" })).toEqual([
      "the settlement date is before the trade date",
    ]);
    expect(reasonsFor({ settlementDate: "2026-02-04" })).toEqual([]);
    expect(reasonsFor({ settlementDate: null })).toEqual([]);
    expect(reasonsFor({ price: 977, isPercentQuoted: true, ...free })).toEqual([
      "a price of 977 per cent",
    ]);
    expect(reasonsFor({ price: 101.5, isPercentQuoted: true, ...free })).toEqual([]);
    expect(reasonsFor({ price: null, isPercentQuoted: true, ...free })).toEqual([]);
    expect(reasonsFor({ price: 977, ...free })).toEqual([]);
  });

  it("only if the proceeds differ from quantity × price by at most 5 % + 10 [X-03]", () => {
    const at = (net: number) => reasonsFor({ quantity: 10, price: 100, gross: null, net });
    expect(at(1_060)).toEqual([]);
    expect(at(940)).toEqual([]);
    expect(at(1_060.01)).toEqual(["proceeds 1060.01 do not fit quantity × price = 1000.00"]);
    expect(at(939.99)).toHaveLength(1);
    expect(reasonsFor({ quantity: 10, price: 100, gross: 2_000, net: null })).toHaveLength(1);
    const bond = { quantity: 10_000, price: 98.5, isPercentQuoted: true, gross: null };
    expect(reasonsFor({ ...bond, net: 9_860 })).toEqual([]);
    expect(reasonsFor({ ...bond, net: 985_000 })).toHaveLength(1);
    for (const priceCurrency of [null, "USD"])
      expect(reasonsFor({ priceCurrency, gross: null, net: 1 })).toHaveLength(1);
    expect(reasonsFor({ priceCurrency: "EUR", fxRate: 1.1, gross: null, net: 1 })).toEqual([]);
  });

  it("only if two currencies come with a printed rate; no rate is ever assumed [R49]", () => {
    const abroad = { currency: "EUR", gross: 16_500, net: 16_510 };
    expect(reasonsFor(abroad)).toEqual(["no rate between USD and EUR in the document"]);
    expect(reasonsFor({ ...abroad, fxRate: 1.094 })).toEqual([]);
    expect(reasonsFor({ ...abroad, forexGross: 18_050 })).toEqual([]);
    expect(reasonsFor({ ...abroad, forexGross: 1 })).toHaveLength(1);
    expect(reasonsFor({ priceCurrency: null })).toEqual([]);
    expect(reasonsFor({ currency: null })).toEqual([]);
  });

  it("only for a person's own account that we know [X-02] [R51]", () => {
    for (const accountType of ["trust", "joint", "corporate", "other"] as const) {
      expect(reasonsFor({ accountType })).toEqual([
        `the account is not a person's: ${accountType}`,
      ]);
    }
    expect(reasonsFor({ accountType: "individual" })).toEqual([]);
    expect(reasonsFor({}, { userScore: 0.8 })).toEqual([]);
    expect(reasonsFor({}, { userScore: 0.79 })).toEqual(["whose trade it is: known (score 0.79)"]);
  });

  it("only if neither the sender nor the reading raises a doubt [X-02]", () => {
    expect(reasonsFor({}, { doubts: ["two totals"] })).toEqual(["two totals"]);
    expect(reasonsFor({}, { senderDoubts: ["a stranger"] })).toEqual(["a stranger"]);
  });

  it("and a share that is just too low does not look like the limit", () => {
    expect(reasonsFor({}, { confidence: 0.4999 })).toEqual(["confidence 0.49 is below 0.5"]);
    expect(reasonsFor({}, { confidence: 0.29 })).toEqual(["confidence 0.29 is below 0.5"]);
    expect(reasonsFor({}, { userScore: 0.7999 })).toEqual([
      "whose trade it is: known (score 0.79)",
    ]);
  });

  it("and otherwise every reason is named", () => {
    expect(
      reasonsFor({ direction: null, quantity: -1, gross: null, net: null }, { confidence: 0.1 }),
    ).toEqual(["missing: direction", "quantity is not positive", "confidence 0.10 is below 0.5"]);
  });
});
