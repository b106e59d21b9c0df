/** `$select`, `$expand`, `$filter`, `$orderby` and `$top` over drive items. */
import { GraphProblem } from "../graph/call/graph-error.ts";
import { compare, walk } from "../odata/compare.ts";
import { parseFilter } from "../odata/filter.ts";
import { createJsonSource } from "../odata/json-source.ts";
import { splitOutside } from "../odata/split.ts";
import { ODataSyntaxError } from "../odata/tokens.ts";

export type View = Record<string, unknown>;

/** Every property of a driveItem that Graph documents; those without a value are omitted. */
const ITEM_PROPERTIES = new Set([
  ...["id", "name", "description", "size", "webUrl", "webDavUrl", "eTag", "cTag"],
  ...["createdBy", "createdDateTime", "lastModifiedBy", "lastModifiedDateTime"],
  ...["parentReference", "fileSystemInfo", "file", "folder", "package", "root", "deleted"],
  ...["publication", "shared", "sharepointIds", "malware", "audio", "image", "photo", "video"],
  ...["location", "bundle", "pendingOperations", "remoteItem", "retentionLabel", "searchResult"],
  ...["specialFolder", "analytics", "children", "listItem", "permissions", "thumbnails"],
  ...["versions", "subscriptions", "@microsoft.graph.downloadUrl", "content.downloadUrl"],
]);
const SORTABLE = new Set(["name", "size", "lastModifiedDateTime", "createdDateTime"]);
const PAGE_SIZE = 200;
const PAGE_SIZE_MAX = 1000;

export function checkItemProperty(name: string): void {
  if (ITEM_PROPERTIES.has(name)) return;
  throw invalid(`Could not find a property named '${name}' on type 'microsoft.graph.driveItem'.`);
}

/** Keeps only the requested properties; annotations stay. `check` throws for a name that does not exist. */
export function selectFrom(
  view: View,
  query: URLSearchParams,
  check: (name: string) => void = checkItemProperty,
): View {
  const names = query.get("$select");
  if (names === null) return view;
  const wanted = new Set(names.split(",").map((name) => name.trim()));
  for (const name of wanted) check(name);
  if (wanted.has("content.downloadUrl")) wanted.add("@microsoft.graph.downloadUrl");
  return Object.fromEntries(
    Object.entries(view).filter(([name]) => wanted.has(name) || name.startsWith("@odata.")),
  );
}

/** For views other than items, in which only the names of the view exist. */
export function selectOwn(view: View, query: URLSearchParams): View {
  return selectFrom(view, query, (name) => {
    if (!(name in view)) throw invalid(`Could not find a property named '${name}'.`);
  });
}

export interface Expansion {
  readonly name: string;
  /** The options in parentheses, as a separate query. */
  readonly query: URLSearchParams;
}

export function readExpand(query: URLSearchParams, allowed: readonly string[]): Expansion[] {
  return splitOutside(query.get("$expand") ?? "", ",").map((part) => {
    const match = /^\s*([\w.]+)\s*(?:\((.*)\))?\s*$/s.exec(part);
    const expanded = allowed.find((each) => each.toLowerCase() === match?.[1]?.toLowerCase());
    if (match === null || expanded === undefined) {
      throw invalid(`The $expand '${part.trim()}' is not supported here.`);
    }
    const inner = new URLSearchParams();
    for (const option of splitOutside(match[2] ?? "", ";")) {
      const at = option.indexOf("=");
      // Microsoft's own examples leave out the `$`: `$expand=fields(select=Name,Color)`.
      const name = option.slice(0, at).trim().toLowerCase().replace(/^\$?/, "$$");
      inner.append(name, option.slice(at + 1).trim());
    }
    return { name: expanded, query: inner };
  });
}

export function filterViews(views: readonly View[], text: string | null): View[] {
  if (text === null) return [...views];
  try {
    return views.filter(parseFilter(text, createJsonSource(checkItemProperty)));
  } catch (error) {
    if (!(error instanceof ODataSyntaxError)) throw error;
    throw invalid(`Invalid filter clause: ${error.message} at position ${error.at} in '${text}'.`);
  }
}

export function sortViews(views: View[], order: string | null): View[] {
  const keys = splitOutside(order ?? "name", ",").map((part) => {
    const [name = "", direction = "asc", ...rest] = part.trim().split(/\s+/);
    if (!SORTABLE.has(name)) throw invalid(`'${name}' cannot be used in $orderby.`);
    if (!/^(asc|desc)$/i.test(direction) || rest.length > 0) {
      throw invalid(`The $orderby '${part.trim()}' is not valid.`);
    }
    return { path: [name], sign: /^desc$/i.test(direction) ? -1 : 1 };
  });
  return views.sort((one, other) => {
    for (const { path, sign } of keys) {
      const difference = compare(walk(one, path), walk(other, path)) ?? 0;
      if (difference !== 0) return difference * sign;
    }
    return 0;
  });
}

export interface Page {
  readonly value: View[];
  /** The query of the next page, or null at the end. */
  readonly next: URLSearchParams | null;
}

export function pageOf(views: readonly View[], query: URLSearchParams): Page {
  const top = Math.min(readTop(query) ?? PAGE_SIZE, PAGE_SIZE_MAX);
  const token = query.get("$skiptoken");
  const start = token === null ? 0 : Number(token);
  if (!Number.isInteger(start) || start < 0) throw invalid("The $skiptoken is not valid.");
  const next = new URLSearchParams(query);
  next.set("$skiptoken", String(start + top));
  return {
    value: views.slice(start, start + top),
    next: start + top < views.length ? next : null,
  };
}

export function readTop(query: URLSearchParams): number | null {
  const text = query.get("$top");
  if (text === null) return null;
  const top = Number(text);
  if (Number.isInteger(top) && top > 0) return top;
  throw invalid(`Invalid value '${text}' for $top.`);
}

/** Throws for the first property of a body that the route would ignore. */
export function checkBody(body: Record<string, unknown>, allowed: readonly string[]): void {
  const unknown = Object.keys(body).find(
    (name) => !allowed.includes(name) && !name.startsWith("@odata."),
  );
  if (unknown === undefined) return;
  throw invalid(`The property '${unknown}' does not exist or cannot be set here.`);
}

export function invalid(message: string): GraphProblem {
  return new GraphProblem(400, "invalidRequest", message);
}
