/**
 * Finds the ticker, the short name of a security on its exchange: labelled, beside an exchange, in brackets,
 * or alone on a row.
 */
import type { TextLine } from "../layout/text-line.ts";
import { CURRENCY_CODES } from "../lexicon/currencies.ts";
import { COINS, EXCHANGES, NOT_TICKERS } from "../lexicon/exchanges.ts";
import { lexicon } from "../lexicon/index.ts";
import type { WordSpan } from "../lexicon/matcher.ts";
import type { SecurityCode } from "./security-code.ts";

/** How clearly the page marks a word as a ticker. */
const SCORE = {
  labelled: 0.9,
  suffixed: 0.8,
  headed: 0.7,
  bracketed: 0.6,
  coin: 0.5,
  bare: 0.4,
} as const;

const LENGTH_MAX = 6;

/** `rows` are the lines of the trade itself; only there can a bare word in capitals count. */
export function findTicker(
  lines: readonly TextLine[],
  rows: readonly TextLine[],
  hasCode: boolean,
): SecurityCode | null {
  return (
    labelled(lines) ??
    best(lines, tiedToExchange) ??
    best(lines, coin) ??
    (hasCode ? null : (underHead(lines) ?? best(lines, inBrackets) ?? best(rows, bare)))
  );
}

function best(
  lines: readonly TextLine[],
  find: (line: TextLine) => SecurityCode | null,
): SecurityCode | null {
  for (const line of lines) {
    const found = find(line);
    if (found) return found;
  }
  return null;
}

function tickerLabel(line: TextLine) {
  return line.labels.find((label) => label.value.some((hit) => hit.concept === "ticker"));
}

/** To the right of its label, or alone at the start of the next line. */
function labelled(lines: readonly TextLine[]): SecurityCode | null {
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const label = tickerLabel(line);
    if (!label) continue;
    const word = line.words.find((candidate) => candidate.start >= label.end);
    if (word) {
      const isNear = word.start - label.end <= 4;
      const found = isNear && isTicker(line, word, true) ? foundAt(line, word, 1) : null;
      if (found) return found;
      continue;
    }
    const below = lines[i + 1];
    const first = below?.words[0];
    if (below && first && below.words.length <= 2 && isTicker(below, first, true))
      return foundAt(below, first, SCORE.labelled);
  }
  return null;
}

/** In a column with the header "symbol": the word of the row that looks like a ticker. */
function underHead(lines: readonly TextLine[]): SecurityCode | null {
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (!tickerLabel(line) || line.numbers.some((token) => token.hasDecimals)) continue;
    for (const below of lines.slice(i + 1, i + 4)) {
      const word = below.words.find((candidate) => isTicker(below, candidate, false));
      if (word) return foundAt(below, word, SCORE.headed);
    }
  }
  return null;
}

/** "NASDAQ: AAPL", "AAPL.US", "AAPL:xnas", "AAPL US Equity". */
function tiedToExchange(line: TextLine): SecurityCode | null {
  for (let i = 0; i + 1 < line.words.length; i++) {
    const [left, right] = [line.words[i]!, line.words[i + 1]!];
    const gap = line.folded.slice(left.end, right.start);
    const isBefore = gap.startsWith(":") && gap.trim() === ":";
    if (isBefore && EXCHANGES.has(left.text) && isTicker(line, right, true))
      return foundAt(line, right, SCORE.labelled);
    const isSuffix = gap === "." || gap === ":";
    if (isSuffix && EXCHANGES.has(right.text) && isTicker(line, left, false))
      return foundAt(line, left, SCORE.suffixed);
  }
  return null;
}

function coin(line: TextLine): SecurityCode | null {
  const word = line.words.find((candidate) =>
    COINS.has(line.text.slice(candidate.start, candidate.end)),
  );
  return word ? foundAt(line, word, SCORE.coin) : null;
}

/** "Apple Inc. (AAPL)" */
function inBrackets(line: TextLine): SecurityCode | null {
  const word = line.words.find(
    (candidate, i) =>
      i > 0 &&
      line.text[candidate.start - 1] === "(" &&
      line.text[candidate.end] === ")" &&
      isTicker(line, candidate, false),
  );
  return word ? foundAt(line, word, SCORE.bracketed) : null;
}

/**
 * A name in capitals looks like a ticker, so the row must also have lower-case letters or begin with the
 * ticker.
 */
function bare(line: TextLine): SecurityCode | null {
  const fitting = line.words.filter((word) => isTicker(line, word, false));
  if (fitting.length === 0) return null;
  const chosen =
    fitting.find((word) => isHead(line, word)) ??
    fitting.find((word) => isBeforeNumber(line, word)) ??
    (fitting.length === 1 ? fitting[0]! : null);
  return chosen && foundAt(line, chosen, SCORE.bare);
}

/** True if it is first on its line, or first after the date and the direction word. */
function isHead(line: TextLine, word: WordSpan): boolean {
  return line.words.every(
    (other) =>
      other.start >= word.start ||
      other.text.charCodeAt(0) <= 57 ||
      line.dates.some((date) => other.start >= date.start && other.end <= date.end) ||
      line.directions.some((match) => other.start >= match.start && other.end <= match.end),
  );
}

/** True if it is last before the numbers, where description, symbol and quantity follow each other. */
function isBeforeNumber(line: TextLine, word: WordSpan): boolean {
  const number = line.numbers.find((token) => token.start >= word.end);
  return number !== undefined && /^[ (+-]*$/.test(line.folded.slice(word.end, number.start));
}

function isTicker(line: TextLine, word: WordSpan, isNamed: boolean): boolean {
  const text = line.text.slice(word.start, word.end);
  if (text.length > LENGTH_MAX + (isNamed ? 2 : 0) || NOT_TICKERS.has(text)) return false;
  if (CURRENCY_CODES.has(word.text) || EXCHANGES.has(word.text)) return false;
  if (line.codes.some((code) => word.start >= code.start && word.end <= code.end)) return false;
  if (isNamed) return /^[A-Z0-9]+$/.test(text) && (/[A-Z]/.test(text) || text.length >= 4);
  return /^[A-Z]{2,5}[0-9]?$/.test(text) && !lexicon.words.has(word.text);
}

function foundAt(line: TextLine, word: WordSpan, score: number): SecurityCode {
  return {
    text: line.text.slice(word.start, word.end),
    line: line.index,
    start: word.start,
    end: word.end,
    score,
  };
}
