import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { extractTrades, readingOfText } from "../src/extract/extract-trades.ts";

/** Documents per second on one core, for one set of texts. */
export interface ExtractFigure {
  bench: "extract";
  case: string;
  documents: number;
  /** Documents per second, the median of all rounds. */
  ours: number;
  /** (largest - smallest) / median. */
  spread: number;
  floor: number;
  aim: number;
  holds: boolean;
}

const FLOOR = 200;
const AIM = 1_000;
const CORPUS = join(import.meta.dirname, "../../shared/corpus/corpus.jsonl");

/** Extracts trades from generated notes and, if their folder is present, from real documents. */
export async function benchExtract(options: { quick?: boolean } = {}): Promise<ExtractFigure[]> {
  const rounds = options.quick ? 3 : 9;
  const figures = [measure("generated notes", madeNotes(options.quick ? 200 : 1_000), rounds)];
  if (existsSync(CORPUS))
    figures.push(measure("real documents", realTexts(options.quick ? 200 : 1_872), rounds));
  return figures;
}

function measure(name: string, texts: readonly string[], rounds: number): ExtractFigure {
  const rates: number[] = [];
  for (let round = -1; round < rounds; round++) {
    // Processor time, not wall time: the figure is for one core, even if others use it.
    const started = process.cpuUsage();
    for (const text of texts) extractTrades(readingOfText(text));
    const { user, system } = process.cpuUsage(started);
    const rate = (texts.length * 1_000_000) / (user + system);
    if (round >= 0) rates.push(rate);
  }
  rates.sort((a, b) => a - b);
  const median = rates[rates.length >> 1]!;
  const spread = (rates.at(-1)! - rates[0]!) / median;
  return {
    bench: "extract",
    case: name,
    documents: texts.length,
    ours: median,
    spread,
    floor: FLOOR,
    aim: AIM,
    holds: median >= FLOOR,
  };
}

function realTexts(count: number): string[] {
  const lines = readFileSync(CORPUS, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.slice(0, count).map((line) => (JSON.parse(line) as { text: string }).text);
}

const MONEY = new Intl.NumberFormat("de-DE", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

function madeNotes(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const quantity = 1 + (i % 97);
    const price = 10 + (i % 311) / 4;
    const gross = quantity * price;
    const fee = 4.9 + (i % 7);
    return [
      "Beispielbank AG, Musterweg 1, 12345 Musterstadt",
      `Wertpapierabrechnung ${i % 2 ? "Verkauf" : "Kauf"}`,
      "Depotnummer 4711 0815",
      "Beispiel Werke AG Inhaber-Aktien o.N.",
      "ISIN DE0005200000 WKN 520000",
      "Schlusstag 16.04.2021 12:38:47",
      `Stück ${quantity}`,
      `Kurs EUR ${MONEY.format(price)}`,
      `Kurswert EUR ${MONEY.format(gross)}`,
      `Provision EUR ${MONEY.format(fee)}`,
      `Ausmachender Betrag EUR ${MONEY.format(i % 2 ? gross - fee : gross + fee)}`,
      "Valuta 20.04.2021",
      "Diese Abrechnung wurde maschinell erstellt und wird nicht unterschrieben.",
    ].join("\n");
  });
}
