import { applyAccept, refuseAccept } from "./accept.ts";
import type { TenantContext } from "./context.ts";
import { answerPreflight, crossOriginHeaders } from "./cross-origin.ts";
import { type FaultGate, toBytes } from "./fault-gate.ts";
import type { Part, TenantRequest, TenantResponse } from "./http.ts";
import { type PartError, type PartName, partError, partOf } from "./part-errors.ts";
import type { Random } from "./random.ts";
import { applyConditions, refuseHeaders } from "./request-headers.ts";

/** A response ready to be sent. */
export interface FinishedResponse extends TenantResponse {
  headers: Record<string, string>;
  body: Buffer;
}

export interface Dispatch {
  /** The part's response, including faults, but not yet prepared for sending. */
  answer(request: TenantRequest): Promise<TenantResponse>;
  handle(request: TenantRequest): Promise<FinishedResponse>;
}

interface Answering {
  readonly handle: Part;
}

export interface Parts {
  readonly graph: Answering;
  readonly drives: Answering;
  readonly dataverse: Answering;
  readonly entra: Answering;
  readonly admin: Answering;
  readonly serviceBus: Answering;
}

const DRIVE_PATH =
  /^\/(v1\.0|beta)\/(drives|storage|sites|shares|(me|users\/[^/]+|groups\/[^/]+)\/drives?)(\/|$)/i;

/** Finds the part for a request, applies the armed faults, and prepares the response. */
export function createDispatch(
  context: Pick<TenantContext, "clock" | "journal" | "switches">,
  parts: Parts,
  gate: FaultGate,
  random: Random,
): Dispatch {
  const errorFor = (request: TenantRequest, part: PartName, error: PartError) =>
    partError(part, error, request, { requestId: random.uuid(), nowMs: context.clock.now() });

  const answerUnguarded = async (request: TenantRequest, part: PartName) => {
    const struck = gate.before(request, part);
    if (struck !== null) {
      return "error" in struck ? errorFor(request, part, struck.error) : struck.response;
    }
    const refusal = refuseAccept(request, part) ?? refuseHeaders(request, part);
    const response = refusal === null ? await askPart(parts, part, request) : null;
    const error = refusal ?? unknownPath(part, request);
    const accepted = response === null ? error : applyAccept(request, part, response);
    const outcome = "message" in accepted ? accepted : applyConditions(request, part, accepted);
    return gate.after(
      request,
      part,
      "message" in outcome ? errorFor(request, part, outcome) : outcome,
    );
  };

  const answer = async (request: TenantRequest, part: PartName): Promise<TenantResponse> => {
    try {
      return await answerUnguarded(request, part);
    } catch (error) {
      // An exception in a part is a bug of the tenant; report where, and keep the tenant running.
      console.error(`tenant: ${request.method} ${request.path} failed`, error);
      const message = "The tenant itself failed; its standard error says where.";
      return errorFor(request, part, { status: 500, code: "generalException", message });
    }
  };

  return {
    answer: (request) => answer(request, partOf(request.path)),
    async handle(request) {
      const part = partOf(request.path);
      const answered = answerPreflight(request, part) ?? (await answer(request, part));
      const response = withLatency(context.switches, part, answered);
      if (context.switches.journalRequests && part !== "admin") {
        const { method, path } = request;
        context.journal.record("request", { method, path, status: response.status });
      }
      return finish(request, part, response);
    },
  };

  function finish(
    request: TenantRequest,
    part: PartName,
    response: TenantResponse,
  ): FinishedResponse {
    const headers: Record<string, string> = { date: new Date(context.clock.now()).toUTCString() };
    if (
      typeof response.body === "object" &&
      response.body !== null &&
      !Buffer.isBuffer(response.body)
    ) {
      headers["content-type"] = contentTypeOf(part);
    }
    if (part === "graph" || part === "dataverse") {
      headers["request-id"] = random.uuid();
      const clientId = request.headers["client-request-id"];
      if (clientId !== undefined) headers["client-request-id"] = clientId;
    }
    Object.assign(headers, crossOriginHeaders(request, part));
    for (const [name, value] of Object.entries(response.headers ?? {}))
      headers[name.toLowerCase()] = value;
    return { ...response, headers, body: toBytes(response.body) };
  }
}

/** `graphLatencyMs` and similar switches: how long a part takes for every response, on the tenant's clock. */
function withLatency(
  switches: TenantContext["switches"],
  part: PartName,
  response: TenantResponse,
): TenantResponse {
  const latencyMs = Number(switches[`${part}LatencyMs`] ?? 0);
  if (latencyMs === 0) return response;
  const { wire } = response;
  return { ...response, wire: { ...wire, delayMs: (wire?.delayMs ?? 0) + latencyMs } };
}

async function askPart(
  parts: Parts,
  part: PartName,
  request: TenantRequest,
): Promise<TenantResponse | null> {
  switch (part) {
    case "graph": {
      const { graph, drives } = parts;
      const order = DRIVE_PATH.test(request.path) ? [drives, graph] : [graph, drives];
      return (await order[0]!.handle(request)) ?? order[1]!.handle(request);
    }
    case "dataverse":
      return parts.dataverse.handle(request);
    case "servicebus":
      return parts.serviceBus.handle(request);
    case "admin":
      return parts.admin.handle(request);
    default:
      return parts.entra.handle(request);
  }
}

function contentTypeOf(part: PartName): string {
  if (part === "graph") {
    return "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8";
  }
  return part === "dataverse"
    ? "application/json; odata.metadata=minimal"
    : "application/json; charset=utf-8";
}

function unknownPath(part: PartName, request: TenantRequest): PartError {
  if (part === "graph") {
    const [version = "", ...segments] = request.path.split("/").filter(Boolean);
    const isVersion = /^(v1\.0|beta)$/i.test(version);
    const depth = { me: 1, users: 2, groups: 2 }[segments[0]?.toLowerCase() ?? ""] ?? 0;
    const segment = segments[depth] ?? segments[0] ?? "";
    const message = isVersion
      ? `Resource not found for the segment '${segment}'.`
      : `Invalid version: ${version}`;
    return { status: 400, code: "BadRequest", message };
  }
  if (part === "dataverse") {
    return {
      status: 404,
      code: "0x8006088a",
      message: `Resource not found for the segment '${request.path.split("/").at(-1)}'.`,
    };
  }
  if (part === "entra")
    return { status: 404, code: "invalid_request", message: "The endpoint does not exist." };
  return { status: 404, code: "NotFound", message: `The tenant has nothing at ${request.path}.` };
}
