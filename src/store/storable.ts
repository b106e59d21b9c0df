/**
 * Text that PostgreSQL can store. Mail may contain a NUL or half of a surrogate pair in any name or subject;
 * PostgreSQL accepts neither, and one of them would fail the whole statement. U+FFFD replaces them, so that a
 * reader sees that something is missing.
 */
const REPLACEMENT = "\uFFFD";
const SURROGATE = /[\uD800-\uDFFF]/;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
/**
 * How `JSON.stringify` writes a NUL and half a pair; the same letters after an escaped backslash also match.
 */
const PERHAPS_UNSTORABLE = /\\u(?:0000|d[89a-f])/;

export function toStorable(text: string): string {
  const whole = text.includes("\0") ? text.replaceAll("\0", REPLACEMENT) : text;
  return SURROGATE.test(whole) ? whole.replace(LONE_SURROGATE, REPLACEMENT) : whole;
}

/**
 * A value as JSON for a json or jsonb parameter. In JSON these characters are escapes, which the driver's own
 * cleaning does not see.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  return PERHAPS_UNSTORABLE.test(text) ? JSON.stringify(toStorableTree(JSON.parse(text))) : text;
}

function toStorableTree(value: unknown): unknown {
  if (typeof value === "string") return toStorable(value);
  if (Array.isArray(value)) return value.map(toStorableTree);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [toStorable(name), toStorableTree(inner)]),
  );
}

/** Cleans a parameter of any statement. Half pairs need no care here: encoding to UTF-8 replaces them. */
export function toStorableParameter(value: unknown): unknown {
  if (typeof value === "string")
    return value.includes("\0") ? value.replaceAll("\0", REPLACEMENT) : value;
  return Array.isArray(value) ? value.map(toStorableParameter) : value;
}
