/** `/Date(1234567890000)/`, optionally with an offset, which does not change the time; or ISO 8601. */
const WCF = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/;
const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Null if the text is missing or is not a time. */
export function parseDataverseDate(text: unknown): Date | null {
  if (typeof text !== "string" || text === "") return null;
  const ms = WCF.exec(text)?.[1];
  const at = ms !== undefined ? new Date(Number(ms)) : ISO.test(text) ? new Date(text) : null;
  return at === null || Number.isNaN(at.getTime()) ? null : at;
}
