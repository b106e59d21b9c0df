/** Pages of a list: `$top`, the page size that was asked for, and the link to the next page. */
import type { DataverseCall } from "../core/dataverse-call.ts";
import { badQuery } from "../core/dataverse-error.ts";
import { type Options, readWhole } from "./options.ts";

export const PAGE_MAX = 5000;

export interface Page {
  readonly start: number;
  readonly end: number;
  /** The query of the next page; null when there is never one. */
  readonly next: URLSearchParams | null;
}

export function readPage({ request, preferences }: DataverseCall, options: Options): Page {
  const top = readWhole(options, "$top");
  const page = readSkipToken(options.get("$skiptoken"));
  const size = Math.min(preferences.pageSize ?? PAGE_MAX, PAGE_MAX);
  // With $top there is one page only.
  if (top !== null) return { start: 0, end: Math.min(top, PAGE_MAX), next: null };
  const next = new URLSearchParams(request.query);
  const cookie = `<cookie pagenumber="${page + 1}" pagingcookie="%253ccookie%2520page%253d%2522${page}%2522%252f%253e" istracking="False" />`;
  next.set("$skiptoken", cookie);
  return { start: (page - 1) * size, end: page * size, next };
}

function readSkipToken(token: string | undefined): number {
  if (token === undefined) return 1;
  const page = Number(/pagenumber="(\d+)"/.exec(token)?.[1]);
  if (!Number.isInteger(page) || page < 1) throw badQuery("Malformed XML in the Paging Cookie");
  return page;
}
