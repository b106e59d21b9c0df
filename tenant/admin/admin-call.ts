import type { Filled } from "../content/library/fill-library.ts";
import type { SigningKeys } from "../entra/tokens/keys.ts";
import type { Handler, TenantRequest, TenantResponse } from "../http.ts";
import type { TenantSnapshot } from "../snapshot.ts";

/** What the admin API needs besides the parts: the signing keys and the state of the whole tenant. */
export interface TenantCore {
  readonly keys: SigningKeys;
  fillLibrary(count?: number): Promise<Filled>;
  snapshot(): TenantSnapshot;
  restore(snapshot: TenantSnapshot): void;
}

export type AddRoute = (method: string, path: string, handler: Handler) => void;

/** An invalid admin request; the message says what would be valid. */
export class AdminRefusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function ok(body: object, status = 200): TenantResponse {
  return { status, body };
}

/** The body as a JSON object; an empty body is an empty object. */
export function readJson(request: TenantRequest): Record<string, unknown> {
  if (request.body.length === 0) return {};
  let body: unknown;
  try {
    body = JSON.parse(request.body.toString("utf8"));
  } catch {
    throw new AdminRefusal(400, "BadRequest", "The body is not JSON.");
  }
  if (isObject(body)) return body;
  throw new AdminRefusal(400, "BadRequest", "The body must be a JSON object.");
}

export function stringOf(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value === "string" && value !== "") return value;
  throw new AdminRefusal(400, "BadRequest", `'${name}' must be a string.`);
}

const KINDS = {
  text: { what: "a string", is: (value: unknown) => typeof value === "string" && value !== "" },
  number: {
    what: "a number of at least 0",
    is: (value: unknown) => Number(value) >= 0 && typeof value === "number",
  },
  flag: { what: "true or false", is: (value: unknown) => typeof value === "boolean" },
  texts: {
    what: "a list of strings",
    is: (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === "string"),
  },
  object: { what: "an object", is: isObject },
};

export type Kinds = Readonly<Record<string, keyof typeof KINDS>>;

/** Refuses values that would be stored and fail later; properties that are not listed may be anything. */
export function checkKinds(body: Record<string, unknown>, kinds: Kinds): void {
  for (const [name, kind] of Object.entries(kinds)) {
    if (body[name] === undefined || KINDS[kind].is(body[name])) continue;
    throw new AdminRefusal(400, "BadRequest", `'${name}' must be ${KINDS[kind].what}.`);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
