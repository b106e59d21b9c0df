/** Pages in a browser may call Graph and Dataverse with a token of their own. */
import type { TenantRequest, TenantResponse } from "./http.ts";
import type { PartName } from "./part-errors.ts";

const OPEN_TO_PAGES: readonly PartName[] = ["graph", "dataverse"];

const EXPOSED = [
  ...["ETag", "Location", "Preference-Applied", "Content-Range", "request-id"],
  ...["client-request-id", "Retry-After", "WWW-Authenticate", "OData-EntityId", "OData-Version"],
].join(", ");

/** The answer to a browser that asks whether it may send a request; null for every other request. */
export function answerPreflight(request: TenantRequest, part: PartName): TenantResponse | null {
  const { origin, "access-control-request-method": method } = request.headers;
  if (request.method !== "OPTIONS" || origin === undefined || method === undefined) return null;
  if (!OPEN_TO_PAGES.includes(part)) return null;
  return {
    status: 200,
    headers: {
      "access-control-allow-methods": method,
      "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "*",
      "access-control-max-age": "3600",
    },
  };
}

export function crossOriginHeaders(
  { headers }: TenantRequest,
  part: PartName,
): Record<string, string> {
  if (headers["origin"] === undefined || !OPEN_TO_PAGES.includes(part)) return {};
  return { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED };
}
