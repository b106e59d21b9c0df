/** One authenticated request to Dataverse, and what every route needs. */
import type { TenantContext } from "../context.ts";
import type { TenantRequest, TenantResponse } from "../http.ts";
import { badPayload, DataverseProblem } from "./dataverse-error.ts";
import type { Row, Rows } from "./rows.ts";
import type { Schema } from "./schema.ts";
import type { Security } from "./security.ts";
import type { Webhooks } from "./webhooks.ts";

export interface DataverseWorld {
  readonly context: TenantContext;
  readonly schema: Schema;
  readonly rows: Rows;
  readonly security: Security;
  readonly webhooks: Webhooks;
  /** Object ids and app ids that were made users of the environment. */
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
  /** The systemuser whose token it was. */
  readonly initiator: Row;
  readonly withAnnotations: boolean;
  readonly wantsRepresentation: boolean;
  readonly pageSize: number | null;
  /** Takes back what this request has done so far, newest first. */
  readonly undo: (() => void)[];
}

export function readPrefer(request: TenantRequest) {
  const prefer = request.headers["prefer"] ?? "";
  const pageSize = Number(/odata\.maxpagesize=(\d+)/i.exec(prefer)?.[1] ?? Number.NaN);
  return {
    withAnnotations: /odata\.include-annotations/i.test(prefer),
    wantsRepresentation: /return=representation/i.test(prefer),
    pageSize: Number.isInteger(pageSize) && pageSize > 0 ? pageSize : null,
  };
}

export function apiRoot(call: DataverseCall): string {
  return `${call.context.origin()}/api/data/${call.version}`;
}

export function readBody(call: DataverseCall, setName: string): Record<string, unknown> {
  const { request } = call;
  if (!/json/i.test(request.headers["content-type"] ?? "application/json")) {
    throw new DataverseProblem(415, "0x80060888", "The content type is not supported.");
  }
  try {
    const parsed: unknown = JSON.parse(request.body.toString("utf8"));
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>;
    }
  } catch {
    // said below, together with JSON that is no object
  }
  throw badPayload(setName, "Invalid JSON. A token was not recognized in the JSON content.");
}

export function answer(
  call: DataverseCall,
  status: number,
  body?: object,
  headers: Record<string, string> = {},
): TenantResponse {
  const applied: string[] = [];
  if (call.withAnnotations && body !== undefined) applied.push('odata.include-annotations="*"');
  if (call.wantsRepresentation && call.request.method !== "GET")
    applied.push("return=representation");
  return {
    status,
    headers: {
      "odata-version": "4.0",
      ...(applied.length > 0 ? { "preference-applied": applied.join(",") } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  };
}
