import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Fault, type FaultCode, faultCodes, type Remedy, remedyOf } from "../../lib/fault.ts";
import { currentCorrelation } from "../../lib/log.ts";
import { redactText } from "../../lib/redact.ts";
import { claimsWantedBy, toChallengeHeader } from "../../microsoft/identity/claims-challenge.ts";
import { ApiError } from "../../microsoft/transport/api-error.ts";
import { codeOf, whatToDo } from "./problem-codes.ts";

/** An error as RFC 9457 problem details, without stack, SQL or text from other systems. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail?: string;
  readonly errorCode?: string;
  /** A URI that names the kind; `about:blank` if absent. */
  readonly type?: string;
  /** What is wrong with the request, each with a JSON pointer to its place. */
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  /** What the next sign-in must satisfy, as JSON. */
  readonly claims?: string;
}

/** A refusal as a response; thrown because it ends the request. */
export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  410: "Gone",
  411: "Length Required",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

function titleOf(status: number): string {
  return TITLES[status] ?? (status >= 500 ? "Internal Server Error" : "Bad Request");
}

const refusal = (status: number) => (detail: string) =>
  new ProblemError({ status, title: titleOf(status), detail });

export const badRequest = refusal(400);
export const unauthorized = refusal(401);
export const forbidden = refusal(403);
export const notFound = refusal(404);
export const conflict = refusal(409);
export const tooLarge = refusal(413);
export const unsupported = refusal(415);
export const unprocessable = refusal(422);
export const tooMany = refusal(429);

const STATUS_OF_REMEDY: Readonly<Record<Remedy, number>> = {
  retry: 502,
  wait: 503,
  "ask-a-person": 502,
  "give-up": 502,
};
const STATUS_OF_CODE: Partial<Record<FaultCode, number>> = {
  "request.bad": 400,
  "graph.not-found": 404,
  "graph.denied": 403,
  "identity.interaction": 401,
  "dataverse.denied": 403,
  "dataverse.not-found": 404,
  "dataverse.conflict": 409,
  "drive.conflict": 409,
  "job.key-reused": 422,
  unexpected: 500,
};

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const correlationId = currentCorrelation() ?? reply.request.id;
  const errorCode = problem.errorCode ?? codeOf(problem.status);
  return reply
    .code(problem.status)
    .type("application/problem+json")
    .send({
      type: "about:blank",
      ...problem,
      errorCode,
      whatToDo: whatToDo(errorCode, isFaultCode(errorCode) ? remedyOf(errorCode) : null),
      instance: reply.request.url.split("?")[0],
      correlationId,
    });
}

const isFaultCode = (code: string): code is FaultCode =>
  (faultCodes as readonly string[]).includes(code);

declare module "fastify" {
  interface FastifyContextConfig {
    /** Set for files, which may take long to arrive. */
    readonly takesLong?: boolean;
  }
}

export function handleErrors(app: FastifyInstance, authorityOrigin = ""): void {
  app.setErrorHandler((error: Misfit, request, reply) => {
    const claims = claimsWantedBy(error);
    if (claims !== null) return sendChallenge(reply, claims, authorityOrigin);
    const problem = toProblem(error);
    if (problem.status >= 500) request.log.error({ err: error }, "a request failed");
    else if (error instanceof ApiError) request.log.info({ err: error }, "a request was refused");
    return sendProblem(reply, problem);
  });
  app.setNotFoundHandler((request: FastifyRequest, reply) =>
    sendProblem(reply, {
      status: 404,
      title: "Not Found",
      errorCode: "request.no-route",
      detail: `there is no route ${request.method} ${request.url.split("?")[0]}`,
    }),
  );
}

/** Only the caller can satisfy a policy, so its claims are passed on. */
function sendChallenge(reply: FastifyReply, claims: string, authorityOrigin: string): FastifyReply {
  void reply.header("www-authenticate", toChallengeHeader(claims, authorityOrigin));
  const detail = "sign in again with the claims in this response";
  const errorCode = "identity.interaction";
  return sendProblem(reply, { status: 401, title: "Unauthorized", detail, errorCode, claims });
}

/** PostgreSQL's message if a caller writes a row of another tenant. */
const REFUSED_ROW = /^new row violates row-level security policy/;

/** What Fastify throws if a request does not match the schema of its route. */
interface Misfit extends Error {
  readonly statusCode?: number;
  readonly validation?: readonly { readonly instancePath: string; readonly message?: string }[];
  readonly validationContext?: string;
}

function toProblem(error: Misfit): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (Array.isArray(error.validation)) return toMisfitProblem(error);
  if (error instanceof Fault) {
    const status = STATUS_OF_CODE[error.code] ?? STATUS_OF_REMEDY[error.remedy];
    return {
      status,
      title: titleOf(status),
      detail: status === 500 ? undefined! : detailOf(error),
      errorCode: error.code,
    };
  }
  if (REFUSED_ROW.test(error.message)) return forbidden("this belongs to another tenant").problem;
  const status = error.statusCode ?? 500;
  if (status >= 500) return { status, title: titleOf(status) };
  return { status, title: titleOf(status), detail: error.message };
}

/** What another system said may name drives, rows and people that the caller does not know of. */
function detailOf(fault: Fault): string {
  if (!(fault instanceof ApiError)) return redactText(fault.message);
  const system = fault.code.startsWith("dataverse.") ? "Dataverse" : "Graph";
  return `${system} answered ${fault.status}; the log has more under this correlation ID`;
}

/** `/body/sender` and `must not be empty` as a sentence; a message of its own may be one already. */
function inWords(pointer: string, words: string): string {
  const [, place = "", ...names] = pointer.split("/");
  const name = names.length === 0 ? place : names.join(".");
  return /^(must|has|is) /.test(words) ? `${name} ${words}` : `${name}: ${words}`;
}

/** Names each wrong place, so that a form can show the message beside its field. */
function toMisfitProblem({ validation = [], validationContext = "body" }: Misfit): Problem {
  const place = validationContext === "querystring" ? "query" : validationContext;
  const errors = validation.map(({ instancePath, message = "is not valid" }) => ({
    pointer: `/${place}${instancePath === "/" ? "" : instancePath}`,
    detail: message,
  }));
  const detail = errors.map(({ pointer, detail: words }) => inWords(pointer, words)).join("; ");
  return { status: 400, title: titleOf(400), detail, errorCode: "request.bad", errors };
}
