import type { TenantContext } from "../context.ts";
import type { TenantRequest, TenantResponse } from "../http.ts";

export interface EntraProblem {
  /** The OAuth error, the only field that a client may base decisions on. */
  readonly error: string;
  /** The AADSTS number. */
  readonly number: number;
  readonly message: string;
  readonly status?: number;
  readonly suberror?: string;
  /** JSON text that the client sends with its next sign-in. */
  readonly claims?: string;
}

/** Thrown inside the flows; the endpoint turns it into the response. */
export class EntraRefusal extends Error {
  readonly problem: EntraProblem;
  constructor(problem: EntraProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

export function refuse(problem: EntraProblem): never {
  throw new EntraRefusal(problem);
}

export interface EntraErrorBody {
  readonly error: string;
  readonly error_description: string;
  readonly error_codes: readonly number[];
  readonly timestamp: string;
  readonly trace_id: string;
  readonly correlation_id: string;
  readonly error_uri: string;
  readonly suberror?: string;
  readonly claims?: string;
}

export function entraErrorBody(
  context: Pick<TenantContext, "clock">,
  traceId: string,
  request: TenantRequest,
  problem: EntraProblem,
): EntraErrorBody {
  const timestamp = `${new Date(context.clock.now()).toISOString().slice(0, 19).replace("T", " ")}Z`;
  const correlationId = correlationOf(request) ?? traceId;
  const lines = [
    `AADSTS${problem.number}: ${problem.message}`,
    `Trace ID: ${traceId}`,
    `Correlation ID: ${correlationId}`,
    `Timestamp: ${timestamp}`,
  ];
  return {
    error: problem.error,
    error_description: lines.join("\r\n"),
    error_codes: [problem.number],
    timestamp,
    trace_id: traceId,
    correlation_id: correlationId,
    error_uri: `${request.url.origin}/error?code=${problem.number}`,
    ...(problem.suberror ? { suberror: problem.suberror } : {}),
    ...(problem.claims ? { claims: problem.claims } : {}),
  };
}

export function entraErrorResponse(body: EntraErrorBody, problem: EntraProblem): TenantResponse {
  return {
    status: problem.status ?? 400,
    headers: {
      "cache-control": "no-store, no-cache",
      pragma: "no-cache",
      "x-ms-request-id": body.trace_id,
    },
    body,
  };
}

function correlationOf(request: TenantRequest): string | undefined {
  return request.query.get("client-request-id") ?? request.headers["client-request-id"];
}
