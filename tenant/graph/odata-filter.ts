/**
 * The part of OData's filter language that Graph mail understands, compiled to a test over a getter
 * of property paths: comparisons, `and`/`or`/`not`, the three text functions, and `any` on a
 * collection.
 */
import { badRequest } from "./graph-error.ts";
import type { Token } from "./odata-tokens.ts";
import { tokenize } from "./odata-tokens.ts";

type Get = (path: readonly string[]) => unknown;
type Test = (get: Get) => boolean;

export interface Filter {
  readonly test: Test;
  /** The properties in order of first use, as written up to the first slash. */
  readonly properties: readonly string[];
}

type Value = (get: Get) => unknown;

const TEXT_FUNCTIONS: Record<string, (text: string, part: string) => boolean> = {
  contains: (text, part) => text.includes(part),
  startswith: (text, part) => text.startsWith(part),
  endswith: (text, part) => text.endsWith(part),
};

const COMPARISONS: Record<string, (order: number) => boolean> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

export function parseFilter(text: string): Filter {
  const parser = createParser(tokenize(text), text);
  return parser.run();
}

function createParser(tokens: readonly Token[], text: string) {
  let at = 0;
  const properties: string[] = [];
  /** The variable of the innermost `any`, which stands for one element. */
  let variable: string | null = null;

  const fail = (): never => {
    const near = tokens[at]?.text ?? "the end";
    throw badRequest(
      `Invalid filter clause: syntax error near '${near}' in '${text}'.`,
      "RequestBroker--ParseUri",
    );
  };
  const isNext = (kind: Token["kind"], word?: string) => {
    const token = tokens[at];
    return token?.kind === kind && (word === undefined || token.text.toLowerCase() === word);
  };
  const take = (kind: Token["kind"], word?: string): Token => {
    if (!isNext(kind, word)) fail();
    return tokens[at++]!;
  };

  const either = (): Test => {
    let left = both();
    while (isNext("word", "or")) {
      at += 1;
      const [first, second] = [left, both()];
      left = (get) => first(get) || second(get);
    }
    return left;
  };

  const both = (): Test => {
    let left = negation();
    while (isNext("word", "and")) {
      at += 1;
      const [first, second] = [left, negation()];
      left = (get) => first(get) && second(get);
    }
    return left;
  };

  const negation = (): Test => {
    if (!isNext("word", "not")) return primary();
    at += 1;
    const inner = negation();
    return (get) => !inner(get);
  };

  const primary = (): Test => {
    if (isNext("open")) {
      at += 1;
      const inner = either();
      take("close");
      return inner;
    }
    const word = tokens[at]?.text.toLowerCase() ?? "";
    if (tokens[at + 1]?.kind === "open" && word in TEXT_FUNCTIONS) return textFunction(word);
    return comparison();
  };

  const textFunction = (name: string): Test => {
    at += 2;
    const whole = value();
    take("comma");
    const part = value();
    take("close");
    const test = TEXT_FUNCTIONS[name]!;
    return (get) => test(toText(whole(get)), toText(part(get)));
  };

  const comparison = (): Test => {
    const left = value();
    if (tokens[at]?.kind === "lambda") return anyOf(left);
    const operator = tokens[at]?.text.toLowerCase() ?? "";
    const holds = COMPARISONS[operator];
    if (!isNext("word") || holds === undefined) {
      if (isNext("word") || left === null) fail();
      return (get) => left(get) === true;
    }
    at += 1;
    const right = value();
    return (get) => {
      const order = compare(left(get), right(get));
      return order === null ? operator === "ne" : holds(order);
    };
  };

  /** `categories/any(c:c eq 'x')`: the lambda token holds the variable. */
  const anyOf = (list: Value): Test => {
    const outer = variable;
    variable = take("lambda").text;
    const name = variable;
    const inner = either();
    take("close");
    variable = outer;
    return (get) => {
      const items = list(get);
      return (
        Array.isArray(items) &&
        items.some((item) =>
          inner((path) => (path[0] === name ? walk(item, path.slice(1)) : get(path))),
        )
      );
    };
  };

  const value = (): Value => {
    const token = tokens[at];
    if (token === undefined) return fail();
    at += 1;
    switch (token.kind) {
      case "text":
        return () => token.text;
      case "number":
        return () => Number(token.text);
      case "time":
        return () => token.text;
      case "word":
        return constantOrPath(token.text);
      default:
        at -= 1;
        return fail();
    }
  };

  const constantOrPath = (word: string): Value => {
    const lower = word.toLowerCase();
    if (lower === "true" || lower === "false") return () => lower === "true";
    if (lower === "null") return () => null;
    const path = word.split("/");
    if (path[0] !== variable && !properties.includes(path[0]!)) properties.push(path[0]!);
    return (get) => get(path);
  };

  return {
    run(): Filter {
      const test = either();
      if (at < tokens.length) fail();
      return { test, properties };
    },
  };
}

export function walk(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null) return null;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** Times by instant, texts without regard to case, null only equal to itself. */
export function compare(left: unknown, right: unknown): number | null {
  if (left === null || left === undefined || right === null || right === undefined) {
    return (left ?? null) === (right ?? null) ? 0 : null;
  }
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "boolean" || typeof right === "boolean") return left === right ? 0 : null;
  const [first, second] = [String(left), String(right)];
  if (isTime(first) && isTime(second)) return Date.parse(first) - Date.parse(second);
  const [a, b] = [first.toLowerCase(), second.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/i.test(text);
}

function toText(value: unknown): string {
  return typeof value === "string" ? value.toLowerCase() : "";
}
