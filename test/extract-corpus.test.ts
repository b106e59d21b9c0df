import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { familiesAside } from "../src/evaluate/halves.ts";
import { judgeDocument, type TruthRow } from "../src/evaluate/judge.ts";
import { type JudgedRow, share, type Tally, tallyOf } from "../src/evaluate/tally.ts";
import { type PredictionRow, predictionOf } from "../src/extract/answer/prediction.ts";
import { extractTrades, readingOfText } from "../src/extract/extract-trades.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createPdfReader, type PdfReader, type ReadingResult } from "../src/reading/read-pdf.ts";

const CORPUS = join(import.meta.dirname, "../../shared/corpus");
const isPresent = existsSync(join(CORPUS, "dev.jsonl"));

/** Shares of documents exact in the core and in all fields, of confirmed trades right, of trades confirmed. */
const LEAST = { core: 0.7, full: 0.55, right: 0.995, covered: 0.5 };
/** Shares of documents without trades that get one. */
const MOST = { others: 0.01, statements: 0.03 };
/** The same on the families that may be looked at: what was reached, less about a point. */
const LEAST_SEEN = { core: 0.83, full: 0.715, right: 0.995, covered: 0.24 };
const MOST_SEEN = { others: 0.005, statements: 0.01 };

interface Row extends TruthRow {
  family: string;
  doc_class: string;
  text: string;
  pdf?: string;
}

describe("on real documents of banks that the rules were not made from", () => {
  if (!isPresent) {
    it("nothing is measured: the folder of real documents is absent here", () => {
      console.log(`skipped: ${CORPUS} is absent`);
    });
    return;
  }

  it("every third family, whose texts were never opened, is read as well as it must be", {
    timeout: 240_000,
  }, () => {
    const rows = load("dev.jsonl");
    const aside = familiesAside(rows);
    const held = tallyOf(rows.filter((row) => aside.has(row.family)).map(judge));
    const seen = tallyOf(rows.filter((row) => !aside.has(row.family)).map(judge));
    print("families set aside", held);
    print("other families", seen);
    expectWithin(held, LEAST, MOST);
    expectWithin(seen, LEAST_SEEN, MOST_SEEN);
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
      const judged = judgeDocument(row, prediction);
      if (judged.known === 0) assert.deepEqual(prediction.trades, [], row.file);
      else withTrades += 1;
      if (judged.known > 0 && judged.isCoreExact) exact += 1;
    }
    assert.ok(exact / withTrades >= 0.9, `${exact} of ${withTrades}`);
  });
});

function expectWithin(tally: Tally, least: typeof LEAST, most: typeof MOST): void {
  const reached = {
    core: tally.coreExact / tally.withTrades,
    full: tally.fullExact / tally.withTrades,
    right: tally.confirmedRight / tally.confirmed,
    covered: tally.confirmed / tally.read,
  };
  for (const [name, share] of Object.entries(reached))
    assert.ok(share >= least[name as keyof typeof least], `${name}: ${share}`);
  const wrong = {
    others: tally.falseTrades / tally.withoutTrades,
    statements: tally.falseStatements / tally.statements,
  };
  for (const [name, share] of Object.entries(wrong))
    assert.ok(share <= most[name as keyof typeof most], `${name}: ${share}`);
}

function load(name: string): Row[] {
  const text = readFileSync(join(CORPUS, name), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
}

function judge(row: Row): JudgedRow {
  const prediction = predictionOf(row.file, extractTrades(readingOfText(row.text)));
  return { judged: judgeDocument(row, prediction), doc_class: row.doc_class };
}

function print(name: string, tally: Tally): void {
  const say = (part: number, whole: number) => `${part} of ${whole} (${share(part, whole)})`;
  console.log(
    `${name}: core exact ${say(tally.coreExact, tally.withTrades)}, full exact ${say(tally.fullExact, tally.withTrades)}, ` +
      `false ${say(tally.falseTrades, tally.withoutTrades)}, on statements ${say(tally.falseStatements, tally.statements)}, ` +
      `confirmed ${say(tally.confirmed, tally.read)}, of them right ${say(tally.confirmedRight, tally.confirmed)}`,
  );
}
