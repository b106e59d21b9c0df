import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { documentOf, readingOfText } from "../extract-trades.ts";
import type { Clues } from "./amount.ts";
import { priceScore, quantityScore } from "./amount-scores.ts";

describe("a sum of money in a column of another kind", () => {
  const amount = (clues: Clues) => {
    const [printed] = documentOf(readingOfText("Brindal EUR 3,54")).values.amounts;
    return { ...printed!, clues };
  };

  it("is no number of shares if its own label names it more clearly", () => {
    assert.ok(quantityScore(amount({ quantity: 0.5 })) > 0.2);
    for (const named of ["gross", "fee", "tax"] as const) {
      assert.ok(quantityScore(amount({ quantity: 0.5, [named]: 1 })) < 0.02);
      assert.ok(quantityScore(amount({ quantity: 0.9, [named]: 0.5 })) > 0.5);
    }
  });

  it("is no price if its own label calls it a charge", () => {
    assert.ok(priceScore(amount({ price: 0.4 })) > 0.5);
    for (const named of ["fee", "tax"] as const) {
      assert.equal(priceScore(amount({ price: 0.4, [named]: 1 })), 0);
      assert.ok(priceScore(amount({ price: 1.1, [named]: 1 })) > 1);
    }
  });
});
