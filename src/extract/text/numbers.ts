/**
 * Numbers as banks print them. Some can be read in several ways ("1.670", "3 129.28"): all readings are kept,
 * the likeliest first, and the arithmetic of the trade decides.
 */

export interface NumberReading {
  value: number;
  /** Digits after the decimal sign. */
  decimals: number;
}

export interface NumberToken {
  start: number;
  end: number;
  /** The digits and separators as printed, without sign. */
  raw: string;
  readings: NumberReading[];
  isNegative: boolean;
  isPositive: boolean;
  isPercent: boolean;
  /** Joined from groups separated by spaces; each group is also a token of its own. */
  isJoined: boolean;
  /** Has decimals in every reading. */
  hasDecimals: boolean;
  digits: number;
}

export type DecimalSign = "," | "." | null;

const MAX_DIGITS = 18;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isLetterOrDigit(code: number): boolean {
  return isDigit(code) || isLetter(code);
}

/** `folded` is one line as `fold` writes it. `hint` is the decimal sign that the rest of the document uses. */
export function scanNumbers(folded: string, hint: DecimalSign): NumberToken[] {
  const tokens: NumberToken[] = [];
  let i = 0;
  while (i < folded.length) {
    if (!isDigit(folded.charCodeAt(i))) {
      i += 1;
      continue;
    }
    const digitsEnd = endOfNumber(folded, i);
    const end = digitsEnd + dashesAt(folded, digitsEnd);
    const start = isBarePoint(folded, i - 1) ? i - 1 : i;
    if (standsAlone(folded, start, end)) {
      const token = makeToken(folded, start, end, hint, false);
      if (token) tokens.push(token);
    }
    i = end;
  }
  return tokens.length < 2 ? tokens : joinGroups(folded, tokens, hint);
}

/** "1.800,--" and "3,-" print dashes for no cents; returns how many characters they take. */
function dashesAt(folded: string, at: number): number {
  const sign = folded[at];
  if ((sign !== "," && sign !== ".") || folded[at + 1] !== "-") return 0;
  const length = folded[at + 2] === "-" ? 3 : 2;
  return endsWord(folded, at + length) && folded[at + length] !== "-" ? length : 0;
}

/** ".25": a decimal point without a digit before it. */
function isBarePoint(folded: string, at: number): boolean {
  return folded[at] === "." && (at === 0 || " $£€(-+".includes(folded[at - 1]!));
}

function endOfNumber(folded: string, start: number): number {
  let i = start;
  while (i < folded.length) {
    const code = folded.charCodeAt(i);
    if (isDigit(code)) {
      i += 1;
      continue;
    }
    const char = folded[i]!;
    const isSeparator = char === "." || char === "," || char === "'";
    if (!isSeparator || !isDigit(folded.charCodeAt(i + 1))) break;
    i += 1;
  }
  return i;
}

/** "31.05." is a date without its year. */
function isDayOfMonth(folded: string, start: number, end: number): boolean {
  if (end - start !== 5 || folded[start + 2] !== "." || folded[end] !== ".") return false;
  const day = Number(folded.slice(start, start + 2));
  const month = Number(folded.slice(start + 3, end));
  return day >= 1 && day <= 31 && month >= 1 && month <= 12;
}

/** One or two characters in brackets, such as "(1)", refer to a footnote. */
function isFootnote(folded: string, start: number, end: number): boolean {
  return end - start <= 2 && folded[start - 1] === "(" && folded[end] === ")";
}

// A number attached to letters is part of a name or a code, except for units and currency signs.
function standsAlone(folded: string, start: number, end: number): boolean {
  if (isFootnote(folded, start, end) || isDayOfMonth(folded, start, end)) return false;
  const before = start > 0 ? folded.charCodeAt(start - 1) : 32;
  const after = end < folded.length ? folded.charCodeAt(end) : 32;
  if (isLetter(before))
    return isUnitBefore(folded, start) && (!isLetter(after) || isUnitAfter(folded, end));
  if (isLetter(after)) return isUnitAfter(folded, end);
  return !isTied(folded, start - 1, start - 2) && !isTied(folded, end, end + 1);
}

/** A slash, or another sign that connects the digits to further letters or digits, makes them a code. */
function isTied(folded: string, at: number, beyond: number): boolean {
  const sign = folded[at];
  if (sign === "/") return true;
  if (sign !== "-" && sign !== "." && sign !== "_") return false;
  return beyond >= 0 && beyond < folded.length && isLetterOrDigit(folded.charCodeAt(beyond));
}

const UNITS_BEFORE = new Set(["eur", "usd", "chf", "gbp", "stk", "st", "x", "us", "a"]);
const UNITS_AFTER = new Set([
  "eur",
  "usd",
  "chf",
  "gbp",
  "stk",
  "st",
  "x",
  "s",
  "h",
  "kc",
  "kr",
  "zl",
  "p",
  "d",
  "c",
]);

function isUnitBefore(folded: string, start: number): boolean {
  let i = start;
  while (i > 0 && isLetterOrDigit(folded.charCodeAt(i - 1))) i -= 1;
  return UNITS_BEFORE.has(folded.slice(i, start));
}

function isUnitAfter(folded: string, end: number): boolean {
  let i = end;
  while (i < folded.length && isLetterOrDigit(folded.charCodeAt(i))) i += 1;
  return UNITS_AFTER.has(folded.slice(end, i));
}

function makeToken(
  folded: string,
  start: number,
  end: number,
  hint: DecimalSign,
  isJoined: boolean,
): NumberToken | null {
  const raw = folded.slice(start, end);
  const readings = raw.endsWith("-") ? readDashed(raw) : readNumber(raw, hint);
  if (readings.length === 0) return null;
  const sign = signOf(folded, start, end);
  let digits = 0;
  for (let i = 0; i < raw.length; i++) if (isDigit(raw.charCodeAt(i))) digits += 1;
  return {
    start,
    end,
    raw,
    readings,
    isNegative: sign < 0,
    isPositive: sign > 0,
    isPercent: isPercentAfter(folded, end),
    isJoined,
    hasDecimals: readings.every((reading) => reading.decimals > 0),
    digits,
  };
}

function isPercentAfter(folded: string, end: number): boolean {
  let i = end;
  while (folded[i] === " ") i += 1;
  if (folded[i] === "%" || folded[i] === "‰") return true;
  return (
    folded.startsWith("prozent", i) ||
    folded.startsWith("percent", i) ||
    folded.startsWith("per cent", i)
  );
}

/** -1, 0 or 1: from a sign before or after, brackets, or the S (debit) of German ledgers; their H (credit) is no sign. */
function signOf(folded: string, start: number, end: number): number {
  const after = folded[end];
  if (after === "-" && !isLetterOrDigit(folded.charCodeAt(end + 1))) return -1;
  if (after === "+") return 1;
  if (
    (after === "s" || (after === " " && folded[end + 1] === "s")) &&
    endsWord(folded, after === "s" ? end + 1 : end + 2)
  )
    return -1;
  let i = start - 1;
  while (
    i >= 0 &&
    (folded[i] === " " || folded[i] === "€" || folded[i] === "$" || folded[i] === "£")
  )
    i -= 1;
  const before = folded[i];
  if (before === "-" && (i === 0 || folded[i - 1] === " " || start - 1 === i)) {
    return i > 0 && isLetterOrDigit(folded.charCodeAt(i - 1)) ? 0 : -1;
  }
  if (before === "+") return 1;
  if (before === "(" && folded[end] === ")") return -1;
  return 0;
}

function endsWord(folded: string, at: number): boolean {
  return at >= folded.length || !isLetterOrDigit(folded.charCodeAt(at));
}

/** The dashes show that the sign before them is the decimal sign. */
function readDashed(raw: string): NumberReading[] {
  const digits = raw.replace(/[.,]-+$/, "");
  const separators = [...digits].flatMap((char, i) => (isDigit(char.charCodeAt(0)) ? [] : [i]));
  const isPlain = digits.length <= MAX_DIGITS && isGrouped(digits, separators);
  return isPlain ? [{ value: Number(onlyDigits(digits)), decimals: 2 }] : [];
}

/** Returns all sensible readings of digits with separators, the likeliest first. */
export function readNumber(raw: string, hint: DecimalSign): NumberReading[] {
  const separators: number[] = [];
  let digits = 0;
  for (let i = 0; i < raw.length; i++) {
    if (isDigit(raw.charCodeAt(i))) digits += 1;
    else separators.push(i);
  }
  if (digits === 0 || digits > MAX_DIGITS) return [];
  if (separators.length === 0) return [whole(raw)];
  const last = separators[separators.length - 1]!;
  const lastSign = raw[last]!;
  const tail = raw.length - last - 1;
  const others = separators.slice(0, -1).map((at) => raw[at]!);
  if (lastSign === "'" || lastSign === " ") return isGrouped(raw, separators) ? [whole(raw)] : [];
  if (others.includes(lastSign)) return isGrouped(raw, separators) ? [whole(raw)] : [];
  const isGroupedBefore = isGrouped(raw.slice(0, last), separators.slice(0, -1));
  if (others.length > 0) return isGroupedBefore ? [decimal(raw, last)] : [];
  return readOneSeparator(raw, last, tail, hint);
}

function readOneSeparator(
  raw: string,
  last: number,
  tail: number,
  hint: DecimalSign,
): NumberReading[] {
  const asDecimal = decimal(raw, last);
  if (tail !== 3 || last > 3 || last === 0 || raw[0] === "0") return [asDecimal];
  const asWhole = whole(raw);
  const decimalFirst = hint === raw[last];
  return decimalFirst ? [asDecimal, asWhole] : [asWhole, asDecimal];
}

function isGrouped(raw: string, separators: number[]): boolean {
  for (let i = 0; i < separators.length; i++) {
    const next = separators[i + 1] ?? raw.length;
    if (next - separators[i]! - 1 !== 3) return false;
  }
  return separators.length === 0 || separators[0]! <= 3;
}

function onlyDigits(raw: string): string {
  let out = "";
  for (let i = 0; i < raw.length; i++) if (isDigit(raw.charCodeAt(i))) out += raw[i];
  return out;
}

function whole(raw: string): NumberReading {
  return { value: Number(onlyDigits(raw)), decimals: 0 };
}

function decimal(raw: string, at: number): NumberReading {
  const tail = onlyDigits(raw.slice(at + 1));
  return { value: Number(`${onlyDigits(raw.slice(0, at))}.${tail}`), decimals: tail.length };
}

/** Adds the readings in which spaces separate thousands: "5 058,16" beside "5" and "058,16". */
function joinGroups(folded: string, tokens: NumberToken[], hint: DecimalSign): NumberToken[] {
  const out: NumberToken[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const joined = joinFrom(folded, tokens, i, hint);
    if (joined) out.push(joined);
    out.push(tokens[i]!);
  }
  return out;
}

function joinFrom(
  folded: string,
  tokens: NumberToken[],
  first: number,
  hint: DecimalSign,
): NumberToken | null {
  const head = tokens[first]!;
  if (head.raw.length > 3 || head.digits !== head.raw.length || head.raw[0] === "0") return null;
  const previous = tokens[first - 1];
  if (previous && head.start - previous.end === 1 && head.raw.length === 3) return null;
  let last = first;
  while (last + 1 < tokens.length && last - first < 4) {
    const next = tokens[last + 1]!;
    if (next.start - tokens[last]!.end !== 1 || folded[tokens[last]!.end] !== " ") break;
    const group = groupLength(next.raw);
    if (group !== 3) break;
    last += 1;
    if (next.digits !== next.raw.length) break;
  }
  if (last === first) return null;
  return makeJoined(folded, head.start, tokens[last]!.end, hint);
}

function groupLength(raw: string): number {
  let i = 0;
  while (i < raw.length && isDigit(raw.charCodeAt(i))) i += 1;
  return i;
}

function makeJoined(
  folded: string,
  start: number,
  end: number,
  hint: DecimalSign,
): NumberToken | null {
  const token = makeToken(folded, start, end, hint, true);
  if (token) return token;
  const compact = folded.slice(start, end).replaceAll(" ", "");
  const readings = readNumber(compact, hint);
  if (readings.length === 0) return null;
  const sign = signOf(folded, start, end);
  return {
    start,
    end,
    raw: folded.slice(start, end),
    readings: [readings[0]!],
    isNegative: sign < 0,
    isPositive: sign > 0,
    isPercent: isPercentAfter(folded, end),
    isJoined: true,
    hasDecimals: readings[0]!.decimals > 0,
    digits: onlyDigits(compact).length,
  };
}

/** The decimal sign that the document's unambiguous amounts use. */
export function guessDecimalSign(foldedLines: readonly string[]): DecimalSign {
  let comma = 0;
  let point = 0;
  for (const line of foldedLines) {
    for (let i = 1; i + 2 < line.length + 1; i++) {
      const char = line[i];
      if (char !== "," && char !== ".") continue;
      if (
        !isDigit(line.charCodeAt(i - 1)) ||
        !isDigit(line.charCodeAt(i + 1)) ||
        !isDigit(line.charCodeAt(i + 2))
      )
        continue;
      const next = line[i + 3];
      if (
        next !== undefined &&
        (isDigit(line.charCodeAt(i + 3)) ||
          next === "." ||
          next === "," ||
          next === "/" ||
          next === ":")
      )
        continue;
      // Dates such as 12.05.21 contain two points.
      if (char === "." && (line[i - 2] === "." || line[i - 3] === ".")) continue;
      if (char === ",") comma += 1;
      else point += 1;
    }
  }
  if (comma === point) return null;
  return comma > point ? "," : ".";
}
