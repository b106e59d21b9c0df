import { describe, expect, it } from "vitest";
import { anOrder, aTrade } from "../../../test/trades/scene.ts";
import type { Order } from "../order.ts";
import type { TradeFacts } from "../trade.ts";
import { matchOrder } from "./match-order.ts";

const order = (change: Partial<Order> = {}): Order => ({
  ...anOrder(),
  id: 1,
  status: "open",
  ...change,
});
const failure = (change: Partial<Order>, facts: Partial<TradeFacts> = {}) =>
  matchOrder(aTrade(facts), "ldeburna", [order(change)]).matrix[0]!;

describe("the gates of an order", () => {
  it("are user, direction, security and economics, in that order [X-06]", () => {
    expect(failure({}).failed).toBeNull();
    expect(failure({ username: "x", direction: "SELL" }).failed).toBe("user");
    expect(failure({ username: "LDeBurna" }).failed).toBeNull();
    expect(failure({ direction: "SELL", ticker: "MSFT" }).failed).toBe("direction");
    expect(failure({ ticker: "MSFT", quantity: 1 }).failed).toBe("security");
    expect(failure({ quantity: 99 }).failed).toBe("economics");
  });

  it("accept one equal identifier and refuse one that differs [X-06]", () => {
    expect(failure({ ticker: "AAPL US" }).failed).toBeNull();
    expect(failure({ ticker: null, isin: "US0378331005" }).failed).toBeNull();
    expect(failure({ isin: "US5949181045" }).failed).toBe("security");
    expect(failure({ ticker: null }).failed).toBe("security");
    expect(
      failure({ ticker: "AAPL" }, { ticker: null, name: "AAPL Inc common" }).failed,
    ).toBeNull();
    expect(failure({ ticker: "PPL" }, { ticker: null, name: "Apple Inc" }).failed).toBe("security");
  });

  it("require a trade date within the order's life and a price near its limit [X-06]", () => {
    expect(failure({ placedOn: "2026-02-05" }).why).toContain("before the order");
    expect(failure({ placedOn: "2026-02-04" }).failed).toBeNull();
    expect(failure({ validUntil: "2026-02-03" }).why).toContain("after the order ended");
    expect(failure({ validUntil: "2026-02-04" }).failed).toBeNull();
    expect(failure({ limitPrice: 190 }).failed).toBeNull();
    expect(failure({ limitPrice: 190.01 }).why).toContain("expected about 190.01");
    expect(failure({ limitPrice: 1, currency: "EUR" }).failed).toBeNull();
    expect(failure({ limitPrice: null }).failed).toBeNull();
  });

  it("report several orders that pass instead of choosing the first [X-06]", () => {
    const two = [order(), order({ id: 2, reference: "O-2" })];
    expect(matchOrder(aTrade(), "ldeburna", two)).toMatchObject({ kind: "several" });
    expect(matchOrder(aTrade(), "ldeburna", [])).toEqual({ kind: "none", matrix: [] });
  });
});
