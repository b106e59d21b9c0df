/**
 * `$filter` compiled to a test. Graph's mail, the drives and Dataverse share this parser; a `Source` says
 * what names mean in each, and which functions exist.
 */
import { compare } from "./compare.ts";
import {
  type Call,
  type Comparison,
  type Expression,
  type Lambda,
  type Literal,
  type LiteralType,
  type Operand,
  type Operator,
  parseExpression,
} from "./expression.ts";
import { ODataSyntaxError } from "./tokens.ts";

export type Test = (item: unknown) => boolean;
type Read = (item: unknown) => unknown;

/** A property that can be compared. */
export interface Field {
  /** Literals of another type are refused; null accepts any. */
  readonly type: Exclude<LiteralType, "null"> | null;
  read(item: unknown): unknown;
}

/** What a type of item offers to a filter. `field` and `collection` throw for unknown names. */
export interface Source {
  field(names: readonly string[]): Field;
  /** The lists that `any`, `all` and `/$count` work on. */
  collection(names: readonly string[]): {
    readonly source: Source;
    items(item: unknown): readonly unknown[];
  };
  /** A function of the service itself; null if there is none of that name. */
  call?(call: Call): Test | null;
  /** How `contains`, `startswith` and `endswith` look for a text, where not literally. */
  textFunction?(name: string): ((part: string) => (value: unknown) => boolean) | undefined;
  /** False where the operator `in` does not exist. */
  readonly hasIn?: boolean;
}

const TEXT_FUNCTIONS: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  contains: (text, part) => text.includes(part),
  startswith: (text, part) => text.startsWith(part),
  endswith: (text, part) => text.endsWith(part),
};

const COMPARISONS: Readonly<Record<Operator, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

/** Throws `ODataSyntaxError`, or what the source throws for a name that it does not know. */
export function parseFilter(text: string, source: Source, aliases?: URLSearchParams): Test {
  return compile(parseExpression(text, aliases), source);
}

export function compile(expression: Expression, source: Source): Test {
  switch (expression.kind) {
    case "and": {
      const [left, right] = [compile(expression.left, source), compile(expression.right, source)];
      return (item) => left(item) && right(item);
    }
    case "or": {
      const [left, right] = [compile(expression.left, source), compile(expression.right, source)];
      return (item) => left(item) || right(item);
    }
    case "not": {
      const inner = compile(expression.inner, source);
      return (item) => !inner(item);
    }
    case "compare":
      return compileComparison(expression, source);
    case "in":
      if (source.hasIn === false)
        throw new ODataSyntaxError("the operator 'in' is not supported", 0);
      return compileIn(expression.left, expression.list, source);
    case "is-true":
      return compileTruth(expression.operand, source);
    default:
      return compileLambda(expression, source);
  }
}

function compileComparison({ operator, left, right }: Comparison, source: Source): Test {
  checkTypes(operator, left, right, source);
  const [readLeft, readRight] = [readerOf(left, source), readerOf(right, source)];
  const holds = COMPARISONS[operator];
  return (item) => {
    const order = compare(readLeft(item), readRight(item));
    // Null is neither greater nor smaller than anything; it is only different.
    return order === null ? operator === "ne" : holds(order);
  };
}

function compileIn(left: Operand, list: readonly Literal[], source: Source): Test {
  for (const literal of list) checkTypes("eq", left, literal, source);
  const read = readerOf(left, source);
  return (item) => {
    const value = read(item);
    return list.some((literal) => compare(value, literal.value) === 0);
  };
}

function compileTruth(operand: Operand, source: Source): Test {
  if (operand.kind !== "call") {
    const read = readerOf(operand, source);
    return (item) => read(item) === true;
  }
  const test = TEXT_FUNCTIONS[operand.name.toLowerCase()];
  if (test === undefined) {
    const own = source.call?.(operand) ?? null;
    if (own === null) throw new ODataSyntaxError(`unknown function '${operand.name}'`, 0);
    return own;
  }
  const [whole, part] = operand.args;
  if (operand.args.length !== 2 || whole === undefined || part === undefined) {
    throw new ODataSyntaxError(`'${operand.name}' takes two arguments`, 0);
  }
  const [readWhole, readPart] = [readerOf(whole, source), readerOf(part, source)];
  const own = source.textFunction?.(operand.name.toLowerCase());
  if (own !== undefined && part.kind === "literal") {
    const matches = own(String(part.value));
    return (item) => matches(readWhole(item));
  }
  return (item) => test(toText(readWhole(item)), toText(readPart(item)));
}

function compileLambda({ kind, names, variable, inner }: Lambda, source: Source): Test {
  const { source: elements, items } = source.collection(names);
  if (inner === null || variable === null) return (item) => items(item).length > 0;
  // The names of the outer item stay accessible beside those of the element.
  const scope: Source = {
    ...(source.textFunction && { textFunction: source.textFunction }),
    ...(source.hasIn === false && { hasIn: false }),
    call(called) {
      const test = elements.call?.(called) ?? null;
      return test === null ? null : (pair) => test(toPair(pair).element);
    },
    field(path) {
      const isElement = path[0] === variable;
      const field = isElement ? elements.field(path.slice(1)) : source.field(path);
      return {
        ...field,
        read: (pair) => field.read(isElement ? toPair(pair).element : toPair(pair).outer),
      };
    },
    collection(path) {
      const isElement = path[0] === variable;
      const found = isElement ? elements.collection(path.slice(1)) : source.collection(path);
      return {
        source: found.source,
        items: (pair) => found.items(isElement ? toPair(pair).element : toPair(pair).outer),
      };
    },
  };
  const test = compile(inner, scope);
  return (outer) => {
    const check = (element: unknown) => test({ outer, element });
    return kind === "any" ? items(outer).some(check) : items(outer).every(check);
  };
}

function toPair(item: unknown): { outer: unknown; element: unknown } {
  return item as { outer: unknown; element: unknown };
}

function readerOf(operand: Operand, source: Source): Read {
  switch (operand.kind) {
    case "literal":
      return () => operand.value;
    case "path":
      return fieldOf(operand.names, source).read;
    case "call":
      throw new ODataSyntaxError(`unknown function '${operand.name}'`, 0);
    default:
      throw new ODataSyntaxError("a list can only follow 'in'", 0);
  }
}

function fieldOf(names: readonly string[], source: Source): Field {
  if (names.at(-1) !== "$count") return source.field(names);
  const { items } = source.collection(names.slice(0, -1));
  return { type: "number", read: (item) => items(item).length };
}

function checkTypes(operator: Operator, left: Operand, right: Operand, source: Source): void {
  const types = [left, right].map((operand) => typeOf(operand, source));
  const [one, other] = types as [LiteralType | null, LiteralType | null];
  if (isComparable(one, other) || isQuotedGuid(left, right, [one, other])) return;
  throw new ODataSyntaxError(
    `A binary operator with incompatible types was detected. Found operand types '${EDM[one!]}' and '${EDM[other!]}' for operator kind '${OPERATOR_KINDS[operator]}'.`,
    0,
  );
}

function isComparable(one: LiteralType | null, other: LiteralType | null): boolean {
  if (one === null || other === null || one === "null" || other === "null") return true;
  return one === other;
}

/** Ids may be written with or without quotes. */
function isQuotedGuid(
  left: Operand,
  right: Operand,
  types: readonly (LiteralType | null)[],
): boolean {
  if (!types.every((type) => type === "guid" || type === "text")) return false;
  return [left, right].every(
    (operand) => operand.kind !== "literal" || GUID.test(String(operand.value)),
  );
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** OData's names of the types, as its error texts use them. */
const EDM: Readonly<Record<LiteralType, string>> = {
  text: "Edm.String",
  guid: "Edm.Guid",
  time: "Edm.DateTimeOffset",
  number: "Edm.Decimal",
  boolean: "Edm.Boolean",
  null: "null",
};
const OPERATOR_KINDS: Readonly<Record<Operator, string>> = {
  eq: "Equal",
  ne: "NotEqual",
  gt: "GreaterThan",
  ge: "GreaterThanOrEqual",
  lt: "LessThan",
  le: "LessThanOrEqual",
};

function typeOf(operand: Operand, source: Source): LiteralType | null {
  if (operand.kind === "literal") return operand.type;
  return operand.kind === "path" ? fieldOf(operand.names, source).type : null;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value.toLowerCase() : "";
}

/** The properties that an expression names, in order of first use, up to the first slash. */
export function propertiesOf(expression: Expression): string[] {
  const found = new Set<string>();
  collect(expression, new Set(), found);
  return [...found];
}

function collect(expression: Expression, variables: ReadonlySet<string>, found: Set<string>): void {
  const operand = (each: Operand) => {
    if (each.kind === "path" && !variables.has(each.names[0]!)) found.add(each.names[0]!);
    if (each.kind === "call") for (const argument of each.args) operand(argument);
  };
  switch (expression.kind) {
    case "and":
    case "or":
      collect(expression.left, variables, found);
      collect(expression.right, variables, found);
      break;
    case "not":
      collect(expression.inner, variables, found);
      break;
    case "compare":
      operand(expression.left);
      operand(expression.right);
      break;
    case "in":
      operand(expression.left);
      break;
    case "is-true":
      operand(expression.operand);
      break;
    default:
      if (!variables.has(expression.names[0]!)) found.add(expression.names[0]!);
      if (expression.inner !== null) {
        collect(expression.inner, new Set([...variables, expression.variable!]), found);
      }
  }
}
