/**
 * Graph's query options. A route refuses options that it does not honour: a client that passes here with an
 * option that does nothing would get different results from Microsoft.
 */
import type { TenantRequest } from "../../http.ts";
import { GraphProblem } from "./graph-error.ts";

/**
 * Options that Graph also accepts without the `$` (docs: "Use query parameters"). Not `$format`,
 * because a drive item has a property `format`.
 */
const SYSTEM = new Set([
  ...["$select", "$expand", "$filter", "$orderby", "$top", "$skip", "$count", "$search"],
  ...["$skiptoken", "$deltatoken", "$apply", "$compute", "$levels"],
]);

/** The same request with every system option under its `$` name. */
export function withDollarNames<T extends TenantRequest>(request: T): T {
  const names = [...request.query.keys()];
  if (names.every((name) => canonical(name) === name)) return request;
  const query = new URLSearchParams();
  for (const [name, value] of request.query) query.append(canonical(name), value);
  return Object.defineProperty(Object.create(request) as T, "query", { value: query });
}

function canonical(name: string): string {
  const lower = name.toLowerCase();
  const dollar = lower.startsWith("$") ? lower : `$${lower}`;
  return SYSTEM.has(dollar) ? dollar : name;
}

/** Keeps the properties that `$select` names in lower case; null keeps all of them. */
export function keepSelected(
  shown: Record<string, unknown>,
  select: readonly string[] | null,
): Record<string, unknown> {
  if (select === null) return shown;
  return Object.fromEntries(
    Object.entries(shown).filter(([name]) => select.includes(name.toLowerCase())),
  );
}

/** Options that are either true or false. */
const TRUTHS = new Set(["$count", "includeHiddenFolders"]);

/** Throws 400 for an option that is not in the list, that is given twice, or that is neither true nor false. */
export function checkOptions(
  query: URLSearchParams,
  allowed: readonly string[],
  code = "BadRequest",
): void {
  const seen = new Set<string>();
  for (const [name, value] of query) {
    if (!allowed.includes(name)) {
      throw new GraphProblem(
        400,
        code,
        `Query option '${name}' is not allowed. To allow it, set the 'AllowedQueryOptions' property on EnableQueryAttribute or QueryValidationSettings.`,
      );
    }
    if (seen.has(name)) {
      throw new GraphProblem(
        400,
        code,
        `Query option '${name}' was specified more than once, but it must be specified at most once.`,
      );
    }
    seen.add(name);
    if (TRUTHS.has(name) && !/^(true|false)$/i.test(value)) {
      throw new GraphProblem(
        400,
        code,
        `Invalid value '${value}' for ${name} query option found. The ${name} query option requires a Boolean value.`,
      );
    }
  }
}
