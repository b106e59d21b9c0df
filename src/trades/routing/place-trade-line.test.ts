import { describe, expect, it } from "vitest";
import { aTrade } from "../../../test/trades/scene.ts";
import { identityOf, referenceKeyOf } from "../fingerprint.ts";
import type { TradeFacts } from "../trade.ts";
import type { KnownTrade } from "../trade-table.ts";
import { compareEconomics, type LineToPlace, placeTradeLine } from "./place-trade-line.ts";

const line = (facts: Partial<TradeFacts> = {}, change: Partial<LineToPlace> = {}): LineToPlace => {
  const whole = aTrade(facts);
  const refersToKey = referenceKeyOf(whole.refersTo);
  return {
    facts: whole,
    identity: identityOf(whole)!,
    refersToKey,
    kind: "note",
    textHash: "new",
    ...change,
  };
};
const known = (facts: Partial<TradeFacts> = {}, change: Partial<KnownTrade> = {}): KnownTrade => {
  const whole = aTrade(facts);
  const referenceKey = referenceKeyOf(whole.reference);
  return {
    id: "t",
    status: "confirmed",
    referenceKey,
    facts: whole,
    seenIn: [{ kind: "note", textHash: "old" }],
    ...change,
  };
};
const place = (one: LineToPlace, ...trades: KnownTrade[]) =>
  placeTradeLine(one, trades, new Set()).kind;

describe("two reports of the same figures", () => {
  it("agree when price, or gross or net, agree and nothing else contradicts", () => {
    const same = (a: Partial<TradeFacts>, b: Partial<TradeFacts>) =>
      compareEconomics(aTrade(a), aTrade(b));
    expect(same({}, {})).toBe("same");
    expect(same({ price: 1 }, {})).toBe("different");
    expect(same({ price: null }, {})).toBe("same");
    expect(same({}, { price: null })).toBe("same");
    expect(same({ price: 166.1, priceCurrency: "EUR" }, {})).toBe("same");
    expect(same({ price: null, gross: 1 }, {})).toBe("same");
    expect(same({ price: null, gross: 1, net: 1 }, {})).toBe("different");
    expect(same({ price: null, gross: 1, net: 1, currency: "EUR" }, {})).toBe("unclear");
    expect(same({ price: null, gross: null, net: null }, {})).toBe("unclear");
    expect(same({ price: null }, { gross: null, net: null })).toBe("unclear");
    expect(same({ account: "999" }, {})).toBe("different");
    expect(same({ account: null }, {})).toBe("same");
    expect(same({}, { account: null })).toBe("same");
    expect(same({ tradeDate: "2025-12-01" }, {})).toBe("different");
    expect(same({ direction: "SELL" }, {})).toBe("different");
    expect(same({ quantity: 99 }, {})).toBe("different");
    expect(same({ quantity: null }, {})).toBe("different");
    expect(same({}, { quantity: null })).toBe("different");
    const noMoney = { price: null, gross: null, net: null };
    expect(same({ isin: "US5949181045", ticker: null, ...noMoney }, {})).toBe("different");
    expect(same({ isin: null, ticker: "MSFT" }, { isin: null })).toBe("different");
    expect(same({ isin: null, ticker: null }, { isin: null, ticker: null, wkn: "865985" })).toBe(
      "unclear",
    );
    expect(same({ isin: null, ticker: null, wkn: "865985" }, { isin: null, ticker: null })).toBe(
      "unclear",
    );
  });

  it("the same reference in another account belongs to another broker", () => {
    const other = known({ account: "777", quantity: 5 });
    expect(place(line(), other)).toBe("new");
    expect(place(line(), known({ quantity: 5 }))).toBe("ask");
  });

  it("two references in notes are two fills; if only one note has a reference, a person decides", () => {
    expect(place(line({ reference: "CN-2" }), known())).toBe("new");
    expect(place(line({ reference: null }), known())).toBe("ask");
    expect(place(line(), known({ reference: null }))).toBe("ask");
  });

  it("a statement repeats a note unless both name a reference", () => {
    const statement = { kind: "statement" } as const;
    expect(place(line({}, statement), known({ reference: null }))).toBe("same");
    expect(place(line({ reference: null }, statement), known())).toBe("same");
    expect(place(line({ reference: "CN-2" }, statement), known())).toBe("ask");
  });

  it("a note repeats a statement, unless another note has reported the trade", () => {
    const listed = { kind: "statement", textHash: "month" } as const;
    const bare = { reference: null };
    expect(place(line(bare), known(bare, { seenIn: [listed] }))).toBe("same");
    const noted = { kind: "note", textHash: "old" } as const;
    expect(place(line(bare), known(bare, { seenIn: [listed, noted] }))).toBe("ask");
  });

  it("a statement that names the security in another way is a question", () => {
    const otherwise = { reference: null, isin: null, ticker: null, wkn: "865985" };
    const trade = known({ reference: null });
    expect(place(line(otherwise, { kind: "statement" }), trade)).toBe("ask");
  });

  it("a withdrawn or cancelled trade is still known, so its note again makes no new trade [R27]", () => {
    for (const status of ["withdrawn", "cancelled", "amended"] as const) {
      expect(place(line(), known({}, { status }))).toBe("same");
    }
  });

  it("a cancellation finds its trade by the reference it names, by its own, or by the figures [R29]", () => {
    const cancel = (facts: Partial<TradeFacts>) => line({ isCancelled: true, ...facts });
    expect(place(cancel({ refersTo: "CN-1001", reference: "X-1" }), known())).toBe("cancels");
    expect(place(cancel({}), known())).toBe("cancels");
    expect(place(cancel({ reference: null }), known())).toBe("cancels");
    expect(place(cancel({ refersTo: "CN-5", reference: null }), known())).toBe("ask");
    expect(place(cancel({ reference: null }), known(), known({}, { id: "u" }))).toBe("ask");
    for (const reference of [null, "CN-1001"])
      expect(place(cancel({ reference: null }), known({ reference, quantity: 5 }))).toBe("ask");
  });

  it("an amendment that fits several trades, or one that is no longer valid, becomes a question [R29]", () => {
    const amend = line({ isAmendment: true, refersTo: "CN-1001", reference: "X-1", price: 180 });
    expect(place(amend, known())).toBe("amends");
    expect(place(amend, known(), known({ price: 1 }, { id: "u" }))).toBe("ask");
    expect(place(amend, known({}, { status: "cancelled" }))).toBe("ask");
  });

  it("an amendment is booked already only if a valid trade has its reference and its figures [R29]", () => {
    const amend = line({ isAmendment: true, refersTo: "CN-7", reference: "X-1", price: 180 });
    const booked = { reference: "X-1", price: 180 };
    expect(place(amend, known(booked))).toBe("same");
    expect(place(amend, known(booked, { status: "cancelled" }))).toBe("ask");
    expect(place(amend, known({ ...booked, reference: "X-2" }))).toBe("ask");
    expect(place(amend, known({ ...booked, price: 181 }))).toBe("ask");
  });

  it("a cancellation by its own reference cancels its trade whatever the figures [R29]", () => {
    expect(place(line({ isCancelled: true, quantity: 5 }), known())).toBe("cancels");
  });

  it("a line that names another trade, or says that it amends one, is never a plain note [R29]", () => {
    expect(place(line({ refersTo: "CN-1001", reference: "X-1" }), known())).toBe("amends");
    expect(place(line({ isAmendment: true, quantity: 5 }), known())).toBe("amends");
  });

  it("two trades without references do not share one, and their figures are compared", () => {
    const other = known({ reference: null, quantity: 5 });
    expect(place(line({ reference: null }), other)).toBe("new");
  });

  it("the reason says whether the document was seen before or another one reports the trade", () => {
    const why = (one: LineToPlace) =>
      placeTradeLine(one, [known({ reference: null })], new Set()).why;
    const bare = { reference: null };
    expect(why(line(bare, { textHash: "old" }))).toBe("the same document was seen before");
    expect(why(line(bare, { kind: "statement" }))).toBe(
      "a note and a statement report the same trade",
    );
  });

  it("one trade line matches one trade", () => {
    const { reference: _, ...bare } = aTrade();
    const one = line({ ...bare, reference: null }, { textHash: "old" });
    const trade = known({ reference: null });
    expect(placeTradeLine(one, [trade], new Set()).kind).toBe("same");
    expect(placeTradeLine(one, [trade], new Set(["t"])).kind).toBe("new");
  });
});
