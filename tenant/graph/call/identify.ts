/** What every request to Graph has in common: a caller, request ids, and errors in Graph's words. */
import type { Caller, TenantContext } from "../../context.ts";
import type { TenantRequest, TenantResponse } from "../../http.ts";
import { GraphProblem, toErrorResponse } from "./graph-error.ts";

const GRAPH_AUDIENCE = "https://graph.microsoft.com";
const GRAPH_APP_ID = "00000003-0000-0000-c000-000000000000";

/** Every answer, even an error, carries Graph's request id and the caller's own. */
export async function withRequestIds<Answer extends TenantResponse | null>(
  { context, requestIds }: { context: TenantContext; requestIds: TenantContext["random"] },
  request: TenantRequest,
  answer: () => Promise<Answer>,
): Promise<Answer | TenantResponse> {
  const requestId = requestIds.uuid();
  const clientRequestId = request.headers["client-request-id"] ?? requestId;
  const response = await answer().catch((problem: unknown) => {
    if (!(problem instanceof GraphProblem)) throw problem;
    const nowMs = context.clock.now();
    return toErrorResponse(problem, { requestId, clientRequestId, nowMs });
  });
  if (response === null) return response;
  const ids = { "request-id": requestId, "client-request-id": clientRequestId };
  return { ...response, headers: { ...FIXED_HEADERS, ...response.headers, ...ids } };
}

const FIXED_HEADERS = {
  "cache-control": "private",
  "odata-version": "4.0",
  "strict-transport-security": "max-age=31536000",
  "x-ms-ags-diagnostic": JSON.stringify({
    ServerInfo: { DataCenter: "Local", Slice: "E", Ring: "1", ScaleUnit: "000" },
  }),
};

export async function authenticate(
  context: TenantContext,
  request: TenantRequest,
): Promise<Caller> {
  const authorization = request.headers["authorization"];
  const caller = await context.authenticate(authorization, GRAPH_AUDIENCE);
  if (caller !== null) return caller;
  throw new GraphProblem(
    401,
    "InvalidAuthenticationToken",
    whyRefused(authorization, context.clock.now()),
    {
      headers: {
        "www-authenticate": `Bearer realm="", authorization_uri="${context.origin()}/common/oauth2/authorize", client_id="${GRAPH_APP_ID}"`,
      },
    },
  );
}

function whyRefused(authorization: string | undefined, nowMs: number): string {
  const token = authorization?.replace(/^Bearer\s*/i, "") ?? "";
  if (token === "") return "Access token is empty.";
  const claims = claimsOf(token);
  if (claims === null) return "IDX14100: JWT is not well formed, there are no dots (.).";
  if (![GRAPH_AUDIENCE, GRAPH_APP_ID].includes(String(claims["aud"]).replace(/\/$/, ""))) {
    return "Access token validation failure. Invalid audience.";
  }
  if (Number(claims["exp"]) * 1000 <= nowMs) {
    return "Lifetime validation failed, the token is expired.";
  }
  return "Access token validation failure. Invalid signature.";
}

/** What a token says of itself, which decides only the words of its refusal. */
function claimsOf(token: string): Record<string, unknown> | null {
  try {
    const claims: unknown = JSON.parse(
      Buffer.from(token.split(".")[1] ?? "", "base64url").toString(),
    );
    return typeof claims === "object" ? (claims as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
