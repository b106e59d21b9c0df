import { expect, it } from "vitest";
import { openReviews } from "../../src/review/review-table.ts";
import { confirmTradeLine } from "../../src/trades/answers/confirm-trade-line.ts";
import { countNotes } from "../../src/trades/count-notes.ts";
import { freshDatabase } from "../helpers/database.ts";
import { deliver } from "./scene.ts";

const YESTERDAY = new Date(Date.now() - 86_400_000);
const TOMORROW = new Date(Date.now() + 86_400_000);

it("a note counts as booked without a person only if nobody was ever asked about it", async () => {
  const database = await freshDatabase();
  await deliver(database, { lines: [{}, { reference: "CN-2", isin: "US5949181045" }] });
  await deliver(database, { lines: [], kind: "statement" });
  expect(await countNotes(database, YESTERDAY)).toEqual({ notes: 1, withoutPerson: 1 });
  const [doubtful] = await deliver(database, {
    lines: [{ reference: "CN-3", isin: "US4592001014", confidence: 0.2 }],
  });
  await database.transaction((tx) => openReviews(tx, doubtful!.questions));
  expect(await countNotes(database, YESTERDAY)).toEqual({ notes: 2, withoutPerson: 1 });
  const vera = { actor: "vera", firmDomains: ["firm.example"], today: "2026-02-10" };
  const done = await database.transaction((tx) => confirmTradeLine(tx, vera, doubtful!.lineId));
  expect(done.kind).toBe("done");
  expect(await countNotes(database, YESTERDAY)).toEqual({ notes: 2, withoutPerson: 1 });
  expect(await countNotes(database, TOMORROW)).toEqual({ notes: 0, withoutPerson: 0 });
});
