/** How figures and times are written. Trade dates are days and are never shifted by a time zone. */
const numberFormat = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 12 });

export const formatCount = (value: number): string => numberFormat.format(value);

/** A number as it was read, with at least the given digits after the point. */
export const formatNumber = (value: number, digits = 0): string =>
  new Intl.NumberFormat("en-GB", {
    minimumFractionDigits: digits,
    maximumFractionDigits: 12,
  }).format(value);

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `5,697.62 GBP` with the currency's own decimals and a true minus. */
export function formatAmount(value: number | string, currency?: string | null): string {
  const decimals = currency ? decimalsOf(currency) : 2;
  const text = new Intl.NumberFormat("en-GB", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: Math.max(decimals, 2),
  }).format(Number(value));
  return `${text.replace("-", "\u2212")}${currency ? ` ${currency}` : ""}`;
}

function decimalsOf(currency: string): number {
  try {
    return (
      new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions()
        .maximumFractionDigits ?? 2
    );
  } catch {
    return 2; // not every note names a currency that the browser knows
  }
}

/** Whole per cent, rounded down; 0.29 is 29, although its product with 100 is a little less. */
export const toPercent = (confidence: number): number => Math.floor(confidence * 100 + 1e-9);

/** Never 100: a reading is not a proof. */
export function formatConfidence(confidence: number): string {
  return `${Math.min(99, toPercent(confidence))} %`;
}

/** Each unit ends where its rounded figure would look like the next: never 1000 ms, 60.0 s or 1 min 60 s. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9_995 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24
    ? `${hours} h ${minutes % 60} min`
    : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** How long something has waited: nobody needs hundredths of a second. */
export const formatAge = (ms: number): string =>
  ms < 59_500 ? `${Math.round(ms / 1000)} s` : formatDuration(ms);

/** Two digits after the point below ten, one above. */
export const formatSeconds = (seconds: number): string => seconds.toFixed(seconds < 10 ? 2 : 1);

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["KB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Browsers write "Sep" or "Sept", with or without commas: only numbers are taken from them. */
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const WEEKDAYS = "Sun Mon Tue Wed Thu Fri Sat".split(" ");

/** A day without a time, as printed on a note: `2026-11-12` is `12 Nov 2026` in every zone. */
export function formatDay(day: string): string {
  const at = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return day;
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}

/** `12 Nov`, in the reader's zone. */
export const formatDate = (at: Date): string => `${at.getDate()} ${MONTHS[at.getMonth()]}`;

export function formatClock(at: Date): string {
  return new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).format(at);
}

export function formatRelative(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  // The server's clock may be a little ahead of the reader's.
  const ahead = ms < -2_000;
  const seconds = Math.round((ahead ? -ms : Math.max(0, ms)) / 1000);
  if (seconds >= 86_400 && !ahead)
    return at.getFullYear() === now.getFullYear()
      ? `${formatDate(at)}, ${formatClock(at).slice(0, 5)}`
      : `${formatDate(at)} ${at.getFullYear()}`;
  const text =
    seconds < 60
      ? `${seconds} s`
      : seconds < 3600
        ? `${Math.floor(seconds / 60)} min`
        : seconds < 86_400
          ? `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
          : `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
  return ahead ? `in ${text}` : `${text} ago`;
}

/** `Sun 15 Nov 2026, 20:36:17 CET (19:36:17 UTC)`: what a hover says. */
export function formatExact(at: Date): string {
  const zone = new Intl.DateTimeFormat("en-GB", { timeZoneName: "short" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value;
  const local = `${WEEKDAYS[at.getDay()]} ${formatDate(at)} ${at.getFullYear()}, ${formatClock(at)} ${zone}`;
  return zone === "UTC" ? local : `${local} (${at.toISOString().slice(11, 19)} UTC)`;
}
