/** One authenticated request to Graph, with everything that handlers need. */
import type { Caller, TenantContext, User } from "../../context.ts";
import type { TenantRequest, TenantResponse } from "../../http.ts";
import { wrongJsonType } from "../../request-headers.ts";
import type { IdForm } from "../mailbox/mail-ids.ts";
import { badRequest, GraphProblem } from "./graph-error.ts";

export type BodyForm = "text" | "html";

export interface GraphCall {
  readonly request: TenantRequest;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  /** `v1.0` or `beta`. */
  readonly version: string;
  readonly idForm: IdForm;
  readonly bodyForm: BodyForm;
  readonly maxPageSize: number | null;
  /** Preferences that were honoured, for `Preference-Applied`. */
  readonly applied: string[];
}

const PAGE_SIZE_MAX = 1000;

export type GraphHandler = (call: GraphCall) => TenantResponse | Promise<TenantResponse>;

export function createCall(
  request: TenantRequest,
  caller: Caller,
  params: Record<string, string>,
  version: string,
): GraphCall {
  const preferences = parsePrefer(request.headers["prefer"]);
  const applied: string[] = [];
  const isImmutable = preferences.get("idtype")?.toLowerCase() === "immutableid";
  if (isImmutable) applied.push('IdType="ImmutableId"');
  const bodyType = preferences.get("outlook.body-content-type")?.toLowerCase();
  if (bodyType === "text" || bodyType === "html") {
    applied.push(`outlook.body-content-type="${bodyType}"`);
  }
  const pageSize = Number(preferences.get("odata.maxpagesize"));
  return {
    request,
    caller,
    params,
    version,
    idForm: isImmutable ? "immutable" : "default",
    bodyForm: bodyType === "text" ? "text" : "html",
    maxPageSize:
      Number.isInteger(pageSize) && pageSize > 0 ? Math.min(pageSize, PAGE_SIZE_MAX) : null,
    applied,
  };
}

/** `Prefer: a="b", c=d; e` as a map of lower-case names. */
function parsePrefer(header: string | undefined): Map<string, string> {
  const preferences = new Map<string, string>();
  for (const part of (header ?? "").split(/[,;]/)) {
    const [name, value = ""] = part.split("=");
    if (name?.trim())
      preferences.set(name.trim().toLowerCase(), value.trim().replace(/^"|"$/g, ""));
  }
  return preferences;
}

export function readJson(request: TenantRequest): Record<string, unknown> {
  const wrong = wrongJsonType(request);
  if (wrong === "charset") {
    throw new GraphProblem(
      415,
      "UnsupportedMediaType",
      "The charset of the body is not supported.",
    );
  }
  let parsed: unknown;
  try {
    parsed = wrong === null ? JSON.parse(request.body.toString("utf8")) : undefined;
  } catch {
    // handled below, together with what is not sent as JSON
  }
  if (parsed === undefined) {
    throw badRequest(
      "Unable to read JSON request payload. Please ensure Content-Type header is set and payload is of valid JSON format.",
    );
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw badRequest("The request body must be a JSON object.");
  }
  return parsed as Record<string, unknown>;
}

const FOUND_USERS = new WeakMap<TenantContext, Map<string, User>>();

/** Finds a user by object id, or by principal name or address ignoring case. */
export function findUser(context: TenantContext, idOrName: string): User | null {
  const known = FOUND_USERS.get(context) ?? new Map<string, User>();
  FOUND_USERS.set(context, known);
  const remembered = known.get(idOrName);
  // Users come and go, so a cached result is only a hint.
  if (remembered !== undefined && context.users.includes(remembered)) return remembered;
  const wanted = idOrName.toLowerCase();
  const user = context.users.find((each) =>
    [each.id, each.userPrincipalName, each.mail].some((name) => name.toLowerCase() === wanted),
  );
  if (user !== undefined) known.set(idOrName, user);
  return user ?? null;
}

export function loadUser(context: TenantContext, idOrName: string): User {
  const user = findUser(context, idOrName);
  if (user !== null) return user;
  throw new GraphProblem(
    404,
    "Request_ResourceNotFound",
    `Resource '${idOrName}' does not exist or one of its queried reference-property objects are not present.`,
  );
}

export function contextUrl(context: TenantContext, call: GraphCall, fragment: string): string {
  return `${context.origin()}/${call.version}/$metadata#${fragment}`;
}

export function json(status: number, body: object, call: GraphCall): TenantResponse {
  const headers: Record<string, string> = {
    "content-type":
      "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8",
  };
  if (call.applied.length > 0) headers["preference-applied"] = call.applied.join(", ");
  return { status, headers, body };
}
