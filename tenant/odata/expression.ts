/** OData's filter language as a tree. `filter.ts` decides what names and functions mean. */
import { ODataSyntaxError, type Token, tokenize } from "./tokens.ts";

export type Plain = string | number | boolean | null;

export type LiteralType = "text" | "guid" | "time" | "number" | "boolean" | "null";

export interface Literal {
  readonly kind: "literal";
  readonly type: LiteralType;
  readonly value: Plain;
}

/** What is compared: a literal, a property, a list in parentheses, or the result of a function. */
export type Operand =
  | Literal
  | { readonly kind: "path"; readonly names: readonly string[] }
  | { readonly kind: "list"; readonly items: readonly Literal[] }
  | Call;

/** `contains(a,'b')`, or by name: `Microsoft.Dynamics.CRM.Today(PropertyName='a')`. */
export interface Call {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Operand[];
  readonly named: ReadonlyMap<string, Operand>;
}

export type Expression =
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "not"; readonly inner: Expression }
  | Comparison
  | { readonly kind: "in"; readonly left: Operand; readonly list: readonly Literal[] }
  | Lambda
  | { readonly kind: "is-true"; readonly operand: Operand };

export interface Comparison {
  readonly kind: "compare";
  readonly operator: Operator;
  readonly left: Operand;
  readonly right: Operand;
}

/** `categories/any(c:c eq 'x')`; `any()` alone asks whether there is an element. */
export interface Lambda {
  readonly kind: "any" | "all";
  readonly names: readonly string[];
  readonly variable: string | null;
  readonly inner: Expression | null;
}

const OPERATORS = ["eq", "ne", "gt", "ge", "lt", "le"] as const;
export type Operator = (typeof OPERATORS)[number];

/** `aliases` are the values of `@name` parameters, as the query string gives them. */
export function parseExpression(text: string, aliases?: URLSearchParams): Expression {
  return createParser(tokenize(text), aliases).whole();
}

function createParser(tokens: readonly Token[], aliases: URLSearchParams | undefined) {
  let at = 0;

  const fail = (): never => {
    const token = tokens[at];
    const near = token === undefined ? "the end" : `'${token.text}'`;
    throw new ODataSyntaxError(`syntax error near ${near}`, token?.at ?? 0);
  };
  const isNext = (text: string) =>
    tokens[at]?.kind !== "text" && tokens[at]?.text.toLowerCase() === text;
  const takeIf = (text: string): boolean => {
    if (!isNext(text)) return false;
    at += 1;
    return true;
  };
  const take = (text: string): void => {
    if (!takeIf(text)) fail();
  };

  const either = (): Expression => {
    let left = both();
    while (takeIf("or")) left = { kind: "or", left, right: both() };
    return left;
  };
  const both = (): Expression => {
    let left = negation();
    while (takeIf("and")) left = { kind: "and", left, right: negation() };
    return left;
  };
  const negation = (): Expression =>
    takeIf("not") ? { kind: "not", inner: negation() } : primary();

  const primary = (): Expression => {
    if (takeIf("(")) {
      const inner = either();
      take(")");
      return inner;
    }
    return lambda() ?? comparison();
  };

  const lambda = (): Lambda | null => {
    const token = tokens[at];
    const names = token?.kind === "word" ? token.text.split("/") : [];
    const kind = names.at(-1)?.toLowerCase();
    if (names.length < 2 || (kind !== "any" && kind !== "all")) return null;
    at += 1;
    take("(");
    const collection = { kind, names: names.slice(0, -1) } as const;
    if (takeIf(")")) {
      return kind === "all" ? fail() : { ...collection, variable: null, inner: null };
    }
    const variable = tokens[at]?.kind === "word" ? tokens[at++]!.text : fail();
    take(":");
    const inner = either();
    take(")");
    return { ...collection, variable, inner };
  };

  const comparison = (): Expression => {
    const left = operand();
    if (takeIf("in")) {
      const right = operand();
      return right.kind === "list" ? { kind: "in", left, list: right.items } : fail();
    }
    const operator = OPERATORS.find((known) => isNext(known));
    if (operator === undefined) return { kind: "is-true", operand: left };
    at += 1;
    return { kind: "compare", operator, left, right: operand() };
  };

  const operand = (): Operand => {
    const token = tokens[at];
    if (token === undefined) return fail();
    if (token.text === "(" || token.text === "[") return list();
    at += 1;
    if (token.kind === "alias") return aliased(token.text);
    if (token.kind === "word") {
      return constantOf(token.text) ?? (isNext("(") ? call(token.text) : pathOf(token.text));
    }
    at -= 1;
    return literal();
  };

  const literal = (): Literal => {
    const token = tokens[at++];
    if (token === undefined) return fail();
    if (token.kind === "word") {
      const constant = constantOf(token.text);
      if (constant !== null) return constant;
    }
    const read = LITERALS[token.kind];
    if (read === undefined) {
      at -= 1;
      return fail();
    }
    return { kind: "literal", type: token.kind as LiteralType, value: read(token.text) };
  };

  const list = (): Operand => {
    const close = takeIf("(") ? ")" : takeIf("[") ? "]" : fail();
    const items: Literal[] = [];
    do items.push(literal());
    while (takeIf(","));
    take(close);
    return { kind: "list", items };
  };

  const call = (name: string): Call => {
    take("(");
    const args: Operand[] = [];
    const named = new Map<string, Operand>();
    if (takeIf(")")) return { kind: "call", name, args, named };
    do {
      if (tokens[at + 1]?.text === "=") {
        const parameter = tokens[at]!.text;
        at += 2;
        named.set(parameter, operand());
      } else args.push(operand());
    } while (takeIf(","));
    take(")");
    return { kind: "call", name, args, named };
  };

  const aliased = (name: string): Operand => {
    const value = aliases?.get(name);
    if (value === null || value === undefined)
      return { kind: "literal", type: "null", value: null };
    const inner = createParser(tokenize(value), undefined);
    return inner.operandAlone();
  };

  return {
    whole(): Expression {
      const expression = either();
      return at < tokens.length ? fail() : expression;
    },
    operandAlone(): Operand {
      const value = operand();
      return at < tokens.length ? fail() : value;
    },
  };
}

const LITERALS: Readonly<Record<string, (text: string) => Plain>> = {
  text: readText,
  guid: (text) => text,
  time: (text) => text,
  number: Number,
};

function readText(text: string): string {
  if (!text.startsWith('"')) return text.slice(1, -1).replaceAll("''", "'");
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new ODataSyntaxError(`invalid text ${text}`, 0);
  }
}

function constantOf(word: string): Literal | null {
  const lower = word.toLowerCase();
  if (lower === "null") return { kind: "literal", type: "null", value: null };
  if (lower !== "true" && lower !== "false") return null;
  return { kind: "literal", type: "boolean", value: lower === "true" };
}

function pathOf(word: string): Operand {
  return { kind: "path", names: word.split("/") };
}
