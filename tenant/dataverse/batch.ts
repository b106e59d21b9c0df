/** `$batch`: several requests in one, and change sets that succeed or fail as a whole. */
import { createTenantRequest, type TenantRequest, type TenantResponse } from "../http.ts";
import type { PartError } from "../part-errors.ts";
import { applyConditions, refuseHeaders } from "../request-headers.ts";
import { checkParameters, findActor } from "./core/acting.ts";
import type { DataverseCall } from "./core/dataverse-call.ts";
import {
  badQuery,
  DataverseProblem,
  toErrorResponse,
  wrongMethod,
} from "./core/dataverse-error.ts";
import { readDetection } from "./core/duplicates.ts";
import { readPreferences } from "./core/preferences.ts";
import { boundaryOf, type Part, readParts, toHttpText } from "./multipart.ts";

const REQUESTS_MAX = 1000;

/** Answers one request of the batch on behalf of the batch's caller. */
type Route = (call: DataverseCall, path: string) => Promise<TenantResponse>;

export async function runBatch(call: DataverseCall, route: Route): Promise<TenantResponse> {
  if (call.request.method !== "POST") throw wrongMethod();
  const boundary = boundaryOf(call.request.headers["content-type"]);
  if (boundary === null) {
    throw badQuery(
      "The content type of a batch request must be 'multipart/mixed' with a 'boundary' parameter.",
    );
  }
  const parts = readParts(call.request.body.toString("utf8"), boundary);
  checkSize(parts);
  const answers: string[] = [];
  let failed: number | null = null;
  for (const part of parts) {
    const inner = boundaryOf(part.headers["content-type"]);
    const { text, failure } =
      inner === null
        ? await runAlone(call, route, part)
        : await runChangeSet(call, route, readParts(part.body, inner));
    answers.push(text);
    if (failure === null || call.preferences.continuesOnError) continue;
    failed = failure;
    break;
  }
  return toResponse(call, answers, failed ?? 200);
}

interface Outcome {
  readonly text: string;
  /** The status of the request that failed, or null. */
  readonly failure: number | null;
}

function checkSize(parts: readonly Part[]): void {
  const count = parts.reduce((sum, part) => {
    const inner = boundaryOf(part.headers["content-type"]);
    return sum + (inner === null ? 1 : readParts(part.body, inner).length);
  }, 0);
  if (count <= REQUESTS_MAX) return;
  throw badQuery(`A batch request can contain at most ${REQUESTS_MAX} requests, not ${count}.`);
}

async function runAlone(call: DataverseCall, route: Route, part: Part): Promise<Outcome> {
  const undo: (() => void)[] = [];
  const response = await runMember(call, route, { part, undo, references: new Map() });
  return {
    text: toHttpText(response, null),
    failure: response.status >= 400 ? response.status : null,
  };
}

/** All or nothing: the first failure undoes what came before it and is the only response. */
async function runChangeSet(
  call: DataverseCall,
  route: Route,
  parts: readonly Part[],
): Promise<Outcome> {
  const undo: (() => void)[] = [];
  const references = new Map<string, string>();
  const answers: string[] = [];
  for (const part of parts) {
    const id = part.headers["content-id"] ?? null;
    const response = await runMember(call, route, { part, undo, references, isChange: true });
    if (response.status >= 400) {
      for (const step of undo.reverse()) step();
      return { text: toHttpText(response, id), failure: response.status };
    }
    const entity = response.headers?.["odata-entityid"];
    if (id !== null && entity !== undefined) references.set(id, entity);
    answers.push(toHttpText(response, id));
  }
  const boundary = `changesetresponse_${call.rows.newId()}`;
  const body = answers.map((answer) => `--${boundary}\r\n${answer}`).join("");
  return {
    text: `Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n${body}--${boundary}--\r\n`,
    failure: null,
  };
}

interface Member {
  readonly part: Part;
  readonly undo: (() => void)[];
  /** Maps each `Content-ID` to the address of what was created. */
  readonly references: ReadonlyMap<string, string>;
  readonly isChange?: boolean;
}

async function runMember(
  call: DataverseCall,
  route: Route,
  member: Member,
): Promise<TenantResponse> {
  const { undo } = member;
  const before = undo.length;
  try {
    const request = toRequest(call, member);
    const path = /^\/api\/data\/(v9\.\d)\/(.+)$/i.exec(request.path)?.[2];
    if (path === undefined || path.startsWith("$batch")) throw badQuery("The URL is not valid.");
    if (member.isChange && request.method === "GET") {
      throw badQuery("GET requests are not allowed within a change set.");
    }
    const refused = refuseHeaders(request, "dataverse");
    if (refused !== null) throw toProblem(refused);
    const preferences = readPreferences(request.headers["prefer"]);
    checkParameters(request, call.initiator);
    // A header of a part is for that part alone.
    const user = findActor(call, call.initiator, request) ?? call.user;
    const detectsDuplicates = readDetection(request);
    const own = { ...call, user, request, undo, preferences, detectsDuplicates };
    const shown = applyConditions(request, "dataverse", await route(own, path));
    if ("message" in shown) throw toProblem(shown);
    return shown;
  } catch (problem) {
    if (!(problem instanceof DataverseProblem)) throw problem;
    for (const step of undo.splice(before).reverse()) step();
    return toErrorResponse(problem, call.preferences.wants);
  }
}

const toProblem = ({ status, code, message }: PartError) =>
  new DataverseProblem(status, code, message);

/** `GET accounts HTTP/1.1`, its headers, an empty line and its body. */
function toRequest(call: DataverseCall, { part, references }: Member): TenantRequest {
  const [head = "", ...rest] = part.body.split(/\r?\n\r?\n/);
  const [line = "", ...headerLines] = head.split(/\r?\n/);
  const match = /^([A-Z]+)\s+(\S+)\s+HTTP\/1\.1\s*$/.exec(line);
  if (match === null) throw badQuery("A request of the batch has no valid request line.");
  const headers = Object.fromEntries(
    headerLines.map((text) => {
      const at = text.indexOf(":");
      return [text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()];
    }),
  );
  const origin = call.context.origin();
  return createTenantRequest({
    method: match[1]!,
    target: toTarget(call, match[2]!, references),
    origin,
    headers: { "content-type": "application/json", ...headers },
    body: withReferences(rest.join("\r\n\r\n"), references),
  });
}

function toTarget(
  call: DataverseCall,
  url: string,
  references: ReadonlyMap<string, string>,
): string {
  const whole = url.replace(/^\$([\w-]+)/, (_, id: string) => referenceOf(references, id));
  const path = whole.replace(/^https?:\/\/[^/]+/i, "");
  return path.startsWith("/") ? path : `/api/data/${call.version}/${path}`;
}

/** `"…@odata.bind": "$1"` and `"@odata.id": "$1/…"` refer to what an earlier request created. */
function withReferences(body: string, references: ReadonlyMap<string, string>): string {
  return body.replace(
    /("[^"]*@odata\.(?:bind|id)"\s*:\s*")\$([\w-]+)/g,
    (_, before: string, id: string) => `${before}${referenceOf(references, id)}`,
  );
}

function referenceOf(references: ReadonlyMap<string, string>, id: string): string {
  const address = references.get(id);
  if (address !== undefined) return address;
  throw badQuery(`Content-ID Reference: '$${id}' does not exist in the batch context.`);
}

function toResponse(
  call: DataverseCall,
  answers: readonly string[],
  status: number,
): TenantResponse {
  const boundary = `batchresponse_${call.rows.newId()}`;
  const body = answers.map((answer) => `--${boundary}\r\n${answer}`).join("");
  return {
    status,
    headers: {
      "odata-version": "4.0",
      "content-type": `multipart/mixed; boundary=${boundary}`,
      ...(call.preferences.continuesOnError
        ? { "preference-applied": "odata.continue-on-error" }
        : {}),
    },
    body: `${body}--${boundary}--\r\n`,
  };
}
