/**
 * Request headers that change what a request means, for all of Graph and Dataverse. A route that obeys
 * one of them does so itself; everywhere else it is refused here, or it changes nothing: preferences
 * (RFC 7240), ranges of a representation (RFC 9110, 14.2), dates of a representation that has none (13.1.3)
 * and formats of what is not JSON (12.5.1).
 */
import type { TenantRequest, TenantResponse } from "./http.ts";
import type { PartError, PartName } from "./part-errors.ts";

const METHOD_NAMES = ["x-http-method", "x-http-method-override", "x-method-override"];
const UPLOAD = /^\/upload\//i;

/** Writes that compare versions themselves. */
const VERSIONED = [
  /^(PATCH|DELETE) .*\/messages(\/[^/]+|\('[^/]+'\))$/i,
  /^(PATCH|DELETE|PUT) \/(v1\.0|beta)\/.*(drive|drives\/[^/]+)\/(items\/|root\b)/i,
  /^POST \/(v1\.0|beta)\/.*drives?\/.*\/createUploadSession$/i,
  /^(PATCH|DELETE|PUT) \/api\/data\/[^/]+\/\w+\(/i,
];

/** Why the headers of a request are refused; null if they are not. */
export function refuseHeaders(request: TenantRequest, part: PartName): PartError | null {
  if (part !== "graph" && part !== "dataverse") return null;
  const { headers } = request;
  const isGraph = part === "graph";
  const problem = (status: number, graphCode: string, message: string) => ({
    status,
    code: isGraph ? graphCode : "0x80060888",
    message,
  });
  const overriding = METHOD_NAMES.find((name) => headers[name] !== undefined);
  if (overriding !== undefined) {
    return problem(
      501,
      "NotImplemented",
      `The header ${overriding} is not part of the local tenant.`,
    );
  }
  const coding = headers["content-encoding"];
  if (coding !== undefined && !/^\s*(identity)?\s*$/i.test(coding)) {
    return problem(415, "UnsupportedMediaType", `The content coding '${coding}' is not supported.`);
  }
  if (headers["content-range"] !== undefined && !UPLOAD.test(request.path)) {
    return problem(400, "invalidRequest", "Content-Range belongs to the URL of an upload session.");
  }
  const version = wrongVersion(headers);
  if (version !== null) return problem(400, "BadRequest", version);
  if (request.method === "GET" || !isFailedWrite(request, part)) return null;
  return preconditionFailed(part);
}

/** The API speaks OData 4.0: a payload of another version, or an answer below it, is not possible. */
function wrongVersion(headers: TenantRequest["headers"]): string | null {
  const sent = headers["odata-version"];
  if (sent !== undefined && sent.trim() !== "4.0") {
    return `The OData-Version '${sent}' is not supported; it must be 4.0.`;
  }
  const highest = headers["odata-maxversion"];
  if (highest === undefined || /^\s*([4-9]|\d{2,})\.\d+\s*$/.test(highest)) return null;
  return `The OData-MaxVersion '${highest}' is not supported; it must be 4.0 or higher.`;
}

/** Where nothing has a version, no entity tag can be the current one, but there is something. */
function isFailedWrite(request: TenantRequest, part: PartName): boolean {
  if (VERSIONED.some((each) => each.test(`${request.method} ${request.path}`))) return false;
  const match = request.headers["if-match"];
  if (match !== undefined && match.trim() !== "*") return true;
  // Dataverse documents `*` for a POST that must not become an update.
  return part === "graph" && request.headers["if-none-match"]?.trim() === "*";
}

/** What a read with conditions is answered, once it is known what it would show. */
export function applyConditions(
  request: TenantRequest,
  part: PartName,
  response: TenantResponse,
): TenantResponse | PartError {
  if (request.method !== "GET" || ![200, 206].includes(response.status)) return response;
  if (part !== "graph" && part !== "dataverse") return response;
  const tag = tagOf(response);
  const { "if-match": match, "if-none-match": noneMatch } = request.headers;
  if (match !== undefined && match.trim() !== "*" && !hasTag(match, tag)) {
    return preconditionFailed(part);
  }
  // A row of Dataverse knows when its answer says more than its tag.
  if (part === "dataverse" || noneMatch === undefined || tag === null) return response;
  if (noneMatch.trim() !== "*" && !hasTag(noneMatch, tag)) return response;
  return { status: 304, headers: { etag: tag } };
}

function tagOf({ headers, body }: TenantResponse): string | null {
  const inBody = typeof body === "object" && body !== null && !Buffer.isBuffer(body) ? body : {};
  const shown = inBody as { readonly "@odata.etag"?: unknown; readonly eTag?: unknown };
  const tag = headers?.["etag"] ?? shown["@odata.etag"] ?? shown.eTag;
  return typeof tag === "string" ? tag : null;
}

/** Whether `If-Match` or `If-None-Match` lists one of these entity tags, weak or strong. */
export function hasTag(header: string, ...tags: readonly (string | null | undefined)[]): boolean {
  const listed = (header.match(/(?:W\/)?"[^"]*"/g) ?? [header.trim()]).map(withoutWeakness);
  return tags.some((tag) => typeof tag === "string" && listed.includes(withoutWeakness(tag)));
}

const withoutWeakness = (tag: string) => tag.replace(/^W\//, "");

function preconditionFailed(part: PartName): PartError {
  return part === "graph"
    ? {
        status: 412,
        code: "PreconditionFailed",
        message: "A precondition of the request does not match the state of the resource.",
      }
    : {
        status: 412,
        code: "0x80060882",
        message:
          "The version of the existing record doesn't match the RowVersion property provided.",
      };
}

/** Why a body cannot be read as JSON, from what its Content-Type says; null if it can. */
export function wrongJsonType({ headers }: TenantRequest): "type" | "charset" | null {
  const type = headers["content-type"];
  if (type === undefined) return null;
  if (!/^\s*(application|text)\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) return "type";
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1];
  return charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset) ? null : "charset";
}
