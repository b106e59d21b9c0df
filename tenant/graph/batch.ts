/** `$batch`: up to twenty requests in one, each answered separately. */
import type { TenantContext } from "../context.ts";
import type { TenantRequest, TenantResponse } from "../http.ts";
import type { Random } from "../random.ts";
import type { GraphCall } from "./call/graph-call.ts";
import { readJson } from "./call/graph-call.ts";
import { badRequest } from "./call/graph-error.ts";
import { graphSwitch } from "./call/graph-switches.ts";

const MEMBERS_MAX = 20;
/** Graph sends a mailbox only as many members at a time as the mailbox allows requests. */
const TOGETHER = 4;

interface Member {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
  readonly dependsOn: readonly string[];
}

type Answer = (request: TenantRequest) => Promise<TenantResponse>;

export async function runBatch(
  context: TenantContext,
  call: GraphCall,
  answer: Answer,
  random: Random,
): Promise<TenantResponse> {
  const members = parseMembers(readJson(call.request));
  const responses: object[] = [];
  const statuses = new Map<string, number>();
  const isShuffled = graphSwitch(context.switches, "shuffleBatch");
  const run = async (member: Member) => {
    const isBlocked = member.dependsOn.some((id) => (statuses.get(id.toLowerCase()) ?? 424) >= 400);
    const response = isBlocked
      ? failedDependency()
      : await answer(toRequest(context, call, member));
    statuses.set(member.id.toLowerCase(), response.status);
    responses.push(toResponse(member.id, response));
  };
  const isOrdered = members.some((member) => member.dependsOn.length > 0);
  const width = isOrdered ? 1 : TOGETHER;
  for (let at = 0; at < members.length; at += width) {
    await Promise.all(members.slice(at, at + width).map(run));
  }
  const body = { responses: isShuffled ? shuffle(responses, random) : responses };
  return { status: 200, headers: { "content-type": "application/json" }, body };
}

/** Responses come in any order, which exposes callers that rely on the order. */
function shuffle<T>(items: readonly T[], random: Random): T[] {
  const rest = [...items];
  return items.map(() => rest.splice(random.below(rest.length), 1)[0]!);
}

function parseMembers(body: Record<string, unknown>): Member[] {
  const { requests, ...others } = body;
  if (!Array.isArray(requests) || requests.length === 0 || Object.keys(others).length > 0) {
    throw badPayload();
  }
  if (requests.length > MEMBERS_MAX) {
    throw badRequest(
      `Number of batch request steps exceeds the maximum value of ${MEMBERS_MAX}.`,
      "MaximumValueExceeded",
    );
  }
  const seen = new Set<string>();
  return requests.map((each: unknown) => {
    const member = parseMember(each);
    if (seen.has(member.id.toLowerCase())) throw badRequest("Duplicate batch request id found.");
    const unknown = member.dependsOn.find((id) => !seen.has(id.toLowerCase()));
    if (unknown !== undefined)
      throw badRequest(
        `The batch request '${member.id}' depends on '${unknown}', which does not come before it.`,
      );
    seen.add(member.id.toLowerCase());
    return member;
  });
}

function parseMember(each: unknown): Member {
  if (!isObject(each)) throw badPayload();
  const { id, method, url, headers = {}, body, dependsOn = [], ...others } = each;
  if (!isObject(headers) || !Array.isArray(dependsOn)) throw badPayload();
  if (Object.keys(others).length > 0) throw badPayload();
  if (
    typeof id !== "string" ||
    id === "" ||
    typeof method !== "string" ||
    typeof url !== "string"
  ) {
    throw badRequest("Invalid batch request: id, method and url are required.");
  }
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  if (body !== undefined && body !== null && lower["content-type"] === undefined) {
    throw badRequest(`The batch request '${id}' has a body but no Content-Type header.`);
  }
  return {
    id,
    method: method.toUpperCase(),
    url,
    headers: lower,
    body,
    dependsOn: dependsOn.map(String),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Also for what the format of the batch does not have, such as groups that succeed together. */
function badPayload(): Error {
  return badRequest("Invalid batch payload format.");
}

function toRequest(context: TenantContext, call: GraphCall, member: Member): TenantRequest {
  const relative = member.url.startsWith("/") ? member.url : `/${member.url}`;
  const url = new URL(`${context.origin()}/${call.version}${relative}`);
  const body =
    member.body === undefined || member.body === null ? Buffer.alloc(0) : toBytes(member);
  return {
    method: member.method,
    url,
    path: url.pathname,
    query: url.searchParams,
    headers: { authorization: call.request.headers["authorization"], ...member.headers },
    params: {},
    body,
  };
}

/** JSON is sent as JSON, anything else as base64. */
function toBytes(member: Member): Buffer {
  const isJson = /json/i.test(member.headers["content-type"] ?? "");
  if (isJson) return Buffer.from(JSON.stringify(member.body));
  return typeof member.body === "string"
    ? Buffer.from(member.body, "base64")
    : Buffer.from(JSON.stringify(member.body));
}

function toResponse(id: string, response: TenantResponse): object {
  const { body } = response;
  const isBinary = Buffer.isBuffer(body) || typeof body === "string";
  const shown = isBinary ? Buffer.from(body as Buffer).toString("base64") : body;
  return {
    id,
    status: response.status,
    headers: titleCase(response.headers ?? {}),
    ...(shown === undefined || shown === null ? {} : { body: shown }),
  };
}

function titleCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.replace(/(^|-)([a-z])/g, (part) => part.toUpperCase()),
      value,
    ]),
  );
}

function failedDependency(): TenantResponse {
  return {
    status: 424,
    body: {
      error: { code: "FailedDependency", message: "A request this one depends on has failed." },
    },
  };
}
