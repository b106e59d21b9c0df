import type { Handler, TenantRequest, TenantResponse } from "../http.ts";

export type AddRoute = (method: string, path: string, handler: Handler) => void;

/** A wrong admin request; the message says what would be right. */
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
  let value: unknown;
  try {
    value = JSON.parse(request.body.toString("utf8"));
  } catch {
    throw new AdminRefusal(400, "BadRequest", "The body is not JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new AdminRefusal(400, "BadRequest", "The body must be a JSON object.");
  }
  return value as Record<string, unknown>;
}

export function stringOf(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value === "string" && value !== "") return value;
  throw new AdminRefusal(400, "BadRequest", `'${name}' must be a text.`);
}
