import { extractTextItems } from "unpdf";
import { systemClock } from "../src/lib/clock.ts";
import { createPdfReader } from "../src/reading/read-pdf.ts";
import { makeNote } from "../tenant/content/notes/make-note.ts";

/** One comparison of two ways to do the same work, as every benchmark here prints it. */
export interface PdfComparison {
  bench: "pdf";
  case: string;
  /** Pages a second, the median of all rounds. */
  ours: number;
  against: string;
  theirs: number;
  ratio: number;
  /** How much our rounds differ: (largest - smallest) / median. */
  spread: number;
  floor: number;
  aim: number;
  holds: boolean;
  peakChildMiB: number;
}

const FLOOR = 0.7;
const AIM = 0.9;

/**
 * Compares the warm sandbox with the bare library in this process: the same notes, one after another
 * and as many at once as there are children. All ways take turns within a round.
 */
export async function benchPdf(options: { quick?: boolean } = {}): Promise<PdfComparison[]> {
  const notes = await makeNotes(options.quick ? 20 : 80);
  const rounds = options.quick ? 3 : 9;
  const reader = createPdfReader({ clock: systemClock });
  const ways = {
    bare: async () => {
      let pages = 0;
      for (const pdf of notes) pages += (await extractTextItems(new Uint8Array(pdf))).totalPages;
      return pages;
    },
    "one at a time": async () => {
      let pages = 0;
      for (const pdf of notes) pages += await readPages(pdf);
      return pages;
    },
    "two at a time": async () => {
      const pages = await Promise.all(notes.map(readPages));
      return pages.reduce((sum, count) => sum + count, 0);
    },
  };
  const readPages = async (pdf: Buffer) => {
    const result = await reader.read(pdf);
    return result.ok ? result.reading.pages.length : 0;
  };

  const rates = new Map<string, number[]>();
  for (let round = -1; round < rounds; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const startedMs = performance.now();
      const pages = await way();
      const rate = (pages * 1000) / (performance.now() - startedMs);
      if (round >= 0) rates.set(name, [...(rates.get(name) ?? []), rate]);
    }
  }
  const peakChildMiB = Math.round(reader.stats().peakRssBytes / 2 ** 20);
  await reader.close();
  return ["one at a time", "two at a time"].map((name) => compare(name, rates, peakChildMiB));
}

async function makeNotes(count: number): Promise<Buffer[]> {
  const notes: Buffer[] = [];
  for (let seed = 0; seed < count; seed++) {
    const kind = seed % 8 === 0 ? "statement" : undefined;
    const note = await makeNote({ seed: `bench/${seed}`, trades: 40, ...(kind ? { kind } : {}) });
    notes.push(note.pdf);
  }
  return notes;
}

function compare(name: string, rates: Map<string, number[]>, peakChildMiB: number): PdfComparison {
  const mine = rates.get(name)!;
  const ours = median(mine);
  const theirs = median(rates.get("bare")!);
  const ratio = ours / theirs;
  return {
    bench: "pdf",
    case: name,
    ours: Math.round(ours),
    against: "unpdf in-process",
    theirs: Math.round(theirs),
    ratio: Number(ratio.toFixed(2)),
    spread: Number(((Math.max(...mine) - Math.min(...mine)) / ours).toFixed(2)),
    floor: FLOOR,
    aim: AIM,
    holds: ratio >= FLOOR,
    peakChildMiB,
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

if (process.argv[1]?.endsWith("bench/pdf.ts")) {
  const comparisons = await benchPdf({ quick: process.argv.includes("--quick") });
  for (const comparison of comparisons) console.log(JSON.stringify(comparison));
}
