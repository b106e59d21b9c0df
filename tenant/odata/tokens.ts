/** The words of an OData expression. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Where it starts in the expression. */
  readonly at: number;
}

type TokenKind = "text" | "guid" | "time" | "number" | "word" | "alias" | "sign";

/** An expression that cannot be parsed. Each part reports it in its own error format. */
export class ODataSyntaxError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ["text", /'(?:[^']|'')*'/y],
  // Lists of values may be written as JSON.
  ["text", /"(?:[^"\\]|\\.)*"/y],
  ["guid", /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!\w)/iy],
  ["time", /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?/iy],
  ["number", /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy],
  // A path of names is one word; it may contain `$it`, `$count` and type casts.
  ["word", /[a-z_$][\w.$]*(?:\/[a-z_$][\w.$]*)*/iy],
  ["alias", /@[a-z_]\w*/iy],
  ["sign", /[()[\],:=]/y],
];

const SPACE = /\s*/y;

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const token = tokenAt(text, at);
    if (token === null) throw new ODataSyntaxError(`unexpected character '${text[at]}'`, at);
    tokens.push(token);
    at = skipSpace(text, at + token.text.length);
  }
  return tokens;
}

function tokenAt(text: string, at: number): Token | null {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) return { kind, text: found[0], at };
  }
  return null;
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.exec(text);
  return SPACE.lastIndex;
}
