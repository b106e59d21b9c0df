import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { createPdfReader, type PdfReader, type ReadingResult } from "../src/documents/read-pdf.ts";
import { systemClock } from "../src/lib/clock.ts";
import { extractTrades, readingOfText } from "../src/trades/extract/extract-trades.ts";
import { type PredictionRow, predictionOf } from "../src/trades/extract/prediction.ts";
import { judgeRow, type TruthRow } from "../src/trades/extract/report/judge.ts";

const CORPUS = join(import.meta.dirname, "../../shared/corpus");
const isPresent = existsSync(join(CORPUS, "dev.jsonl"));

interface Row extends TruthRow {
  family: string;
  doc_class: string;
  text: string;
  pdf?: string;
}

interface Tally {
  withTrades: number;
  exact: number;
  withoutTrades: number;
  falseTrades: number;
  statements: number;
  falseStatements: number;
  confirmed: number;
  confirmedRight: number;
}

describe("on real documents of banks that the rules were not made from", () => {
  if (!isPresent) {
    it("nothing is measured: the folder of real documents is absent here", () => {
      console.log(`skipped: ${CORPUS} is absent`);
    });
    return;
  }

  it("every third family, whose texts were never opened, keeps what it reached", {
    timeout: 120_000,
  }, () => {
    const rows = load("dev.jsonl");
    const families = [...new Set(rows.map((row) => row.family))].sort();
    const aside = new Set(families.filter((_, index) => index % 3 === 2));
    const held = measure(rows.filter((row) => aside.has(row.family)));
    const seen = measure(rows.filter((row) => !aside.has(row.family)));
    print("families set aside", held);
    print("other families", seen);
    assert.ok(held.exact / held.withTrades >= 0.7);
    assert.ok(seen.exact / seen.withTrades >= 0.7);
    assert.ok(held.falseTrades / held.withoutTrades <= 0.025);
    assert.ok(held.falseStatements / held.statements <= 0.03);
  });

  let reader: PdfReader | null = null;
  afterAll(() => reader?.close());

  it("from the bytes of PDF files at least nine of ten are right", {
    timeout: 120_000,
  }, async () => {
    reader = createPdfReader({ clock: systemClock });
    let withTrades = 0;
    let exact = 0;
    for (const row of load("pdf.jsonl")) {
      const result: ReadingResult = await reader.read(readFileSync(join(CORPUS, row.pdf!)));
      const prediction: PredictionRow = result.ok
        ? predictionOf(row.file, extractTrades(result.reading))
        : { file: row.file, type: "other", trades: [] };
      const known = liveTrades(row);
      if (known === 0) assert.deepEqual(prediction.trades, [], row.file);
      else {
        withTrades += 1;
        if (isExact(row, prediction, known)) exact += 1;
      }
    }
    assert.ok(exact / withTrades >= 0.9, `${exact} of ${withTrades}`);
  });
});

function load(name: string): Row[] {
  const text = readFileSync(join(CORPUS, name), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
}

function liveTrades(row: Row): number {
  return (row.transactions ?? []).filter(
    (trade) => (trade.type === "BUY" || trade.type === "SELL") && !trade.status,
  ).length;
}

function isExact(row: Row, prediction: PredictionRow, known: number): boolean {
  const judged = judgeRow(row, prediction);
  return judged.length === known && judged.every((trade) => trade.isRight);
}

function measure(rows: readonly Row[]): Tally {
  const tally: Tally = {
    withTrades: 0,
    exact: 0,
    withoutTrades: 0,
    falseTrades: 0,
    statements: 0,
    falseStatements: 0,
    confirmed: 0,
    confirmedRight: 0,
  };
  for (const row of rows) {
    const prediction = predictionOf(row.file, extractTrades(readingOfText(row.text)));
    const judged = judgeRow(row, prediction);
    const known = liveTrades(row);
    for (const trade of judged) {
      if (!trade.isConfirmed) continue;
      tally.confirmed += 1;
      if (trade.isRight) tally.confirmedRight += 1;
    }
    if (known > 0) {
      tally.withTrades += 1;
      if (isExact(row, prediction, known)) tally.exact += 1;
    } else if (row.doc_class === "account_statement") {
      tally.statements += 1;
      if (judged.length > 0) tally.falseStatements += 1;
    } else {
      tally.withoutTrades += 1;
      if (judged.length > 0) tally.falseTrades += 1;
    }
  }
  return tally;
}

function print(name: string, tally: Tally): void {
  const share = (part: number, whole: number) =>
    `${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`;
  console.log(
    `${name}: core exact ${share(tally.exact, tally.withTrades)}, false ${share(tally.falseTrades, tally.withoutTrades)}, ` +
      `false on statements ${share(tally.falseStatements, tally.statements)}, confirmed right ${share(tally.confirmedRight, tally.confirmed)}`,
  );
}
