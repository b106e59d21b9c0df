import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { extractTrades, readingOfText } from "../src/extract/extract-trades.ts";

const SIZE = 1_000_000;
/** Processor time that tells bounded work from work without end, also on a busy machine; measured is a fifth. */
const LIMIT_MS = 5_000;

const fill = (part: string) => part.repeat(Math.ceil(SIZE / part.length)).slice(0, SIZE);
const count = (make: (i: number) => string) => {
  const parts: string[] = [];
  for (let i = 0, length = 0; length < SIZE; i++) {
    const part = make(i);
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join("\n").slice(0, SIZE);
};
const money = (value: number) => value.toFixed(2).replace(".", ",");

const SHAPES: Readonly<Record<string, string>> = {
  "digits alone": fill("1234567890"),
  "digits with blanks": fill("1 "),
  "one number a line": fill("1\n"),
  "ISINs on one line": fill("DE0005200000 "),
  "ISINs on many": fill("DE0005200000\n"),
  "labels on one line": fill("Kurswert Provision Stück Kurs "),
  "labels on many": fill("Kurswert\nProvision\nStück\nKurs\n"),
  "one long line": fill("a"),
  "half a million short lines": fill("a\n"),
  "empty lines": fill("\n"),
  "nested brackets": fill("([{"),
  "one word of direction": fill("Kauf "),
  "words of direction by lines": fill("Kauf\nVerkauf\nStorno\n"),
  "dates on one line": fill("12.12.2020 "),
  "sixty dates a line": count((i) => fill(`0${(i % 9) + 1}.12.2020 `).slice(0, 660)),
  blanks: fill(" "),
  "combining letters": fill("e\u0301"),
  "letters with gaps": fill("K a u f S t u e c k "),
  "amounts without end": fill("EUR 1,00 "),
  "sixty numbers a line": count((i) =>
    Array.from({ length: 60 }, (_, k) => money((i * k) % 97)).join(" "),
  ),
  "fees of one note":
    `Kauf\nISIN DE0005200000\nStück 10\nKurs EUR 10,50\nKurswert EUR 105,00\n${count(
      (i) => `Provision ${money((i % 1000) / 100 + 0.01)} EUR`,
    )}`.slice(0, SIZE),
  "nets of one note": count((i) => `Ausmachender Betrag EUR ${money(i)}`),
  "quantities and prices": count((i) => `Stück ${i} Kurs ${money(i % 100)}`),
  products: fill("Kurs 10,00 Stück 5 Betrag 50,00\n"),
  "heads of tables": fill("Datum Stück Kurs Betrag Gebühr\n12.12.2020 5 10,00 50,00 1,00\n"),
  "rows that are trades": count(
    (i) =>
      `Kauf ${String((i % 28) + 1).padStart(2, "0")}.12.2020 DE0005200000 Stück ${(i % 97) + 1} Kurs 10,50 EUR Betrag ${money(((i % 97) + 1) * 10.5)} EUR`,
  ),
  "notes without end": count((i) =>
    [
      "Kauf",
      "ISIN DE0005200000",
      `Schlusstag 0${(i % 9) + 1}.12.2020`,
      `Stück ${(i % 97) + 1}`,
      "Kurs EUR 10,50",
      `Kurswert EUR ${money(((i % 97) + 1) * 10.5)}`,
      "Provision EUR 1,00",
      `Ausmachender Betrag EUR ${money(((i % 97) + 1) * 10.5 + 1)}`,
    ].join("\n"),
  ),
};

describe("a megabyte of text that was made to keep us busy", () => {
  it.each(Object.keys(SHAPES))("ends soon: %s", { timeout: 60_000 }, (name) => {
    const text = SHAPES[name]!;
    const started = process.cpuUsage();
    extractTrades(readingOfText(text));
    // Time of the processor, since others share it.
    const { user, system } = process.cpuUsage(started);
    const took = (user + system) / 1_000;
    if (took > 500) console.log(`${name}: ${took.toFixed(0)} ms`);
    assert.ok(took < LIMIT_MS, `${took.toFixed(0)} ms`);
  });
});
