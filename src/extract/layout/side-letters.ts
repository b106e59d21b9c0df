/** Tables that print the side as one letter, under a header such as "B/S" that explains the letters. */
import type { TextLine } from "./text-line.ts";

/** The letters for purchase and sale, by header. */
const HEADS: readonly (readonly [head: string, buy: string, sell: string])[] = [
  ["b/s", "B", "S"],
  ["s/b", "B", "S"],
  ["buy/sell", "B", "S"],
  ["buy(b)/sell(s)", "B", "S"],
  ["bought/sold", "B", "S"],
  ["k/v", "K", "V"],
  ["kauf/verkauf", "K", "V"],
  ["koop/verkoop", "K", "V"],
  ["aankoop/verkoop", "A", "V"],
  ["a/v", "A", "V"],
  ["achat/vente", "A", "V"],
  ["acquisto/vendita", "A", "V"],
  ["c/v", "C", "V"],
  ["compra/venta", "C", "V"],
  ["compra/venda", "C", "V"],
  ["k/s", "K", "S"],
  ["kop/salj", "K", "S"],
  ["kjop/salg", "K", "S"],
  ["kupno/sprzedaz", "K", "S"],
  ["o/m", "O", "M"],
  ["osto/myynti", "O", "M"],
  ["n/p", "N", "P"],
  ["nakup/prodej", "N", "P"],
];

/** Adds the direction to the rows below such a header. */
export function readSideLetters(lines: readonly TextLine[]): void {
  let side: (typeof HEADS)[number] | null = null;
  for (const line of lines) {
    const hasAmounts = line.numbers.some((token) => token.hasDecimals);
    if (!hasAmounts && line.folded.includes("/")) side = headOn(line) ?? side;
    else if (side && hasAmounts && line.directions.length === 0) readRow(line, side);
  }
}

function headOn(line: TextLine): (typeof HEADS)[number] | null {
  const text = ` ${line.folded.replaceAll(" /", "/").replaceAll("/ ", "/")} `;
  return HEADS.find(([head]) => text.includes(` ${head} `)) ?? null;
}

function readRow(line: TextLine, [, buy, sell]: (typeof HEADS)[number]): void {
  const fitting = line.words.flatMap((word, index) => {
    const text = line.text.slice(word.start, word.end);
    return text === buy || text === sell ? [{ word, index, text }] : [];
  });
  // Names contain single letters too; a row with two of them is ambiguous.
  if (fitting.length !== 1) return;
  const { word, index, text } = fitting[0]!;
  line.directions.push({
    value: text === buy ? "BUY" : "SELL",
    phrase: text,
    start: word.start,
    end: word.end,
    first: index,
    last: index,
  });
}
