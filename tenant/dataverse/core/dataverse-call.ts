/** One authenticated request to Dataverse, and what every route needs. */
import type { TenantContext } from "../../context.ts";
import type { TenantRequest, TenantResponse } from "../../http.ts";
import { wrongJsonType } from "../../request-headers.ts";
import type { Schema } from "../schema/schema.ts";
import { badPayload, DataverseProblem } from "./dataverse-error.ts";
import type { Preferences } from "./preferences.ts";
import type { Row, Rows } from "./rows.ts";
import type { Security } from "./security.ts";
import type { Webhooks } from "./webhooks.ts";

export interface DataverseWorld {
  readonly context: TenantContext;
  readonly schema: Schema;
  readonly rows: Rows;
  readonly security: Security;
  readonly webhooks: Webhooks;
  /** Object ids and app ids that became users of the environment. */
  readonly known: Set<string>;
  organizationId(): string;
  businessUnitId(): string;
}

export interface DataverseCall extends DataverseWorld {
  readonly request: TenantRequest;
  /** `v9.2`. */
  readonly version: string;
  /** The systemuser that acts, after impersonation. */
  readonly user: Row;
  /** The systemuser to whom the token belongs. */
  readonly initiator: Row;
  readonly preferences: Preferences;
  /** Whether the rules against duplicates apply; a header of the request turns them on. */
  readonly detectsDuplicates: boolean;
  /** Undoes what this request has done so far, newest first. */
  readonly undo: (() => void)[];
}

export function apiRoot(call: DataverseCall): string {
  return `${call.context.origin()}/api/data/${call.version}`;
}

export function readBody(call: DataverseCall, setName: string): Record<string, unknown> {
  const { request } = call;
  if (wrongJsonType(request) !== null) {
    throw new DataverseProblem(415, "0x80060888", "The content type is not supported.");
  }
  try {
    const parsed: unknown = JSON.parse(request.body.toString("utf8"));
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>;
    }
  } catch {
    // handled below, together with JSON that is not an object
  }
  throw badPayload(setName, "Invalid JSON. A token was not recognized in the JSON content.");
}

/** The preferences that a response with this body has honoured, as the client wrote them. */
function appliedIn({ preferences, request }: DataverseCall, body: object | undefined): string[] {
  if (body === undefined) return [];
  const names = ["odata.include-annotations", ...preferences.honoured];
  const applied = names.flatMap((name) => preferences.written(name) ?? []);
  const returns = request.method !== "GET" && preferences.wantsRepresentation;
  return returns ? [...applied, "return=representation"] : applied;
}

export function answer(
  call: DataverseCall,
  status: number,
  body?: object,
  headers: Record<string, string> = {},
): TenantResponse {
  const applied = appliedIn(call, body);
  return {
    status,
    headers: {
      "odata-version": "4.0",
      ...(body === undefined ? {} : { "content-type": "application/json; odata.metadata=minimal" }),
      ...(applied.length > 0 ? { "preference-applied": applied.join(",") } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  };
}
