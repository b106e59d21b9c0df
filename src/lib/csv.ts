export type CsvValue = string | number | bigint | boolean | null | undefined;

// A spreadsheet runs text that begins like this as a formula, even in full-width form. An import may drop
// whitespace and invisible characters before it.
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const PLAIN = /^[\w .:/@'-]*$/;

/**
 * Writes CSV (RFC 4180, CRLF) that is safe to open in a spreadsheet: text that would run as a formula gets an
 * apostrophe in front. Numbers stay numbers, even if they are given as text.
 */
export function toCsv(
  columns: readonly string[],
  rows: Iterable<Readonly<Record<string, CsvValue>>>,
): string {
  const lines = [columns.map(toCell).join(",")];
  for (const row of rows) lines.push(columns.map((column) => toCell(row[column])).join(","));
  return lines.map((line) => `${line}\r\n`).join("");
}

function toCell(value: CsvValue): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  if (typeof value !== "string") return String(value);
  if (NUMBER.test(value)) return value;
  const inert = FORMULA.test(value) ? `'${value}` : value;
  return PLAIN.test(inert) ? inert : `"${inert.replaceAll('"', '""')}"`;
}
