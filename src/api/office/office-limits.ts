import type { FastifyRequest } from "fastify";
import {
  CALLS_PER_MINUTE,
  type CallKind,
  countCall,
} from "../../filing/office/call-limit-table.ts";
import { OfficeRefusal } from "../../filing/office/office-refusal.ts";
import type { Queryable } from "../../store/database.ts";

/** A hook for routes of one kind; it runs after the caller is known and before the body is read. */
export function limitCalls(database: Queryable, kind: CallKind) {
  return async (request: FastifyRequest): Promise<void> => {
    const retryAfter = await countCall(database, request.caller.id, kind);
    if (retryAfter === null) return;
    const detail = `you may call this ${CALLS_PER_MINUTE[kind]} times a minute`;
    throw new OfficeRefusal("OFFICE_THROTTLED", detail, { retryAfter });
  };
}
