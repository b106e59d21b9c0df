/** What `Accept` requests. Graph and Dataverse return JSON, with more or less control information. */
import type { TenantRequest, TenantResponse } from "./http.ts";
import type { PartError, PartName } from "./part-errors.ts";

type Level = "none" | "minimal";

const NEGOTIATED: readonly PartName[] = ["graph", "dataverse"];
/** Control information that every level includes, because a client needs it. */
const ALWAYS = /@odata\.(nextLink|deltaLink|count)$/;

/** Why a request is refused before anything is done; for reads, the response decides. */
export function refuseAccept(request: TenantRequest, part: PartName): PartError | null {
  if (!NEGOTIATED.includes(part)) return null;
  const parameter = unknownParameter(request);
  if (parameter !== null) return notAcceptable(parameter);
  if (request.method === "GET" || acceptsJson(request)) return null;
  return notAcceptable(request.headers["accept"]!);
}

/** The response in the requested format, or why that is not possible. */
export function applyAccept(
  request: TenantRequest,
  part: PartName,
  response: TenantResponse,
): TenantResponse | PartError {
  if (!NEGOTIATED.includes(part) || !isJson(response) || response.status >= 400) return response;
  if (!acceptsJson(request)) return notAcceptable(request.headers["accept"]!);
  if (levelOf(request) !== "none") return response;
  const headers = { ...response.headers };
  if (headers["content-type"] !== undefined) {
    headers["content-type"] = headers["content-type"].replace("metadata=minimal", "metadata=none");
  }
  return { ...response, headers, body: withoutControl(response.body) as object };
}

function isJson({ body }: TenantResponse): boolean {
  return typeof body === "object" && body !== null && !Buffer.isBuffer(body);
}

function acceptsJson({ headers }: TenantRequest): boolean {
  const accept = headers["accept"];
  return accept === undefined || /(application|\*)\/(json|\*)|^\s*$/i.test(accept);
}

/** A parameter that would change the JSON in a way that is not modelled. */
function unknownParameter({ headers }: TenantRequest): string | null {
  const unknown =
    /odata\.metadata=(?!"?(?:none|minimal)\b)[^;,]*|IEEE754Compatible=(?!"?false\b)[^;,]*/i;
  return unknown.exec(headers["accept"] ?? "")?.[0] ?? null;
}

function levelOf({ headers }: TenantRequest): Level {
  const level = /odata\.metadata="?(none|minimal)/i.exec(headers["accept"] ?? "")?.[1];
  return (level?.toLowerCase() as Level | undefined) ?? "minimal";
}

function withoutControl(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutControl);
  if (typeof value !== "object" || value === null || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !name.includes("@odata.") || ALWAYS.test(name))
      .map(([name, inner]) => [name, withoutControl(inner)]),
  );
}

function notAcceptable(accept: string): PartError {
  const message = `The format '${accept}' of the Accept header is not supported.`;
  return { status: 406, code: "NotAcceptable", message };
}
