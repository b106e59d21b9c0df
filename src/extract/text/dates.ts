/** Finds dates in all common orders and languages. `alternative` is the date with day and month swapped. */
import { MONTHS } from "../lexicon/months.ts";

export interface DateToken {
  start: number;
  end: number;
  iso: string;
  alternative: string | null;
}

export interface TimeToken {
  start: number;
  end: number;
  /** HH:MM or HH:MM:SS */
  value: string;
}

interface Piece {
  text: string;
  start: number;
  end: number;
  isNumber: boolean;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

function pieces(folded: string): Piece[] {
  const out: Piece[] = [];
  let i = 0;
  while (i < folded.length) {
    const code = folded.charCodeAt(i);
    const digit = isDigit(code);
    if (!digit && !isLetter(code)) {
      i += 1;
      continue;
    }
    const start = i;
    while (
      i < folded.length &&
      (digit ? isDigit(folded.charCodeAt(i)) : isLetter(folded.charCodeAt(i)))
    )
      i += 1;
    out.push({ text: folded.slice(start, i), start, end: i, isNumber: digit });
  }
  return out;
}

export function scanDates(folded: string): DateToken[] {
  const out: DateToken[] = [];
  const parts = pieces(folded);
  for (let i = 0; i < parts.length; i++) {
    const found =
      numericDate(folded, parts, i) ?? namedDate(folded, parts, i) ?? compactDate(folded, parts, i);
    if (!found) continue;
    out.push(found);
    while (i + 1 < parts.length && parts[i + 1]!.start < found.end) i += 1;
  }
  return out;
}

function gap(folded: string, left: Piece, right: Piece): string {
  return folded.slice(left.end, right.start);
}

function glued(folded: string, at: number): boolean {
  const code = folded.charCodeAt(at);
  return isDigit(code) || isLetter(code);
}

const SEPARATORS = new Set([".", "/", "-", ". ", " - ", " . ", " / "]);

function numericDate(folded: string, parts: Piece[], i: number): DateToken | null {
  const [a, b, c] = [parts[i]!, parts[i + 1], parts[i + 2]];
  if (!b || !c || !a.isNumber || !b.isNumber || !c.isNumber) return null;
  const first = gap(folded, a, b);
  if (!SEPARATORS.has(first) || gap(folded, b, c) !== first) return null;
  if (a.start > 0 && isDigit(folded.charCodeAt(a.start - 1))) return null;
  if (a.start > 1 && folded[a.start - 1] === first && isDigit(folded.charCodeAt(a.start - 2)))
    return null;
  if (folded[c.end] === first && isDigit(folded.charCodeAt(c.end + 1)) && first !== "-")
    return null;
  if (a.text.length === 4)
    return token(a.start, c.end, Number(a.text), Number(b.text), Number(c.text), null);
  if (a.text.length > 2 || b.text.length > 2) return null;
  const year = fullYear(c.text);
  if (year === null) return null;
  const [x, y] = [Number(a.text), Number(b.text)];
  const day = token(a.start, c.end, year, y, x, null);
  const month = first.includes(".") ? null : token(a.start, c.end, year, x, y, null);
  if (day && month && day.iso !== month.iso) return { ...day, alternative: month.iso };
  return day ?? month;
}

function namedDate(folded: string, parts: Piece[], i: number): DateToken | null {
  return dayFirst(folded, parts, i) ?? monthFirst(folded, parts, i);
}

/** 5. Januar 2020, 5 de enero de 2020, 05-Dec-2024, 05DEC24. */
function dayFirst(folded: string, parts: Piece[], i: number): DateToken | null {
  const day = parts[i]!;
  if (!day.isNumber || day.text.length > 2 || isDecimalPart(folded, day)) return null;
  let at = i + 1;
  if (parts[at] && ["st", "nd", "rd", "th", "er", "de"].includes(parts[at]!.text)) at += 1;
  const name = parts[at];
  if (!name || name.isNumber || name.start - day.end > 6) return null;
  const month = MONTHS[name.text];
  if (month === undefined) return null;
  at += 1;
  if (parts[at] && ["de", "del"].includes(parts[at]!.text)) at += 1;
  const year = parts[at];
  if (!year?.isNumber || year.start - name.end > 8) return null;
  const full = fullYear(year.text);
  if (full === null || (year.text.length === 2 && gap(folded, name, year).includes(",")))
    return null;
  return token(day.start, year.end, full, month, Number(day.text), null);
}

function isDecimalPart(folded: string, piece: Piece): boolean {
  const before = folded[piece.start - 1];
  return (before === "." || before === ",") && isDigit(folded.charCodeAt(piece.start - 2));
}

/** Jul 11, 2024; DEC/08/2023. */
function monthFirst(folded: string, parts: Piece[], i: number): DateToken | null {
  const [name, day] = [parts[i]!, parts[i + 1]];
  if (name.isNumber || !day?.isNumber || day.text.length > 2) return null;
  const month = MONTHS[name.text];
  if (month === undefined || day.start - name.end > 2) return null;
  let at = i + 2;
  if (parts[at] && ["st", "nd", "rd", "th"].includes(parts[at]!.text)) at += 1;
  const year = parts[at];
  if (!year?.isNumber || year.text.length !== 4 || year.start - day.end > 5) return null;
  if (gap(folded, day, year).includes(".")) return null;
  return token(name.start, year.end, Number(year.text), month, Number(day.text), null);
}

/** 20240711 on its own. */
function compactDate(folded: string, parts: Piece[], i: number): DateToken | null {
  const part = parts[i]!;
  if (!part.isNumber || part.text.length !== 8) return null;
  if (glued(folded, part.start - 1) || glued(folded, part.end)) return null;
  const year = Number(part.text.slice(0, 4));
  if (year < 1990 || year > 2079) return null;
  return token(
    part.start,
    part.end,
    year,
    Number(part.text.slice(4, 6)),
    Number(part.text.slice(6)),
    null,
  );
}

function fullYear(text: string): number | null {
  if (text.length === 4) return Number(text);
  if (text.length !== 2) return null;
  const short = Number(text);
  return short < 80 ? 2000 + short : 1900 + short;
}

const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function token(
  start: number,
  end: number,
  year: number,
  month: number,
  day: number,
  alternative: string | null,
): DateToken | null {
  if (
    year < 1950 ||
    year > 2099 ||
    month < 1 ||
    month > 12 ||
    day < 1 ||
    day > MONTH_DAYS[month - 1]!
  )
    return null;
  const iso = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  return { start, end, iso, alternative };
}

/** 16:27:35, 16.28.03 (only with a date before it), 03:45:50 PM. */
export function scanTimes(folded: string, dates: readonly DateToken[]): TimeToken[] {
  const out: TimeToken[] = [];
  const parts = pieces(folded);
  for (let i = 0; i + 1 < parts.length; i++) {
    const [hour, minute] = [parts[i]!, parts[i + 1]!];
    if (!hour.isNumber || !minute.isNumber || hour.text.length > 2 || minute.text.length !== 2)
      continue;
    if (dates.some((date) => hour.start < date.end && hour.end > date.start)) continue;
    const sign = gap(folded, hour, minute);
    const second = parts[i + 2];
    const hasSecond =
      second?.isNumber && second.text.length === 2 && gap(folded, minute, second) === sign;
    if (sign !== ":" && !(sign === "." && hasSecond)) continue;
    if (Number(hour.text) > 23 || Number(minute.text) > 59) continue;
    const end = hasSecond ? second!.end : minute.end;
    out.push({
      start: hour.start,
      end,
      value: clock(folded, hour, minute, hasSecond ? second! : null, end),
    });
    i += hasSecond ? 2 : 1;
  }
  return out;
}

function clock(
  folded: string,
  hour: Piece,
  minute: Piece,
  second: Piece | null,
  end: number,
): string {
  let hours = Number(hour.text);
  const tail = folded.slice(end, end + 4).trim();
  if (tail.startsWith("pm") && hours < 12) hours += 12;
  if (tail.startsWith("am") && hours === 12) hours = 0;
  const base = `${String(hours).padStart(2, "0")}:${minute.text}`;
  return second ? `${base}:${second.text}` : base;
}
