/** Periods that filters name relative to now, in UTC: `[from, to)` in milliseconds. */
export type Range = readonly [fromMs: number, toMs: number];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ALWAYS = 8.64e15;

type Unit = "Hours" | "Days" | "Weeks" | "Months" | "Years" | "Minutes";

/** A period with a fixed name such as `Today`; null for any other name. */
export function namedRange(name: string, nowMs: number): Range | null {
  const today = startOfDay(nowMs);
  const week = today - new Date(today).getUTCDay() * DAY;
  const months = (offset: number): Range => [
    monthStart(nowMs, offset),
    monthStart(nowMs, offset + 1),
  ];
  const years = (offset: number): Range => [
    monthStart(nowMs, 12 * offset, 0),
    monthStart(nowMs, 12 * (offset + 1), 0),
  ];
  const ranges: Readonly<Record<string, () => Range>> = {
    Today: () => [today, today + DAY],
    Yesterday: () => [today - DAY, today],
    Tomorrow: () => [today + DAY, today + 2 * DAY],
    Last7Days: () => [today - 7 * DAY, nowMs + 1],
    Next7Days: () => [nowMs, today + 8 * DAY],
    LastWeek: () => [week - 7 * DAY, week],
    ThisWeek: () => [week, week + 7 * DAY],
    NextWeek: () => [week + 7 * DAY, week + 14 * DAY],
    LastMonth: () => months(-1),
    ThisMonth: () => months(0),
    NextMonth: () => months(1),
    LastYear: () => years(-1),
    ThisYear: () => years(0),
    NextYear: () => years(1),
  };
  return ranges[name]?.() ?? null;
}

/** `LastXDays`, `NextXMonths`, `OlderThanXHours`; null for any other name. */
export function countedRange(name: string, count: number, nowMs: number): Range | null {
  const match = /^(Last|Next|OlderThan)X(Minutes|Hours|Days|Weeks|Months|Years)$/.exec(name);
  if (match === null) return null;
  const [, direction, unit] = match as unknown as [string, string, Unit];
  const isShort = unit === "Hours" || unit === "Minutes";
  if (direction === "OlderThan") return [-ALWAYS, shift(nowMs, -count, unit)];
  if (unit === "Minutes") return null;
  if (direction === "Last") {
    const from = shift(nowMs, -count, unit);
    return [isShort ? from : startOfDay(from), nowMs + 1];
  }
  const to = shift(nowMs, count, unit);
  return [nowMs, isShort ? to : startOfDay(to) + DAY];
}

/** `On`, `OnOrAfter` and `OnOrBefore` a day. */
export function dayRange(name: string, day: string): Range | null {
  const start = startOfDay(Date.parse(day));
  if (Number.isNaN(start)) return null;
  if (name === "On") return [start, start + DAY];
  if (name === "OnOrAfter") return [start, ALWAYS];
  return name === "OnOrBefore" ? [-ALWAYS, start + DAY] : null;
}

export function isWithin([from, to]: Range, value: unknown): boolean {
  const ms = Date.parse(String(value ?? ""));
  return ms >= from && ms < to;
}

function startOfDay(ms: number): number {
  return Math.floor(ms / DAY) * DAY;
}

function monthStart(nowMs: number, offset: number, month = new Date(nowMs).getUTCMonth()): number {
  return Date.UTC(new Date(nowMs).getUTCFullYear(), month + offset, 1);
}

function shift(ms: number, count: number, unit: Unit): number {
  const steps: Readonly<Record<string, number>> = {
    Minutes: 60_000,
    Hours: HOUR,
    Days: DAY,
    Weeks: 7 * DAY,
  };
  const step = steps[unit];
  if (step !== undefined) return ms + count * step;
  const date = new Date(ms);
  date.setUTCMonth(date.getUTCMonth() + count * (unit === "Years" ? 12 : 1));
  return date.getTime();
}
