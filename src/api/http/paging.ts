/**
 * Lists page in one way: `cursor` and `limit` in, `next` out. A cursor names the last row that was seen, not a
 * number of rows, so rows that are written meanwhile cause neither repeats nor gaps. It is opaque to callers and
 * belongs to its list.
 */
import * as z from "zod";

const CURSOR_MAX = 2_000;

/** The parameter that continues a list after the row with this key. */
export function cursorOf<Key extends z.ZodType>(list: string, key: Key) {
  return z
    .string()
    .max(CURSOR_MAX)
    .transform((text, context): z.output<Key> => {
      const parsed = z.tuple([z.literal(list), key]).safeParse(decode(text));
      if (parsed.success) return parsed.data[1] as z.output<Key>;
      context.addIssue({
        code: "custom",
        message: "must be the `next` of an earlier page of the same list",
      });
      return z.NEVER;
    })
    .optional()
    .describe("the `next` of the page before; without it, the first page");
}

export const next = z
  .string()
  .nullable()
  .describe("the cursor of the next page; null after the last one");

/** Makes a page from one row more than it may contain. */
export function toPage<Row>(
  list: string,
  limit: number,
  rows: readonly Row[],
  keyOf: (row: Row) => unknown,
): { rows: Row[]; next: string | null } {
  const page = rows.slice(0, limit);
  const isLast = rows.length <= limit;
  return { rows: page, next: isLast ? null : encode([list, keyOf(page.at(-1)!)]) };
}

/** Makes a page from all rows, sorted by their key. */
export function pageOf<Row, Key extends string | number>(
  list: string,
  { cursor, limit }: { cursor?: Key | undefined; limit: number },
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): { rows: Row[]; next: string | null } {
  const rest = cursor === undefined ? rows : rows.filter((row) => keyOf(row) > cursor);
  return toPage(list, limit, rest, keyOf);
}

/** In the order of `pageOf`: a database may sort text in another one. */
export function sortedBy<Name extends string, Row extends Readonly<Record<Name, string>>>(
  rows: readonly Row[],
  name: Name,
): Row[] {
  return [...rows].sort((one, other) => (one[name] < other[name] ? -1 : 1));
}

/** For responses that have no place for `next`, such as CSV. */
export function toNextLink(url: string, cursor: string): string {
  const to = new URL(url, "http://localhost");
  to.searchParams.set("cursor", cursor);
  return `<${to.pathname}${to.search}>; rel="next"`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return null; // refused by the schema of the key
  }
}
