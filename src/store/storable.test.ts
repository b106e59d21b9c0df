import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freshDatabase } from "../../test/helpers/database.ts";
import { toTextArray } from "./array-text.ts";
import { toJson, toStorable } from "./storable.ts";

/**
 * Any sequence of UTF-16 units, in which those that PostgreSQL refuses are far more frequent than by chance.
 */
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "\0",
      "\uD800",
      "\uDC00",
      "\uD83D\uDE00",
      "\\",
      "\\u0000",
      "\\ud800",
      '"',
      "{",
      ",",
      "'",
    ),
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  ),
  maxLength: 12,
});

describe("text of any kind", () => {
  it("can be stored in every kind of parameter, and characters that cannot be stored leave a visible replacement [S61]", async () => {
    const database = await freshDatabase({ connections: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 5 }), async (texts) => {
        const tree = { [texts[0]!]: texts, inner: [{ text: texts.at(-1)! }] };
        const { rows } = await database.query<Record<string, unknown>>(
          "SELECT $1::text AS one, $2::text[] AS many, $3::text[] AS literal, $4::jsonb AS json, $5::jsonb[] AS jsons",
          [
            texts[0],
            texts,
            toTextArray(texts),
            toJson(tree),
            texts.map((text) => toJson({ text })),
          ],
        );
        const expected = texts.map(toStorable);
        expect(rows[0]).toEqual({
          one: expected[0],
          many: expected,
          literal: expected,
          json: { inner: [{ text: expected.at(-1) }], [expected[0]!]: expected },
          jsons: expected.map((text) => ({ text })),
        });
      }),
      { numRuns: 500 },
    );
  });

  it("keeps everything else as it is, one replacement for each unit that cannot be stored", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = toStorable(text);
        expect(stored).toHaveLength(text.length);
        expect(() => encodeURIComponent(stored)).not.toThrow(); // it throws for half a pair
        expect(stored).not.toContain("\0");
        for (const [at, unit] of [...text.split("").entries()])
          if (stored[at] !== unit) expect(stored[at]).toBe("\uFFFD");
        expect(JSON.parse(toJson(text))).toBe(stored);
      }),
    );
  });
});
