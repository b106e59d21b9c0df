/** Lists that may be long show their newest rows, say if there are more, and show all on request. */
import type { Command } from "commander";
import { pagesOf } from "../../client/index.ts";
import type { Output } from "./output.ts";
import { toCount } from "./values.ts";

export interface Size {
  readonly limit: number;
  readonly all?: boolean;
}

/** The server gives at least this many rows of any list at once. */
const PAGE = 200;

export function withSize(command: Command, limit: number): Command {
  return command
    .option("--limit <n>", "maximum number to show", toCount(), limit)
    .option("--all", "show all");
}

/** `read` requests the page at a cursor. */
export async function newestOf<Page extends { readonly next: string | null }, Row>(
  { limit, all }: Size,
  read: (page: { cursor: string | undefined; limit: number }) => Promise<Page>,
  rowsIn: (page: Page) => readonly Row[],
  output: Output,
): Promise<Row[]> {
  const wanted = all ? Number.POSITIVE_INFINITY : limit;
  const rows: Row[] = [];
  const nextPage = (cursor: string | undefined) =>
    read({ cursor, limit: Math.min(PAGE, wanted - rows.length) });
  for await (const page of pagesOf(nextPage)) {
    rows.push(...rowsIn(page));
    if (rows.length < wanted) continue;
    if (page.next !== null)
      output.note(
        `only the newest ${rows.length === 1 ? "one is" : `${rows.length} are`} shown; --all shows all of them`,
      );
    break;
  }
  return rows;
}
