import type { FaultCode } from "../../lib/fault.ts";
import type { HttpAnswer } from "../../lib/http.ts";
import { ApiError } from "../transport/api-error.ts";

/** Graph refused a call. The body is kept for decisions and never printed; the path has no query. */
export class GraphApiError extends ApiError {
  readonly body: string;
  readonly path: string;
  /** Graph's own code, the deepest one given. */
  readonly graphCode: string;

  constructor(path: string, answer: HttpAnswer, askedForMs?: number) {
    const body = answer.body.toString("utf8");
    const graphCode = deepestCode(body);
    super(
      faultCodeOf(answer.status, graphCode),
      `Graph answered ${answer.status} ${graphCode} to ${path}`,
      answer,
      {
        ...(askedForMs === undefined ? {} : { retryAfterMs: askedForMs }),
        facts: { status: answer.status, graphCode, path, requestId: answer.headers["request-id"] },
      },
    );
    this.name = "GraphApiError";
    this.body = body;
    this.path = path;
    this.graphCode = graphCode;
  }
}

function faultCodeOf(status: number, graphCode: string): FaultCode {
  if (status === 429) return "graph.throttled";
  if (status === 410 || /syncstate/i.test(graphCode)) return "graph.sync-state-gone";
  if (status === 401) return "graph.unauthorized";
  if (status === 403) return "graph.denied";
  if (status === 404) return "graph.not-found";
  if (status >= 500 || status === 408) return "graph.unavailable";
  return "graph.rejected";
}

/** Graph nests more specific codes in `innerError` or `innererror`. */
function deepestCode(body: string): string {
  let code = "";
  try {
    let level: unknown = (JSON.parse(body) as { error?: unknown }).error;
    while (typeof level === "object" && level !== null) {
      const { code: here, innerError, innererror } = level as Record<string, unknown>;
      if (typeof here === "string" && here !== "" && !/^\d+$/.test(here)) code = here;
      level = innerError ?? innererror;
    }
  } catch {
    return ""; // an HTML page from a proxy
  }
  return code;
}
