/** How OData orders two values: times by instant, texts ignoring case. Null if they cannot be compared. */
export function compare(left: unknown, right: unknown): number | null {
  if (left === null || left === undefined || right === null || right === undefined) {
    return (left ?? null) === (right ?? null) ? 0 : null;
  }
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "boolean" || typeof right === "boolean") return left === right ? 0 : null;
  const [first, second] = [String(left), String(right)];
  if (isTime(first) && isTime(second)) return Date.parse(first) - Date.parse(second);
  const [a, b] = [first.toLowerCase(), second.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/i.test(text);
}

/** The value at a path of names inside a JSON value; null if there is none. */
export function walk(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null) return null;
    found = (found as Record<string, unknown>)[name];
  }
  return found ?? null;
}
