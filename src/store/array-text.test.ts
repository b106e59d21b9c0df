import { describe, expect, it } from "vitest";
import { freshDatabaseUrl } from "../../test/helpers/database.ts";
import { toPlainArray, toTextArray, toTimeArray } from "./array-text.ts";
import { openDatabase } from "./database.ts";

describe("an array literal", () => {
  it("comes back from PostgreSQL as the values it was made of", async () => {
    const database = openDatabase({ url: await freshDatabaseUrl(), connections: 1 });
    const texts = [
      "plain",
      "",
      null,
      "NULL",
      'a "quoted" one',
      "back\\slash",
      "{a,b}",
      " é\u001f漢\n",
      "\\N",
    ];
    const times = [new Date("2026-11-02T08:15:30.123Z"), null, new Date("0001-01-01T00:00:00Z")];
    const { rows } = await database.query(
      "SELECT $1::text[] AS texts, ARRAY(SELECT to_timestamp(ms / 1000) FROM unnest($2::float8[]) ms) AS times, $3::bool[] AS flags, $4::int[] AS numbers, $5::text[] AS none",
      [
        toTextArray(texts),
        toTimeArray(times),
        toPlainArray([true, false]),
        toPlainArray([-7, 0]),
        toTextArray([]),
      ],
    );
    await database.close();
    expect(rows[0]).toEqual({ texts, times, flags: [true, false], numbers: [-7, 0], none: [] });
  });

  it("contains NULL for a missing value, so that a column can refuse it", () => {
    const absent = undefined as never;
    expect(toTextArray(["a", absent])).toBe('{"a",NULL}');
    expect(toTimeArray([absent])).toBe("{NULL}");
    expect(toPlainArray([1, absent])).toBe("{1,NULL}");
  });
});
