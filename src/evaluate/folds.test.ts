import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { extractTrades, readingOfText } from "../extract/extract-trades.ts";
import { readUnseen } from "./folds.ts";
import { entriesIn } from "./lexicon-use.ts";
import { proofOf } from "./proof.ts";
import { lowerBound } from "./reliability.ts";
import type { CorpusRow } from "./truth/corpus.ts";
import { judgeDocument } from "./truth/judge.ts";

const note = (net: string) =>
  [
    "Wertpapierabrechnung Kauf",
    "ISIN DE0005200000",
    "Schlusstag 16.04.2021",
    "Stück 90",
    "Kurs EUR 91,30",
    "Kurswert EUR 8.217,00",
    "Provision EUR 41,09",
    `${net} EUR 8.258,09`,
  ].join("\n");

const row = (fold: number, text: string): CorpusRow => ({
  ...{ file: `${fold}.txt`, family: String(fold), language: "de", doc_class: "note", fold, text },
  transactions: [
    {
      ...{ type: "BUY", date: "2021-04-16", isin: "DE0005200000", security_known: true },
      ...{ shares: 90, currency: "EUR", amount: 8258.09, gross: 8217, fees: 41.09, taxes: 0 },
    },
  ],
});

describe("scoring a fold", () => {
  it("disables the words that occur only in the fold itself, and enables them afterwards", () => {
    const own = "Ausmachender Betrag";
    assert.ok(entriesIn(note(own)).has("ausmachender betrag"));
    const { asUnseen } = readUnseen([row(0, note(own)), row(1, note("Endbetrag"))]);
    const has = () => entriesIn(note(own)).has("ausmachender betrag");
    assert.equal(asUnseen(0, has), false);
    assert.equal(asUnseen(1, has), true);
    assert.equal(has(), true);
  });

  it("leaves the extractor unchanged even if reading throws", () => {
    const before = extractTrades(readingOfText(note("Ausmachender Betrag")));
    const { asUnseen } = readUnseen([row(0, note("Endbetrag")), row(1, note("Endbetrag"))]);
    assert.throws(() =>
      asUnseen(0, () => {
        throw new Error("broken");
      }),
    );
    assert.deepEqual(extractTrades(readingOfText(note("Ausmachender Betrag"))), before);
  });

  it("accepts every value that a careful reader would accept", () => {
    const truth = row(0, "");
    const read = {
      ...{ direction: "BUY", date: "2021-04-16", isin: "DE0005200000", shares: 90 },
      ...{ amount: 8258.1, gross: 8217, fees: 41.09, taxes: 0, currency: "EUR" },
      ...{ cancelled: false, confidence: {}, trade_confidence: 0.9, auto_confirm: false },
    };
    const judge = (also: Record<string, number[]> | undefined, amount: number) =>
      judgeDocument(
        {
          ...truth,
          transactions: truth.transactions!.map((one) => ({ ...one, ...(also && { also }) })),
        },
        { file: "0.txt", type: "contract-note", trades: [{ ...read, amount }] },
      ).isCoreExact;
    assert.equal(judge(undefined, 8217), false);
    assert.equal(judge({ amount: [8217] }, 8217), true);
    assert.equal(judge({ amount: [8217] }, 8000), false);
  });

  it("shows how much a small number of documents can prove", () => {
    assert.ok(lowerBound(400, 400) > 0.993 && lowerBound(400, 400) < 0.994);
    assert.ok(lowerBound(10, 10) < 0.8);
    assert.ok(lowerBound(399, 400) < lowerBound(400, 400));
  });
});

describe("the proof of confirmed trades", () => {
  const text = note("Ausmachender Betrag");
  const { trades } = extractTrades(readingOfText(text));
  const evidence = [{ openNear: 0, openCloses: 0, open: 0 }];

  it("names those whose core values are not in the line that they were read from", () => {
    assert.deepEqual(proofOf(trades, evidence, text), {
      ...{ confirmed: 1, unplaced: 0, rivalled: 0, unexplained: 0 },
    });
    const moved = text.replace("Stück 90", "Stück 91");
    assert.equal(proofOf(trades, evidence, moved).unplaced, 1);
    assert.equal(proofOf(trades, evidence, `\n${text}`).unplaced, 1);
  });

  it("counts unexplained amounts once: those that could be the net, and others", () => {
    const counted = (own: object) => {
      const { rivalled, unexplained } = proofOf(trades, [{ ...evidence[0], ...own }], text);
      return [rivalled, unexplained];
    };
    assert.deepEqual(counted({ open: 0.2 }), [0, 1]);
    assert.deepEqual(counted({ open: 0.2, openNear: 1 }), [1, 0]);
    assert.deepEqual(counted({ openCloses: 1 }), [1, 0]);
    const doubted = trades.map((trade) => ({ ...trade, canAutoConfirm: false }));
    assert.equal(proofOf(doubted, evidence, text).confirmed, 0);
  });
});
