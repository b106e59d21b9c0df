import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Features } from "./candidate.ts";
import { confidenceOf, weigh } from "./confidence.ts";
import { SHIPPED } from "./weighing.ts";

describe("the confidence", () => {
  it("of a trade is never above that of any of its core fields", () => {
    const some: Features[] = [{}, { wordsOwn: 1, productHolds: 1, sumHolds: 1 }, { dayTied: 1 }];
    for (const features of some) {
      const { trade, field } = confidenceOf(features, SHIPPED);
      for (const name of ["direction", "date", "security", "shares", "amount", "currency"])
        assert.ok(field(name)! >= trade);
    }
  });

  it("no agreement outweighs a doubt", () => {
    const weights = { bias: 1, good: 9, better: 9, doubt: -5 };
    const much = weigh(weights, { good: 1, better: 1, doubt: 1 });
    assert.ok(much < weigh(weights, { good: 1 }));
    assert.ok(weigh(weights, { good: 1, better: 1 }) - much === 5);
  });
});
