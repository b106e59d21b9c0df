import type { TenantRequest, TenantResponse } from "./http.ts";

/** The parts with error formats of their own. */
export type PartName = "graph" | "entra" | "dataverse" | "servicebus" | "admin" | "unknown";

export function partOf(path: string): PartName {
  if (/^\/(v1\.0|beta)(\/|$)/i.test(path)) return "graph";
  if (/^\/(upload|download|monitor)\//i.test(path)) return "graph";
  // A version that Graph does not have.
  if (/^\/v\d+(\.\d+)?(\/|$)/i.test(path)) return "graph";
  if (/^\/api\/data(\/|$)/i.test(path)) return "dataverse";
  if (/^\/servicebus(\/|$)/i.test(path)) return "servicebus";
  if (/^\/admin(\/|$)/i.test(path)) return "admin";
  if (/^\/[^/]+\/(oauth2|discovery|v2\.0|\.well-known|login|kmsi|adminconsent)(\/|$)/i.test(path))
    return "entra";
  if (/^\/oidc\//i.test(path)) return "entra";
  return "unknown";
}

export interface PartError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Record<string, string>;
}

/** An error in the format of the part that the path belongs to. */
export function partError(
  part: PartName,
  error: PartError,
  request: Pick<TenantRequest, "headers">,
  ids: { requestId: string; nowMs: number },
): TenantResponse {
  const { status, code, message, headers } = error;
  if (part === "entra") return { status, headers, body: entraShape(error, ids) };
  if (part === "dataverse" || part === "admin") {
    return { status, headers, body: { error: { code, message } } };
  }
  const innerError = {
    ...(status === 429 ? { code: "429" } : {}),
    date: new Date(ids.nowMs).toISOString().slice(0, 19),
    "request-id": ids.requestId,
    "client-request-id": request.headers["client-request-id"] ?? ids.requestId,
  };
  return { status, headers, body: { error: { code, message, innerError } } };
}

function entraShape(
  { code, message, status }: PartError,
  ids: { requestId: string; nowMs: number },
) {
  const timestamp = `${new Date(ids.nowMs).toISOString().slice(0, 19).replace("T", " ")}Z`;
  const number = status === 429 ? 90055 : status === 404 ? 900384 : 90033;
  return {
    error: status === 429 || status >= 500 ? "temporarily_unavailable" : code,
    error_description: `AADSTS${number}: ${message}\r\nTrace ID: ${ids.requestId}\r\nCorrelation ID: ${ids.requestId}\r\nTimestamp: ${timestamp}`,
    error_codes: [number],
    timestamp,
    trace_id: ids.requestId,
    correlation_id: ids.requestId,
  };
}
