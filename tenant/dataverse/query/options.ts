/** The options of a query, as given in a URL or inside the parentheses of an `$expand`. */
import { splitOutside } from "../../odata/split.ts";
import { badQuery } from "../core/dataverse-error.ts";

export type Options = ReadonlyMap<string, string>;

/** The options allowed for a list, for one row, for a count, and inside an `$expand`. */
export const LIST_OPTIONS = [
  ...["$select", "$filter", "$orderby", "$top", "$count", "$expand"],
  ...["$skiptoken", "$deltatoken", "$apply", "fetchXml"],
];
export const ROW_OPTIONS = ["$select", "$expand"];
export const COUNT_OPTIONS = ["$filter", "$deltatoken"];
const EXPAND_MANY_OPTIONS = ["$select", "$filter", "$orderby", "$top", "$expand"];
const EXPANDS_MAX = 15;
const EXPAND_ONE_OPTIONS = ["$select", "$expand"];

/** Refuses every option that would have no effect. `@name` is the value of a parameter alias. */
export function readOptions(query: URLSearchParams, allowed: readonly string[]): Options {
  const options = new Map<string, string>();
  for (const [name, value] of query) {
    if (name.startsWith("@")) continue;
    if (name === "$skip") throw badQuery("Skip Clause is not supported in CRM");
    if (!allowed.includes(name)) throw badQuery(`The query parameter ${name} is not supported.`);
    if (options.has(name)) {
      throw badQuery(
        `Query option '${name}' was specified more than once, but it must be specified at most once.`,
      );
    }
    options.set(name, value);
  }
  return options;
}

export interface Expansion {
  readonly name: string;
  /** `/$ref` after the name requests only the ids. */
  readonly isReference: boolean;
  options(isMany: boolean): Options;
}

/** `a,b($select=x;$expand=c($select=y))`, one level of it. */
export function readExpand(text: string | undefined): Expansion[] {
  if (text === undefined) return [];
  const parts = splitOutside(text, ",");
  if (parts.length > EXPANDS_MAX) {
    throw badQuery(`A query can have up to ${EXPANDS_MAX} $expand options.`);
  }
  return parts.map((part) => {
    const match = /^\s*(\w+)(\/\$ref)?\s*(?:\((.*)\))?\s*$/s.exec(part);
    if (match === null) throw badQuery(`Syntax error in the $expand '${text}'.`);
    const inner = match[3] ?? "";
    return {
      name: match[1]!,
      isReference: match[2] !== undefined,
      options: (isMany) => readInner(inner, isMany ? EXPAND_MANY_OPTIONS : EXPAND_ONE_OPTIONS),
    };
  });
}

function readInner(text: string, allowed: readonly string[]): Options {
  const options = new Map<string, string>();
  for (const option of splitOutside(text, ";")) {
    const at = option.indexOf("=");
    const name = option.slice(0, at).trim();
    if (at < 0 || !allowed.includes(name)) {
      throw badQuery(`The query option '${name || option.trim()}' is not supported in $expand.`);
    }
    options.set(name, option.slice(at + 1).trim());
  }
  return options;
}

/** A non-negative whole number, or a refusal that names the option. */
export function readWhole(options: Options, name: string): number | null {
  const text = options.get(name);
  if (text === undefined) return null;
  const number = Number(text);
  if (text.trim() !== "" && Number.isInteger(number) && number >= 0) return number;
  throw badQuery(`Invalid value '${text}' for ${name} query option found.`);
}

export function readTruth(options: Options, name: string): boolean {
  const text = options.get(name) ?? "false";
  if (text === "true" || text === "false") return text === "true";
  throw badQuery(`Invalid value '${text}' for ${name} query option found.`);
}
