/**
 * JSON with sorted keys and no whitespace, so that equal values have equal bytes and equal hashes. Dates
 * become ISO text, big integers become text and bytes become hex; undefined values are left out.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(toPlain(value)) ?? "null";
}

export function toPlain(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map(toPlain);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, entry]) => [key, toPlain(entry)]));
}
