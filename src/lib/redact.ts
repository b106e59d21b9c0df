/**
 * Keeps credentials and mail out of logs, errors and answers: by the name of a field, by what text looks like,
 * and by wrapping secrets in `Secret` as they enter, so that a template string cannot print one by accident.
 */

const HIDDEN = "[hidden]";

/** A value that prints as `[hidden]`; only `reveal` returns it. It can be renewed while it is in use. */
export class Secret {
  #value: string;
  #previous: { readonly value: string }[] = [];
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  /** What a caller may present: the value and, for a while, those before it, which some callers still use. */
  accepted(): string[] {
    return [this.#value, ...this.#previous.map(({ value }) => value)];
  }
  /** Returns what makes it forget the value that it had until now. */
  renew(value: string): () => void {
    const before = { value: this.#value };
    this.#previous = [before, ...this.#previous];
    this.#value = value;
    return () => {
      this.#previous = this.#previous.filter((each) => each !== before);
    };
  }
  toString(): string {
    return HIDDEN;
  }
  toJSON(): string {
    return HIDDEN;
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return HIDDEN;
  }
}

/** A field or parameter whose name contains one of these words is a secret. */
const SECRET_WORDS =
  "secret|passw(?:or)?d|passphrase|pwd|token|assertion|credential|signature|tempauth|client[-_]?state|" +
  "(?:api|access|account|shared|private|subscription|functions)[-_]?(?:access[-_]?)?key|connection[-_]?string|upload[-_]?url";
/** Names that are hidden only as a whole, because they also occur in the names of harmless fields. */
const SECRET_NAMES =
  "authorization|cookie|set-cookie|body|body[-_]?preview|unique[-_]?body|content[-_]?bytes|sig";
const WHOLE_NAME = new RegExp(`^(?:${SECRET_NAMES})$`, "i");
const SECRET_NAME = new RegExp(SECRET_WORDS, "i");

/** Whether the value of a field with this name must not be shown. */
export function isSecretName(name: string): boolean {
  return WHOLE_NAME.test(name) || SECRET_NAME.test(name);
}

// Text from outside decides how long these take, so each begins where a word begins and repeats within bounds.
const NAME = `(?<![\\w.$-])[\\w.$-]{0,60}?(?:${SECRET_WORDS})[\\w.-]{0,60}`;
const PRIVATE_KEY = /-----BEGIN [^-]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [^-]{0,60}-----|$)/g;
const BEARER = /\b(Bearer|SharedAccessSignature)\s+(?!\[hidden\])[\w.~+/=%&-]+/gi;
const BASIC = /\b(Basic)\s+(?=[\w+/]{0,200}[\d=])[\w+/]{6,}={0,2}/gi;
const JWT = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w.-]*/g;
const API_KEY = /(?<![\w-])sk-[\w-]{16,}/g;
const HEADER =
  /(?<![\w-])((?:proxy-)?authorization|(?:set-)?cookie|[\w-]{0,40}?(?:api|subscription|functions)-key)(\s?:(?!\s?\w+ \[)\s?)[^\r\n"']+/gi;
/** `password: value`, as people write it. */
const SPOKEN = /(?<![\w-])(passw(?:or)?d|passphrase|pwd|client[-_]secret)(\s?:\s?)[^\s"',;]+/gi;
/** `name=value` of URLs, forms and connection strings. A quoted value may contain spaces. */
const PARAMETER = new RegExp(
  `(${NAME}|(?<!\\w)sig|[?&]key|(?:^|[?&])code)(\\s?=\\s?|%3D)("[^"]*"|'[^']*'|[^&\\s"';]+)`,
  "gi",
);
/** `"name": "value"` of JSON, also of JSON inside a JSON string. */
const PROPERTY = new RegExp(
  `((?:${NAME}|(?<![\\w.$-])(?:${SECRET_NAMES}))\\\\?["']\\s?:\\s?)(\\\\?)(["'])(?:[^"'\\\\]|\\\\[^"'])*\\\\?["']`,
  "gi",
);
const URL_PASSWORD = /((?<![\w+.-])[a-z][\w+.-]{0,20}:\/\/)([^:/\s@"']*:)?[^/\s"']+@/gi;

/** Removes whatever looks like a credential from text from outside, error messages above all. */
export function redactText(text: string): string {
  return text
    .replace(PRIVATE_KEY, HIDDEN)
    .replace(PROPERTY, `$1$2$3${HIDDEN}$2$3`)
    .replace(BEARER, `$1 ${HIDDEN}`)
    .replace(BASIC, `$1 ${HIDDEN}`)
    .replace(JWT, HIDDEN)
    .replace(API_KEY, HIDDEN)
    .replace(HEADER, `$1$2${HIDDEN}`)
    .replace(SPOKEN, `$1$2${HIDDEN}`)
    .replace(PARAMETER, `$1$2${HIDDEN}`)
    .replace(URL_PASSWORD, (_, scheme: string, user = "") => `${scheme}${user}${HIDDEN}@`);
}

const DEPTH_MAX = 12;

/**
 * The same for a value of any shape: fields by their names, all other text by what it looks like. `describe`
 * says what there is to show of an error.
 */
export function redactValue(
  value: unknown,
  describe: (error: Error) => object = (error) => ({ message: error.message }),
  depth = 0,
): unknown {
  const inner = (each: unknown) => redactValue(each, describe, depth + 1);
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_MAX) return HIDDEN; // perhaps a loop
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Error) return inner(describe(value));
  if (!isPlain(value)) return value; // it has its own way to print: a date, a secret
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      isHiddenIn(name, each) ? HIDDEN : inner(each),
    ]),
  );
}

/** Numbers and booleans are not secrets: the token of a lease is a count. */
function isHiddenIn(name: string, value: unknown): boolean {
  if (typeof value === "string") return isSecretName(name);
  return typeof value === "object" && value !== null && WHOLE_NAME.test(name);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
