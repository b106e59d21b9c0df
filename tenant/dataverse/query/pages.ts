/** Pages of a list: `$top`, the requested page size, and the link to the next page. */
import type { DataverseCall } from "../core/dataverse-call.ts";
import { badQuery } from "../core/dataverse-error.ts";
import { type Options, readWhole } from "./options.ts";

export const PAGE_MAX = 5000;

export interface Page {
  readonly start: number;
  readonly end: number;
  /** The query of the next page; null if there is never one. */
  readonly next: URLSearchParams | null;
}

/**
 * The link contains the position of the next page, so that a client may change the page size between pages.
 */
export function readPage({ request, preferences }: DataverseCall, options: Options): Page {
  const top = readWhole(options, "$top");
  if (preferences.pageSize !== null) preferences.honoured.add("odata.maxpagesize");
  const { page, start } = readSkipToken(options.get("$skiptoken"));
  const size = Math.min(preferences.pageSize ?? PAGE_MAX, PAGE_MAX);
  // Without a page size, $top is the only page; with one, Dataverse ignores $top (page-results).
  if (top !== null && preferences.pageSize === null)
    return { start: 0, end: Math.min(top, PAGE_MAX), next: null };
  const end = start + size;
  const next = new URLSearchParams(request.query);
  next.set("$skiptoken", writeSkipToken(page, end));
  return { start, end, next };
}

/** The token of the page after `page`, which ended before the row at `end`. */
export function writeSkipToken(page: number, end: number): string {
  const inner = encodeURIComponent(encodeURIComponent(`<cookie page="${page}" last="${end}" />`));
  return `<cookie pagenumber="${page + 1}" pagingcookie="${inner}" istracking="False" />`;
}

function readSkipToken(token: string | undefined): { page: number; start: number } {
  if (token === undefined) return { page: 1, start: 0 };
  const match = /^<cookie pagenumber="(\d+)" pagingcookie="([^"]*)"/.exec(token);
  const last = /last%253D%2522(\d+)/i.exec(match?.[2] ?? "");
  const start = Number(last?.[1] ?? Number.NaN);
  if (match === null || !Number.isInteger(start)) {
    throw badQuery("Malformed XML in the Paging Cookie");
  }
  return { page: Number(match[1]), start };
}
