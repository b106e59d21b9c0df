/**
 * Turns a reading into lines and types everything on them: numbers, dates, currencies, identifiers, labels
 * and direction words. All positions are character positions in the printed line.
 */
import type { Reading, Word } from "../../reading/reading.ts";
import { CURRENCY_CODES, CURRENCY_SIGNS, CURRENCY_WORDS } from "../lexicon/currencies.ts";
import { fold } from "../lexicon/fold.ts";
import { lexicon } from "../lexicon/index.ts";
import { matchPhrases, splitWords, type WordSpan } from "../lexicon/matcher.ts";
import { scanDates, scanTimes } from "../text/dates.ts";
import { isCusip, isIsin, looksLikeIsin } from "../text/identifiers.ts";
import {
  type DecimalSign,
  guessDecimalSign,
  type NumberToken,
  scanNumbers,
} from "../text/numbers.ts";
import { joinSpacedLetters } from "../text/spaced-letters.ts";
import { readSideLetters } from "./side-letters.ts";
import {
  type CodeToken,
  type CurrencyToken,
  overlaps,
  type Span,
  type TextLine,
} from "./text-line.ts";

/** No bank prints longer lines; the rest of such a line is ignored. */
const LINE_LENGTH_MAX = 1_000;
const LINES_MAX = 6_000;

export function linesOfText(
  text: string,
): { page: number; lineOfPage: number; text: string; boxes: null }[] {
  const out: { page: number; lineOfPage: number; text: string; boxes: null }[] = [];
  let page = 1;
  for (const pageText of text.split("\f")) {
    let lineOfPage = 0;
    for (const line of pageText.split("\n")) {
      if (out.length >= LINES_MAX) return out;
      out.push({ page, lineOfPage, text: line, boxes: null });
      lineOfPage += 1;
    }
    page += 1;
  }
  return out;
}

export function linesOf(reading: Reading): TextLine[] {
  const raw: { page: number; lineOfPage: number; text: string; boxes: Word[] | null }[] = [];
  for (const page of reading.pages) {
    page.lines.forEach((line, lineOfPage) => {
      if (raw.length < LINES_MAX) {
        raw.push({
          page: page.number,
          lineOfPage,
          text: line.text,
          boxes: line.words.length > 0 ? line.words : null,
        });
      }
    });
  }
  return typeLines(raw.length > 0 ? raw : linesOfText(reading.text));
}

function typeLines(
  raw: { page: number; lineOfPage: number; text: string; boxes: Word[] | null }[],
): TextLine[] {
  const cut = raw.map(shape);
  const folded = cut.map((line) => fold(line.text));
  const hint = guessDecimalSign(folded);
  const hasCusips = folded.some((line) => line.includes("cusip"));
  const out: TextLine[] = [];
  for (let i = 0; i < cut.length; i++) {
    if (folded[i]!.trim() === "") continue;
    out.push(typeLine(cut[i]!, folded[i]!, { hint, hasCusips }, out.length));
  }
  readSideLetters(out);
  return out;
}

type RawLine = { page: number; lineOfPage: number; text: string; boxes: Word[] | null };

// Letter-spaced lines lose their boxes: their words are no longer those of the page.
function shape(line: RawLine): RawLine & { isSpaced: boolean } {
  const text = line.text.length > LINE_LENGTH_MAX ? line.text.slice(0, LINE_LENGTH_MAX) : line.text;
  const joined = joinSpacedLetters(text);
  return {
    ...line,
    text: joined ?? text,
    boxes: joined === null ? line.boxes : null,
    isSpaced: joined !== null,
  };
}

function typeLine(
  raw: RawLine & { isSpaced: boolean },
  folded: string,
  { hint, hasCusips }: { hint: DecimalSign; hasCusips: boolean },
  index: number,
): TextLine {
  const words = splitWords(folded);
  const codes = scanCodes(raw.text, folded, words, hasCusips);
  const hasDigits = /[0-9]/.test(folded);
  const dates = hasDigits ? scanDates(folded) : [];
  const times = hasDigits ? scanTimes(folded, dates) : [];
  const currencies = scanCurrencies(raw.text, folded, words);
  return {
    index,
    page: raw.page,
    lineOfPage: raw.lineOfPage,
    text: raw.text,
    folded,
    isSpaced: raw.isSpaced,
    words,
    numbers: valuesOnly(
      scanNumbers(folded, hint),
      [...dates, ...times, ...codes, ...scanIbans(folded, words)],
      currencies,
    ),
    dates,
    times,
    currencies,
    codes,
    labels: matchPhrases(lexicon.labels, folded, words),
    directions: matchPhrases(lexicon.directions, folded, splitCased(raw.text, words)),
    boxes: raw.boxes,
  };
}

const MARKED = /[0-9][.,'’][0-9]{3}[.,][0-9]/;

/**
 * Digits inside dates, codes and account numbers are not values; nor is a single group of a joined amount.
 */
function valuesOnly(
  numbers: NumberToken[],
  taken: readonly Span[],
  currencies: readonly CurrencyToken[],
): NumberToken[] {
  const free = taken.length === 0 ? numbers : numbers.filter((token) => !overlaps(token, taken));
  // If other numbers have a thousands separator, a space between two numbers separates them.
  if (free.some((token) => !token.isJoined && MARKED.test(token.raw)))
    return free.filter((token) => !token.isJoined);
  const sure = free.filter(
    (token) => token.isJoined && currencies.some((currency) => currency.end === token.start - 1),
  );
  if (sure.length === 0) return free;
  return free.filter((token) => token.isJoined || !overlaps(token, sure));
}

/** "DE89 8077 7494 ..." : two letters, two digits, then groups of four. */
function scanIbans(folded: string, words: readonly WordSpan[]): Span[] {
  const out: Span[] = [];
  for (let i = 0; i < words.length; i++) {
    if (!/^[a-z]{2}[0-9]{2}$/.test(words[i]!.text)) continue;
    let last = i;
    while (last + 1 < words.length && /^[0-9a-z]{4}$/.test(words[last + 1]!.text)) last += 1;
    if (last - i < 2) continue;
    const tail = words[last + 1];
    const end = tail && isIbanTail(folded, words[last]!, tail) ? tail.end : words[last]!.end;
    out.push({ start: words[i]!.start, end });
  }
  return out;
}

/** The last group may be shorter; an amount after the account is not part of it. */
function isIbanTail(folded: string, last: WordSpan, tail: WordSpan): boolean {
  if (!/^[0-9]{1,3}$/.test(tail.text) || folded.slice(last.end, tail.start) !== " ") return false;
  return !/^[.,'][0-9-]/.test(folded.slice(tail.end, tail.end + 2));
}

/** "OrderBUY" is two words: capitals after lower-case letters begin a new one. */
function splitCased(text: string, words: readonly WordSpan[]): readonly WordSpan[] {
  let out: WordSpan[] | null = null;
  words.forEach((word, i) => {
    const at = casedEdge(text, word);
    if (at > 0) {
      out ??= words.slice(0, i);
      const cut = at - word.start;
      out.push({ text: word.text.slice(0, cut), start: word.start, end: at });
      out.push({ text: word.text.slice(cut), start: at, end: word.end });
    } else out?.push(word);
  });
  return out ?? words;
}

function casedEdge(text: string, word: WordSpan): number {
  for (let i = word.start + 2; i + 2 < word.end; i++) {
    const [before, after, next] = [
      text.charCodeAt(i - 1),
      text.charCodeAt(i),
      text.charCodeAt(i + 1),
    ];
    if (before >= 97 && before <= 122 && after >= 65 && after <= 90 && next >= 65 && next <= 90)
      return i;
  }
  return 0;
}
function scanCurrencies(text: string, folded: string, words: readonly WordSpan[]): CurrencyToken[] {
  const out: CurrencyToken[] = [];
  for (const word of words) {
    if (word.text.length > 7) continue;
    // Codes may be attached to a number: 12.50EUR, EUR12.50.
    const code = stripDigits(word.text);
    if (code.length === 3 && CURRENCY_CODES.has(code)) {
      const start = word.start + word.text.indexOf(code);
      // In lower case, the same letters spell words of many languages; a code is printed in capitals.
      const printed = text.slice(start, start + 3);
      if (
        printed !== printed.toUpperCase() &&
        code !== "eur" &&
        code !== "usd" &&
        code !== "chf" &&
        code !== "gbp"
      )
        continue;
      out.push({ start, end: start + 3, code: code === "gbx" ? "GBX" : code.toUpperCase() });
    } else if (isRand(text, code, word)) {
      out.push({ start: word.start, end: word.start + 1, code: "ZAR" });
    } else if (CURRENCY_WORDS[code] !== undefined && isUnit(folded, code, word)) {
      const start = word.start + word.text.indexOf(code);
      out.push({ start, end: start + code.length, code: CURRENCY_WORDS[code]! });
    }
  }
  for (let i = 0; i < folded.length; i++) {
    const code = folded.charCodeAt(i);
    if (code !== 36 && code < 160) continue;
    const sign = CURRENCY_SIGNS.find(([text]) => folded.startsWith(text, i - text.length + 1));
    if (sign) out.push({ start: i - sign[0].length + 1, end: i + 1, code: sign[1] });
  }
  return out.length > 1 ? out.sort((a, b) => a.start - b.start) : out;
}

/** "R 1 234.56" and "R12.50": a capital R followed by nothing but an amount. */
function isRand(text: string, code: string, word: WordSpan): boolean {
  if (code !== "r" || text[word.start] !== "R") return false;
  return /^R ?[0-9][0-9 ,]*\.[0-9]{2}(?![0-9])/.test(text.slice(word.start, word.start + 20));
}

/** Words of one or two letters are currencies only beside a number. */
function isUnit(folded: string, code: string, word: WordSpan): boolean {
  if (code.length > 2) return true;
  const start = word.start + word.text.indexOf(code);
  const before = folded.slice(Math.max(0, start - 2), start);
  if (/[0-9] ?$/.test(before)) return code !== "p" || !before.endsWith(" ");
  return (
    code !== "p" && /^\.? ?[0-9]/.test(folded.slice(start + code.length, start + code.length + 3))
  );
}

function stripDigits(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 57) start += 1;
  while (end > start && text.charCodeAt(end - 1) <= 57) end -= 1;
  return text.slice(start, end);
}

/** A CUSIP made of digits only counts only if the document mentions CUSIPs. */
function scanCodes(
  text: string,
  folded: string,
  words: readonly WordSpan[],
  hasCusips: boolean,
): CodeToken[] {
  const out: CodeToken[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const code = text.slice(word.start, word.end);
    if (code.length === 12 && looksLikeIsin(code)) {
      out.push({
        start: word.start,
        end: word.end,
        text: code,
        kind: isIsin(code) ? "isin" : "isin-unchecked",
      });
    } else if (
      code.length === 9 &&
      /[0-9]{3}/.test(code) &&
      isCusip(code) &&
      (hasCusips || /[A-Z]/.test(code))
    ) {
      out.push({ start: word.start, end: word.end, text: code, kind: "cusip" });
    } else if (code.length === 2 && words[i + 1]) {
      const spaced = spacedIsin(text, folded, words, i);
      if (spaced) out.push(spaced);
    }
  }
  return out;
}

// "DE 000 520 000 0" and "DE 0005200000" are printed too; they count only if the check digit is right.
function spacedIsin(
  text: string,
  folded: string,
  words: readonly WordSpan[],
  first: number,
): CodeToken | null {
  let code = "";
  for (let i = first; i < words.length && code.length < 12; i++) {
    if (i > first && folded.slice(words[i - 1]!.end, words[i]!.start) !== " ") return null;
    code += text.slice(words[i]!.start, words[i]!.end);
    if (code.length === 12 && isIsin(code)) {
      return { start: words[first]!.start, end: words[i]!.end, text: code, kind: "isin" };
    }
  }
  return null;
}
