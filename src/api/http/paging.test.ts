import { describe, expect, it } from "vitest";
import * as z from "zod";
import { cursorOf, pageOf, toNextLink } from "./paging.ts";

const Cursor = cursorOf("numbers", z.int());

/** Reads to the end, with `between` called after each page. */
function readAll(rows: number[], limit: number, between: (page: number) => void = () => {}) {
  const seen: number[] = [];
  let next: string | null | undefined;
  for (let page = 1; next !== null; page += 1) {
    const cursor = Cursor.parse(next);
    const found = pageOf(
      "numbers",
      { cursor, limit },
      [...rows].sort((a, b) => a - b),
      (n) => n,
    );
    seen.push(...found.rows);
    next = found.next;
    between(page);
  }
  return seen;
}

describe("pages of a list", () => {
  it("hold every row once, whatever their size", () => {
    const rows = [1, 2, 3, 4, 5, 6];
    for (const limit of [1, 2, 3, 4, 5, 6, 7]) expect(readAll(rows, limit)).toEqual(rows);
    expect(readAll([], 3)).toEqual([]);
  });

  it("neither repeat nor skip a row when others are written and removed meanwhile", () => {
    const rows = [10, 20, 30, 40];
    const seen = readAll(rows, 2, (page) => {
      if (page !== 1) return;
      rows.push(5, 35);
      rows.splice(rows.indexOf(20), 1);
    });
    expect(seen).toEqual([10, 20, 30, 35, 40]);
  });

  it.each([
    ["nonsense", "nonsense"],
    ["empty", ""],
    ["of another list", Buffer.from('["letters",3]').toString("base64url")],
    ["of another kind", Buffer.from('["numbers","3"]').toString("base64url")],
    ["too long", "x".repeat(3_000)],
  ])("refuse a cursor that is %s", (_, cursor) => {
    expect(Cursor.safeParse(cursor).success).toBe(false);
  });

  it("are linked where the answer has no place for the cursor", () => {
    expect(toNextLink("/api/trades?format=csv&cursor=a", "b")).toBe(
      '</api/trades?format=csv&cursor=b>; rel="next"',
    );
  });
});
