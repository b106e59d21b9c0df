/** Advanced queries of the directory: what it answers only with eventual consistency and `$count=true`. */
import type { Call, Expression, Operand } from "../../odata/expression.ts";
import { parseExpression } from "../../odata/expression.ts";
import { ODataSyntaxError } from "../../odata/tokens.ts";
import type { GraphCall } from "../call/graph-call.ts";
import { badRequest } from "../call/graph-error.ts";

/** Properties that no default query can filter by. */
const INDEXED_APART = ["mobilephone", "officelocation", "preferredlanguage"];
/** Properties whose order only an advanced query knows. */
const ORDERED_APART = ["accountenabled"];
const HAS_ENDING = ["mail", "userprincipalname", "proxyaddresses"];

export function isEventual({ request }: GraphCall): boolean {
  return /^eventual$/i.test(request.headers["consistencylevel"] ?? "");
}

/**
 * Whether the response says how many there are. Without the header the directory ignores
 * `$count=true` (aad-advanced-queries, error handling).
 */
export function isCounted(call: GraphCall): boolean {
  return /^true$/i.test(call.request.query.get("$count") ?? "") && isEventual(call);
}

/** Refuses what a filter, alone or beside a sort order, may not do unless the query is an advanced one. */
export function checkIndexes(call: GraphCall, isAdvanced: boolean, resource: string): void {
  const { query } = call.request;
  const text = query.get("$filter");
  if (text === null) return;
  const leaves = [...leavesOf(parse(text))];
  for (const leaf of leaves) refuseUnindexed(leaf, resource);
  if (isAdvanced) return;
  const operator = leaves.map(advancedOperator).find((each) => each !== null);
  if (operator !== undefined) {
    throw unsupported(
      `Operator '${operator}' is not supported because the required parameters might be missing. Try adding $count=true query parameter and ConsistencyLevel:eventual header. Refer to https://aka.ms/graph-docs/advanced-queries for more information`,
    );
  }
  if (query.has("$orderby")) throw unsupported("Sorting not supported for current query.");
}

function parse(text: string): Expression {
  try {
    return parseExpression(text);
  } catch (error) {
    if (!(error instanceof ODataSyntaxError)) throw error;
    throw unsupported(`Invalid filter clause: ${error.message}`);
  }
}

function unsupported(message: string): Error {
  return badRequest(message, "Request_UnsupportedQuery");
}

/** The leaves of an expression, each with the collection to whose elements it applies. */
function* leavesOf(expression: Expression, of: readonly string[] = []): Generator<Leaf> {
  switch (expression.kind) {
    case "and":
    case "or":
      yield* leavesOf(expression.left, of);
      yield* leavesOf(expression.right, of);
      break;
    case "not":
      yield { negated: true };
      yield* leavesOf(expression.inner, of);
      break;
    case "any":
    case "all":
      if (expression.inner !== null) yield* leavesOf(expression.inner, expression.names);
      break;
    case "is-true":
      if (expression.operand.kind === "call") yield { call: expression.operand, of };
      break;
    case "compare": {
      const { operator, left, right } = expression;
      yield { operator, operands: [left, right] };
      break;
    }
    default:
      yield { operator: "in", operands: [expression.left] };
  }
}

type Leaf =
  | { readonly negated: true }
  | { readonly operator: string; readonly operands: readonly Operand[] }
  | { readonly call: Call; readonly of: readonly string[] };

/** The operator, as the directory's message names it, if a default query does not have it. */
function advancedOperator(leaf: Leaf): string | null {
  if ("negated" in leaf) return "not";
  if ("call" in leaf) {
    if (isEnding(leaf.call)) return "endsWith";
    return leaf.call.args.some((each) => isNamed(each, INDEXED_APART)) ? leaf.call.name : null;
  }
  const { operator, operands } = leaf;
  const isApart = operands.some(
    (each) => isNull(each) || isCount(each) || isNamed(each, INDEXED_APART),
  );
  const isOrder = !["eq", "in"].includes(operator) && isNamed(operands[0]!, ORDERED_APART);
  return operator === "ne" || isApart || isOrder ? operator : null;
}

/** Refuses a function for which the directory has no index, in every kind of query. */
function refuseUnindexed(leaf: Leaf, resource: string): void {
  if (!("call" in leaf)) return;
  const { call, of } = leaf;
  const [subject] = call.args;
  const [name = ""] = of.length === 0 && subject?.kind === "path" ? subject.names : of;
  if (/^startswith$/i.test(call.name)) return;
  if (isEnding(call) && HAS_ENDING.includes(name.toLowerCase())) return;
  throw unsupported(
    `Unsupported or invalid query filter clause specified for property '${name}' of resource '${resource}'.`,
  );
}

const isEnding = ({ name }: Call) => /^endswith$/i.test(name);
const isNull = (operand: Operand) => operand.kind === "literal" && operand.value === null;
const isCount = (operand: Operand) => operand.kind === "path" && operand.names.at(-1) === "$count";
const isNamed = (operand: Operand, names: readonly string[]) =>
  operand.kind === "path" && names.includes(operand.names[0]?.toLowerCase() ?? "");
