/**
 * Field names whose values never reach a log. Secrets are also wrapped in `Secret` as soon as they are read,
 * so that a template string cannot print one by accident.
 */
export const SECRET_FIELDS = [
  "authorization",
  "clientState",
  "client_secret",
  "clientSecret",
  "password",
  "secret",
  "token",
  "accessToken",
  "access_token",
  "assertion",
  "uploadUrl",
  "validationToken",
  "connectionString",
  "body",
  "bodyPreview",
  "contentBytes",
] as const;

const HIDDEN = "[hidden]";

/** A value that prints as `[hidden]`; only `reveal` returns it. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
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

const BEARER = /\bBearer\s+[\w.~+/=-]+/gi;
const JWT = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;
const CREDENTIAL =
  /\b(client_secret|assertion|password|SharedAccessKey|validationToken|sig|code)=[^&\s"';]+/gi;
const URL_PASSWORD = /(\w+:\/\/[^:/\s@]+:)[^@\s/]+@/g;

/** Removes everything that looks like a credential from text from outside, especially from error messages. */
export function redactText(text: string): string {
  return text
    .replace(BEARER, "Bearer [hidden]")
    .replace(JWT, HIDDEN)
    .replace(CREDENTIAL, "$1=[hidden]")
    .replace(URL_PASSWORD, "$1[hidden]@");
}
