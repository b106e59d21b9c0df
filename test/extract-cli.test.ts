import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type CommandError, EXIT } from "../src/cli/base/exit.ts";
import { createOutput } from "../src/cli/base/output.ts";
import { extractCommand } from "../src/cli/trades/extract.ts";
import { extractTrades, readingOfText } from "../src/extract/extract-trades.ts";
import { AUTO_CONFIRM, STRICT_CONFIRM } from "../src/extract/judgement/confidence-weights.ts";
import { SHIPPED, strictly } from "../src/extract/judgement/weighing.ts";

const NOTE =
  "Wertpapierabrechnung Kauf\nISIN DE0005200000\nSchlusstag 16.04.2021\nStück 90\nKurs EUR 91,30\nKurswert EUR 8.217,00\nProvision EUR 41,09\nAusmachender Betrag EUR 8.258,09\n";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postroom-extract-"));
  await writeFile(join(folder, "note.txt"), NOTE);
  const truth = {
    type: "BUY",
    date: "2021-04-16",
    isin: "DE0005200000",
    shares: 90,
    currency: "EUR",
    amount: 8258.09,
  };
  await writeFile(
    join(folder, "rows.jsonl"),
    `${JSON.stringify({ file: "a/note.txt", text: NOTE, transactions: [truth] })}\n`,
  );
});
afterAll(() => rm(folder, { recursive: true }));

async function run(...words: string[]): Promise<{ text: string; notes: string; error: unknown }> {
  let text = "";
  let notes = "";
  const output = createOutput({
    write: (part) => (text += part),
    writeNote: (part) => (notes += part),
  });
  let error: unknown = null;
  await extractCommand(output)
    .exitOverride()
    .parseAsync(["node", "extract", ...words])
    .catch((thrown: unknown) => (error = thrown));
  return { text, notes, error };
}

describe("postroom extract", () => {
  it("prints the trades of a file", async () => {
    const { text, error } = await run(join(folder, "note.txt"));
    assert.equal(error, null);
    assert.match(text, /contract-note/);
    assert.match(text, /8258\.09 EUR/);
  });

  it("prints one JSON object per document", async () => {
    const { text } = await run(join(folder, "note.txt"), "--json");
    const answer = JSON.parse(text) as { trades: { net: number }[] };
    assert.equal(answer.trades[0]!.net, 8258.09);
  });

  it("explains what was chosen and what lost", async () => {
    const { text } = await run(join(folder, "note.txt"), "--explain");
    assert.match(text, /chosen with/);
    assert.match(text, /because quantity times price gives the gross/);
  });

  it("turns a corpus into rows of predictions with confidence", async () => {
    const { text } = await run("--corpus", join(folder, "rows.jsonl"));
    const row = JSON.parse(text) as {
      file: string;
      trades: { shares: number; confidence: Record<string, number> }[];
    };
    assert.deepEqual([row.file, row.trades[0]!.shares], ["a/note.txt", 90]);
    assert.ok(row.trades[0]!.confidence["amount"]! > 0.5);
  });

  it("reports reliability and the price of every threshold, with a bound for so few documents", async () => {
    const { text } = await run("--report", join(folder, "rows.jsonl"));
    assert.match(text, /1 documents without folds, scored by the shipped fit/);
    assert.match(text, /core +full/);
    assert.match(text, /said +right/);
    assert.match(text, /kept +trades +from +right +at least +wrong/);
    assert.match(text, /100\.0 % +1 +[0-9.]+ +100\.0 % +27\.0 % +0/);
  });

  it("reports how many documents a second reader would be asked about, and what its agreement could confirm", async () => {
    const row = JSON.parse(await readFile(join(folder, "rows.jsonl"), "utf8")) as { text: string };
    // Which day it was is no matter of arithmetic; a sum that does not close is.
    const undated = `${row.text.replace("Schlusstag", "Buchungstag")}Notiz 19.04.2021`;
    const texts = [undated, row.text.replace("8.217,00", "8.227,00")];
    const path = join(folder, "asked.jsonl");
    const rows = [row, ...texts.map((text, i) => ({ ...row, file: `${i}.txt`, text }))];
    await writeFile(path, rows.map((one) => JSON.stringify(one)).join("\n"));
    const { text } = await run("--report", path);
    assert.match(text, /asked about 2 of 3 documents .*; where it agrees it may confirm 1: /);
  });

  it("reports each fold by a fit that has not seen it, with mean and worst, by language and by kind", async () => {
    const row = JSON.parse(await readFile(join(folder, "rows.jsonl"), "utf8")) as object;
    const rows = ["c", "a", "b"].map((family, fold) => ({
      ...row,
      ...{ family, fold, file: `${family}/note.txt`, language: "de", doc_class: "note" },
    }));
    const path = join(folder, "folds.jsonl");
    await writeFile(path, rows.map((one) => JSON.stringify(one)).join("\n"));
    const { text } = await run("--report", path);
    assert.match(text, /3 documents in 3 folds/);
    for (const name of ["mean of families", "mean of folds", "worst fold", "fold 2", "de", "note"])
      assert.match(text, new RegExp(`^${name} .*100\\.0 %`, "m"));
  });

  it("lists disputed values with their printed words, and prints the figures without their documents", async () => {
    const row = JSON.parse(await readFile(join(folder, "rows.jsonl"), "utf8")) as {
      transactions: object[];
    };
    const wrong = { ...row, file: "b.txt", transactions: [{ ...row.transactions[0], shares: 91 }] };
    const [rows, list] = [join(folder, "wrong.jsonl"), join(folder, "disputed.jsonl")];
    await writeFile(rows, [row, wrong].map((one) => JSON.stringify(one)).join("\n"));
    await writeFile(list, JSON.stringify({ file: "b.txt", field: "shares", words: "Stück 90" }));
    const { text } = await run("--report", rows, "--disputed", list);
    assert.match(text, /b\.txt +shares +Stück 90/);
    assert.match(text, /^with them +2 +50\.0 %/m);
    assert.match(text, /^without +1 +100\.0 %/m);
    const alone = await run(join(folder, "note.txt"), "--disputed", list);
    assert.equal((alone.error as CommandError).exitCode, EXIT.usage);
  });

  it("confirms with --strict only what is above the stricter confidence", async () => {
    const { text } = await run(join(folder, "note.txt"), "--json", "--strict");
    const { trades } = JSON.parse(text) as {
      trades: { confidence: number; canAutoConfirm: boolean }[];
    };
    assert.ok(STRICT_CONFIRM >= AUTO_CONFIRM);
    assert.equal(trades[0]!.canAutoConfirm, trades[0]!.confidence >= STRICT_CONFIRM);
    const reading = readingOfText(NOTE);
    assert.equal(extractTrades(reading).trades[0]!.canAutoConfirm, true);
    const never = strictly({ ...SHIPPED, strictConfirm: 1 });
    assert.equal(extractTrades(reading, never).trades[0]!.canAutoConfirm, false);
  });

  it("exits with 2 on incorrect usage and with 1 if a file cannot be read", async () => {
    assert.equal(((await run()).error as CommandError).exitCode, EXIT.usage);
    assert.equal(
      ((await run("x.txt", "--corpus", "y")).error as CommandError).exitCode,
      EXIT.usage,
    );
    assert.equal(
      ((await run(join(folder, "absent.pdf"))).error as CommandError).exitCode,
      EXIT.failed,
    );
  });
});
