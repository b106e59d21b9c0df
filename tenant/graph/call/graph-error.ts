import type { TenantResponse } from "../../http.ts";

/** A refusal in Graph's words. Handlers throw it; the part turns it into the response. */
export class GraphProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;
  /** A more specific code, which Graph nests inside `innerError`. */
  readonly innerCode: string | null;

  constructor(
    status: number,
    code: string,
    message: string,
    details: { headers?: Record<string, string>; innerCode?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = details.headers ?? {};
    this.innerCode = details.innerCode ?? null;
  }
}

export interface RequestMarks {
  readonly requestId: string;
  readonly clientRequestId: string;
  readonly nowMs: number;
}

export function toErrorResponse(problem: GraphProblem, marks: RequestMarks): TenantResponse {
  return {
    status: problem.status,
    headers: { ...problem.headers },
    body: {
      error: {
        code: problem.code,
        message: problem.message,
        innerError: {
          ...(problem.innerCode === null ? {} : { code: problem.innerCode }),
          date: new Date(marks.nowMs).toISOString().slice(0, 19),
          "request-id": marks.requestId,
          "client-request-id": marks.clientRequestId,
        },
      },
    },
  };
}

export function itemNotFound(): GraphProblem {
  return new GraphProblem(
    404,
    "ErrorItemNotFound",
    "The specified object was not found in the store.",
  );
}

export function malformedId(): GraphProblem {
  return new GraphProblem(400, "ErrorInvalidIdMalformed", "Id is malformed.");
}

export function badRequest(message: string, code = "BadRequest"): GraphProblem {
  return new GraphProblem(400, code, message);
}

export function accessDenied(
  message = "Access is denied. Check credentials and try again.",
): GraphProblem {
  return new GraphProblem(403, "ErrorAccessDenied", message);
}
