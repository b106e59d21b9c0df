import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { read } from "./helpers/brief-trades.ts";

/** Quantity, net, currency and the kinds of what was used. */
const money = (lines: string[]) =>
  read(lines).map(({ quantity, net, currency, fx }) => [quantity, net, currency, fx.rate ?? null]);

describe("a conversion whose rate has no label that is known", () => {
  it("leads from shares times price to the only amount that is printed [X-05]", () => {
    assert.deepEqual(
      money([
        "Wertpapierverkauf",
        "ISIN LU0323578657",
        "Geschäftstag 31.03.2025",
        "Stück 29",
        "Festbrindal USD 59,351881",
        "Brindal 1,082900 vom 01.04.2025",
        "Valuta 03.04.2025",
        "Zu Ihren Gunsten EUR 1.589,44",
      ]),
      [[29, 1589.44, "EUR", 1.0829]],
    );
  });
});
