/** Bodies of `multipart/mixed`, as OData batches use them. */
import { STATUS_CODES } from "node:http";
import type { TenantResponse } from "../http.ts";
import { badQuery } from "./core/dataverse-error.ts";

export interface Part {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Null if the content is not `multipart/mixed`. */
export function boundaryOf(contentType: string | undefined): string | null {
  if (!/^multipart\/mixed/i.test(contentType ?? "")) return null;
  const match = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType!);
  return match?.[1] ?? match?.[2] ?? null;
}

export function readParts(text: string, boundary: string): Part[] {
  const pieces = `\n${text}`.split(new RegExp(`\\r?\\n--${escapePattern(boundary)}`));
  const end = pieces.findIndex((piece) => piece.startsWith("--"));
  if (pieces.length < 2 || end < 0) {
    throw badQuery("The message's end boundary is missing: the batch is not complete.");
  }
  return pieces.slice(1, end).map((piece) => {
    const [head = "", ...rest] = piece.replace(/^[ \t]*\r?\n/, "").split(/\r?\n\r?\n/);
    const headers: Record<string, string> = {};
    for (const line of head.split(/\r?\n/)) {
      const at = line.indexOf(":");
      if (at > 0) headers[line.slice(0, at).trim().toLowerCase()] = line.slice(at + 1).trim();
    }
    return { headers, body: rest.join("\r\n\r\n") };
  });
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

const HEADER_NAMES: Readonly<Record<string, string>> = {
  "odata-version": "OData-Version",
  "odata-entityid": "OData-EntityId",
  "content-type": "Content-Type",
  "preference-applied": "Preference-Applied",
  "retry-after": "Retry-After",
  location: "Location",
  etag: "ETag",
};

const JSON_TYPE = "application/json; odata.metadata=minimal";

/** A response as one part of a batch response. */
export function toHttpText(response: TenantResponse, contentId: string | null): string {
  const { status, headers = {}, body } = response;
  const text = body === undefined || body === null ? "" : toText(body);
  const isJson = typeof body === "object" && body !== null && !Buffer.isBuffer(body);
  const typed = isJson ? { "content-type": JSON_TYPE, ...headers } : headers;
  const lines = Object.entries(typed).map(
    ([name, value]) => `${HEADER_NAMES[name] ?? name}: ${value}`,
  );
  return [
    "Content-Type: application/http",
    "Content-Transfer-Encoding: binary",
    ...(contentId === null ? [] : [`Content-ID: ${contentId}`]),
    "",
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...lines,
    "",
    text,
    "",
  ].join("\r\n");
}

function toText(body: NonNullable<TenantResponse["body"]>): string {
  if (Buffer.isBuffer(body)) return body.toString("utf8");
  return typeof body === "string" ? body : JSON.stringify(body);
}
