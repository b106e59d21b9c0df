import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { NO_FACTS } from "../trade.ts";
import { findOvertrust, isReadRight, trustOf } from "./find-overtrust.ts";

const FACTS = {
  ...NO_FACTS,
  ...{ direction: "BUY" as const, tradeDate: "2026-10-01", isin: "DE0005200000", quantity: 90 },
  ...{ net: 8258.09, currency: "EUR" },
};

const line = (confidence: number, isRight: boolean) => ({
  ...{ confidence, read: FACTS, places: {}, isByPerson: true },
  decided: isRight ? FACTS : { ...FACTS, net: 8217 },
});
const documents = (sender: string, right: number, wrong: number, confidence: number) =>
  [...Array(right + wrong).keys()].map((i) => ({
    ...{ documentId: String(i), sender, lines: [line(confidence, i < right)] },
  }));

describe("the alarm for confidence that people contradict", () => {
  it("names a sender whose trades are right less often than their confidence says", () => {
    const trusts = trustOf([
      ...documents("good@broker.example", 18, 2, 0.9),
      ...documents("bad@broker.example", 8, 12, 0.9),
    ]);
    assert.deepEqual(
      trusts.map(({ sender, decided, right }) => [sender, decided, right]),
      [
        ["bad@broker.example", 20, 0.4],
        ["good@broker.example", 20, 0.9],
      ],
    );
    assert.deepEqual(
      findOvertrust(trusts).map(({ sender }) => sender),
      ["bad@broker.example"],
    );
  });

  it("is silent about few decisions, and where low confidence announced the mistakes", () => {
    assert.deepEqual(findOvertrust(trustOf(documents("a", 0, 4, 0.9))), []);
    assert.deepEqual(findOvertrust(trustOf(documents("a", 8, 12, 0.45))), []);
  });

  it("counts neither lines that people entered nor those that nobody looked at", () => {
    const entered = { ...line(1, false), read: null };
    const booked = { ...line(0.99, true), isByPerson: false };
    assert.deepEqual(trustOf([{ documentId: "1", sender: "a", lines: [entered, booked] }]), []);
  });

  it("takes a changed or rejected value for a mistake, and an added code or price for none", () => {
    const right = (decided: typeof FACTS | null) => isReadRight({ read: FACTS, decided });
    assert.equal(right(FACTS), true);
    assert.equal(right({ ...FACTS, ticker: "DE" } as typeof FACTS), true);
    assert.equal(right({ ...FACTS, price: 91.3 } as typeof FACTS), true);
    assert.equal(right({ ...FACTS, isin: "DE0007236101" }), false);
    assert.equal(right({ ...FACTS, tradeDate: "2026-10-02" }), false);
    assert.equal(right(null), false);
  });
});
