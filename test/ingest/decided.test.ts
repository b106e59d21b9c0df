/** What people decide is kept as labelled examples, and the extractor is measured by it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { extractCommand } from "../../src/cli/trades/extract.ts";
import { extractContent } from "../../src/trades/content/content-of-extraction.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import { answer, call, closeDoors, oldest, openDoorsWith, run, shop } from "./doors.ts";

interface Decided {
  documentId: string;
  lines: {
    read: { quantity: number } | null;
    decided: { quantity: number } | null;
    places: { quantity?: { source: object } };
    isByPerson: boolean;
  }[];
}

/** Five notes that Postroom books; a person takes back four of the trades and decides again. */
beforeAll(async () => {
  await openDoorsWith({ extract: extractContent });
  for (const [i, decision] of [
    { action: "accept" },
    { action: "correct", facts: { quantity: 7 } },
    { action: "reject", reason: "a quote, not a trade" },
    null,
    "left open",
  ].entries()) {
    const note = await makeNote({ seed: `decided-${i}`, kind: "buy", language: "en" });
    const id = await shop.send({ files: [{ name: note.fileName, bytes: note.pdf }] });
    await shop.ingest(id);
    if (decision === null) continue;
    const [trade] = await findTrades(shop.database, { messageId: id });
    await call("POST", `/api/trades/${trade!.id}/undo`, { reason: "look again" });
    if (typeof decision === "object") await answer((await oldest()).id, decision);
  }
});
afterAll(closeDoors);

describe("documents that people decided on", () => {
  it("are examples of what was read, where, and what was booked; open and untouched ones are not", async () => {
    const { body } = await call("GET", "/api/decided", undefined, "reviewer");
    const { documents } = body as { documents: Decided[] };
    const lines = documents.flatMap((document) => document.lines);
    expect(lines.map(({ decided }) => decided?.quantity ?? null).sort()).toEqual(
      [
        lines.find(({ decided, read }) => decided && decided.quantity === read!.quantity)!.read!
          .quantity,
        7,
        null,
      ].sort(),
    );
    for (const { read, places, isByPerson } of lines) {
      expect(isByPerson).toBe(true);
      expect(read!.quantity).not.toBe(7);
      expect(places.quantity!.source).toMatchObject({ page: 1 });
    }
    expect((await call("GET", "/api/decided", undefined, "viewer")).status).toBe(403);
  });

  it("are listed page by page, each once", async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await call("GET", `/api/decided?limit=1${cursor}`);
      const page = body as { documents: Decided[]; next: string | null };
      seen.push(...page.documents.map(({ documentId }) => documentId));
      cursor = page.next === null ? null : `&cursor=${page.next}`;
    }
    expect(new Set(seen).size).toBe(3);
    expect(seen).toHaveLength(3);
  });

  it("are read again from the archive and judged by what was decided", async () => {
    const { text, error } = await run(extractCommand, "--decided");
    expect(error).toBe(null);
    expect(text).toContain("3 documents without folds, scored by the shipped fit");
    // Of two with a trade the corrected one differs, and the rejected one holds none.
    expect(text).toMatch(/^all +3 +50\.0 % +50\.0 % +– +100\.0 %/m);
  });

  it("are printed as JSON with what was decided and what is read now", async () => {
    const { text } = await run(extractCommand, "--decided", "--json");
    const rows = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const counts = rows.map(({ transactions, trades }) => [transactions.length, trades.length]);
    expect(counts.sort()).toEqual([
      [0, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  it("show beside each sender's confidence how often it was right", async () => {
    const { text } = await run(extractCommand, "--drift");
    expect(text).toMatch(/\S+@\S+ +3 +\d+ % +33 %/);
  });
});
