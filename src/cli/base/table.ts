/**
 * Lays out rows for a terminal of a given width: as a table, or with some values on a second line, or with
 * every value on its own line. An id is never shortened or broken, so that it can be copied.
 */
import { stripVTControlCharacters } from "node:util";
import { pc } from "./colours.ts";

/** `[subject]` may be shortened, `{id}` may move to a second line; anything else stays as it is. */
export type Column = string;

type Rows = readonly (readonly string[])[];

const GAP = 2;
const SHORTEST = 8;

/** Without a width, as in a file, nothing is shortened. */
export function layOut(columns: readonly Column[], rows: Rows, width: number | null): string[] {
  const limit = width ?? Number.POSITIVE_INFINITY;
  const all = columns.map((_, at) => at);
  const first = all.filter((at) => !columns[at]!.startsWith("{"));
  return (
    layOutTable(columns, rows, { limit, first: all, canShorten: false }) ??
    layOutTable(columns, rows, { limit, first, canShorten: true }) ??
    stack(columns, rows, limit)
  );
}

const nameOf = (column: Column): string => column.replace(/^[[{](.*)[\]}]$/, "$1");

/** Null if the columns in `first` do not fit on one line. */
function layOutTable(
  columns: readonly Column[],
  rows: Rows,
  { limit, first, canShorten }: { limit: number; first: readonly number[]; canShorten: boolean },
): string[] | null {
  const widths = chooseWidths(columns, rows, { limit, first, canShorten });
  if (widths === null) return null;
  const format = (row: readonly string[]) =>
    first
      .map((at, index) => pad(shorten(row[at] ?? "", widths[index]!), widths[index]!))
      .join(" ".repeat(GAP))
      .trimEnd();
  const second = columns.map((_, at) => at).filter((at) => !first.includes(at));
  const below = (row: readonly string[]) =>
    second.flatMap((at) => (visible(row[at] ?? "") === "" ? [] : [`  ${row[at]}`]));
  return [
    pc.dim(format(columns.map(nameOf))),
    ...rows.flatMap((row) => [format(row), ...below(row)]),
  ];
}

/** Takes from the widest column that may be shortened, until the row fits. */
function chooseWidths(
  columns: readonly Column[],
  rows: Rows,
  { limit, first, canShorten }: { limit: number; first: readonly number[]; canShorten: boolean },
): number[] | null {
  const widths = first.map((at) =>
    Math.max(nameOf(columns[at]!).length, ...rows.map((row) => visible(row[at] ?? "").length)),
  );
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP * (widths.length - 1) - limit;
  for (; excess > 0; excess -= 1) {
    const candidates = widths.map((width, index) =>
      canShorten && columns[first[index]!]!.startsWith("[") && width > SHORTEST ? width : 0,
    );
    const widest = Math.max(...candidates);
    if (widest === 0) return null;
    widths[candidates.indexOf(widest)]! -= 1;
  }
  return widths;
}

/** One line per value, with an empty line between rows. */
function stack(columns: readonly Column[], rows: Rows, limit: number): string[] {
  const heads = columns.map(nameOf);
  const label = Math.max(...heads.map((head) => head.length)) + GAP;
  const lines = rows.flatMap((row) => [
    ...row.flatMap((cell, at) =>
      wrap(cell, limit - label, columns[at]!.startsWith("[")).map(
        (part, index) => `${pc.dim((index === 0 ? heads[at]! : "").padEnd(label))}${part}`,
      ),
    ),
    "",
  ]);
  return lines.slice(0, -1);
}

/** Breaks at spaces, and inside a word only if `canBreak`. */
function wrap(text: string, width: number, canBreak: boolean): string[] {
  if (visible(text) === "") return [];
  if (visible(text).length <= width) return [text];
  const lines: string[] = [];
  const words = visible(text).trim().split(/ +/);
  const cut = new RegExp(`.{1,${Math.max(1, width)}}`, "gu");
  for (const word of canBreak ? words.flatMap((each) => each.match(cut) ?? []) : words) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trimStart();
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function shorten(cell: string, width: number): string {
  const text = visible(cell);
  return text.length <= width ? cell : `${[...text].slice(0, width - 1).join("")}…`;
}

const pad = (cell: string, width: number): string =>
  cell + " ".repeat(Math.max(0, width - visible(cell).length));

const visible = stripVTControlCharacters;
