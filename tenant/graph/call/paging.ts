import type { TenantContext } from "../../context.ts";
import { writeQuery } from "../../odata/write-query.ts";
import type { GraphCall } from "./graph-call.ts";
import { badRequest } from "./graph-error.ts";

export interface Page {
  readonly top: number;
  readonly skip: number;
}

const TOP_MAX = 1000;
/** In our own links, `$skip` counts the messages that were scanned, not those that matched. */
const PASSED = "passed";

export function wrongSkipToken() {
  return badRequest("The $skiptoken is not one that this service issued.", "ErrorInvalidUrlQuery");
}

/** `$top` between 1 and 1,000; a smaller `odata.maxpagesize` also limits the page. */
export function pageOf(call: GraphCall, defaultTop: number): Page {
  const { maxPageSize } = call;
  if (maxPageSize !== null) call.applied.push(`odata.maxpagesize=${maxPageSize}`);
  const top = wholeNumber(call.request.query.get("$top"), "$top") ?? maxPageSize ?? defaultTop;
  if (top < 1 || top > TOP_MAX) {
    throw badRequest(
      `The query specified in the URI is not valid. The limit of '${TOP_MAX}' for Top query has been exceeded. The value from the incoming request is '${top}'.`,
      "ErrorInvalidUrlQuery",
    );
  }
  const skip = wholeNumber(call.request.query.get("$skip"), "$skip") ?? 0;
  const token = call.request.query.get("$skiptoken");
  if (token !== null && token !== PASSED) throw wrongSkipToken();
  return { top: Math.min(top, maxPageSize ?? TOP_MAX), skip };
}

function wholeNumber(text: string | null, name: string): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text);
  throw badRequest(
    `Invalid value '${text}' for ${name} query option found. The ${name} query option requires a non-negative integer value.`,
    "RequestBroker--ParseUri",
  );
}

/** The same request from another position; the link repeats every other option. */
export function nextLink(context: TenantContext, call: GraphCall, skip: number): string {
  const query = [...call.request.query].filter(
    ([name]) => name !== "$skip" && name !== "$skiptoken",
  );
  query.push(["$skip", String(skip)]);
  if (query.some(([name]) => name === "$filter" || name === "$search")) {
    query.push(["$skiptoken", PASSED]);
  }
  return `${context.origin()}${call.request.path}?${writeQuery(query)}`;
}
