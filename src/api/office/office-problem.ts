/** Refusals in the form and with the codes that the Office add-in expects. */
import type { FastifyInstance } from "fastify";
import {
  OFFICE_CODES,
  type OfficeCode,
  OfficeRefusal,
} from "../../filing/office/office-refusal.ts";
import { Fault } from "../../lib/fault.ts";
import { claimsWantedBy } from "../../microsoft/identity/claims-challenge.ts";
import { sendProblem } from "../http/problem.ts";

const TYPE = "https://spaarke.com/errors/office";

/** In the scope of the Office routes; what it does not know goes to the handler of all routes. */
export function handleOfficeErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: Error, request, reply) => {
    if (claimsWantedBy(error) !== null) throw error;
    const refusal = toRefusal(error);
    if (refusal === null) throw error;
    const { status, kind, title } = OFFICE_CODES[refusal.code];
    if (status >= 500) request.log.error({ err: error }, "a call of the add-in failed");
    if (refusal.retryAfter !== undefined) void reply.header("retry-after", refusal.retryAfter);
    // The rest of a body that was refused while it arrived is not read.
    if (!request.raw.complete) void reply.header("connection", "close");
    return sendProblem(reply, {
      status,
      title,
      errorCode: refusal.code,
      type: `${TYPE}/${kind}`,
      detail: refusal.message,
    });
  });
}

function toRefusal(error: Error): OfficeRefusal | null {
  if (error instanceof OfficeRefusal) return error;
  if (Array.isArray((error as { validation?: unknown }).validation))
    return new OfficeRefusal("OFFICE_VALIDATION", error.message);
  return error instanceof Fault ? ofFault(error) : null;
}

/** What Graph and Dataverse say may name rows and drives that the caller does not know of, so it is not passed on. */
function ofFault({ code, remedy, retryAfterMs }: Fault): OfficeRefusal | null {
  const refuse = (office: OfficeCode, detail: string) =>
    new OfficeRefusal(office, detail, {
      ...(retryAfterMs === undefined ? {} : { retryAfter: Math.ceil(retryAfterMs / 1_000) }),
    });
  if (code === "request.bad")
    return refuse("OFFICE_VALIDATION", "the request cannot be carried out");
  if (code === "dataverse.denied") return refuse("OFFICE_009", "Dataverse does not allow this");
  if (code.startsWith("dataverse.")) return refuse("OFFICE_014", "Dataverse did not do this");
  if (code === "graph.denied" || code === "graph.not-found")
    return refuse("OFFICE_009", "there is no such container, or you may not write there");
  if (code === "graph.throttled") return refuse("OFFICE_013", "Graph asks to wait");
  if (code.startsWith("graph.") || code === "drive.conflict")
    return refuse("OFFICE_012", "the file was not accepted by its drive");
  return code === "unexpected" || remedy === "give-up"
    ? refuse("OFFICE_INTERNAL", "something went wrong; nothing was saved")
    : null;
}
