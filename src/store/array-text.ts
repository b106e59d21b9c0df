/**
 * Columns of a multi-row statement as PostgreSQL array literals. The driver can write them too, but several
 * times slower, and a page of messages has about twenty columns.
 */
const SPECIAL = /["\\]/;

// Data from other systems may lack a value that its type promises. It must arrive as NULL, which a column can
// refuse, and not as the text "undefined".

export function toTextArray(values: readonly (string | null)[]): string {
  let text = "{";
  for (const [index, value] of values.entries()) {
    if (index > 0) text += ",";
    text += value == null ? "NULL" : `"${SPECIAL.test(value) ? escapeText(value) : value}"`;
  }
  return `${text}}`;
}

/** Milliseconds, to be read with `to_timestamp(ms / 1000)` from a `float8[]`; cheaper than dates on both sides. */
export function toTimeArray(values: readonly (Date | null)[]): string {
  return toPlainArray(values.map((value) => value?.getTime() ?? null));
}

/** Numbers, booleans, UUIDs: values that need no quotes. */
export function toPlainArray(values: readonly (number | boolean | string | null)[]): string {
  return `{${values.map((value) => value ?? "NULL").join(",")}}`;
}

function escapeText(value: string): string {
  return value.replace(/["\\]/g, "\\$&");
}
