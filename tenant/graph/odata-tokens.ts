import { badRequest } from "./graph-error.ts";

export interface Token {
  readonly kind: "word" | "text" | "number" | "time" | "open" | "close" | "comma" | "lambda";
  readonly text: string;
}

const SPACE = /\s+/y;
const TIME = /\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?/iy;
const NUMBER = /-?\d+(\.\d+)?/y;
const WORD = /[a-z_][\w.]*(\/(?!any\b|all\b)[a-z_][\w.]*)*/iy;
const TEXT = /'((?:[^']|'')*)'/y;
const LAMBDA = /\/any\(\s*(\w+)\s*:/iy;

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  while (at < text.length) {
    if (match(SPACE)) continue;
    const token = nextToken(text, at, match);
    if (token === null) {
      throw badRequest(
        `Invalid filter clause: unexpected character at position ${at} in '${text}'.`,
        "RequestBroker--ParseUri",
      );
    }
    if (token.kind === "open" || token.kind === "close" || token.kind === "comma") at += 1;
    tokens.push(token);
  }
  return tokens;
}

function nextToken(
  text: string,
  at: number,
  match: (pattern: RegExp) => RegExpExecArray | null,
): Token | null {
  const quoted = match(TEXT);
  if (quoted) return { kind: "text", text: quoted[1]!.replace(/''/g, "'") };
  const lambda = match(LAMBDA);
  if (lambda) return { kind: "lambda", text: lambda[1]! };
  const time = match(TIME);
  if (time) return { kind: "time", text: time[0] };
  const number = match(NUMBER);
  if (number) return { kind: "number", text: number[0] };
  const word = match(WORD);
  if (word) return { kind: "word", text: word[0] };
  const character = text[at];
  if (character === "(") return { kind: "open", text: "(" };
  if (character === ")") return { kind: "close", text: ")" };
  return character === "," ? { kind: "comma", text: "," } : null;
}
