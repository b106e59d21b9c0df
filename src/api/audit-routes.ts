import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { Clock } from "../lib/clock.ts";
import { findCoverage } from "../mailbox/events/event-statistics.ts";
import { getMailboxByAddress } from "../mailbox/mailbox-table.ts";
import { type AuditNeeds, auditMailbox } from "../mailbox/operating/audit-mailbox.ts";
import { findLocations, findMailSteps } from "../mailbox/operating/trace-mail.ts";
import type { Database } from "../store/database.ts";
import { findDecisionSteps, findSources, findWalkSteps } from "../trades/trace-trades.ts";
import type { Authorize, Caller } from "./auth.ts";
import { parse } from "./parse.ts";
import { notFound } from "./problem.ts";

export interface AuditRoutesNeeds {
  readonly database: Database;
  readonly authorize: Authorize;
  readonly audits: AuditNeeds;
  readonly clock: Clock;
}

const Options = z.object({
  since: z.iso.datetime({ offset: true }).or(z.iso.date()).nullable().default(null),
  repair: z.boolean().default(false),
});

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

export function registerAuditRoutes(app: FastifyInstance, needs: AuditRoutesNeeds): void {
  app.post<{ Params: { address: string } }>("/api/mailboxes/:address/audit", async (request) => {
    const caller = await needs.authorize(request);
    const mailbox = await getMailboxByAddress(needs.database, request.params.address);
    if (mailbox === null || !(caller.isOperator || caller.id === mailbox.ownerId)) {
      throw notFound(`${request.params.address} is not watched`);
    }
    const { since, repair } = parse(Options, request.body ?? {});
    return auditMailbox(needs.audits, mailbox, {
      since: since === null ? null : new Date(since),
      repair,
    });
  });

  app.get("/api/coverage", async (request) => {
    const caller = await needs.authorize(request);
    const since = new Date(needs.clock.now() - WEEK_MS);
    return findCoverage(needs.database, since, caller.isOperator ? undefined : caller.id);
  });

  app.get<{ Params: { id: string } }>("/api/trace/:id", async (request) => {
    const caller = await needs.authorize(request);
    const { id } = request.params;
    const trace = await traceOf(needs.database, id, caller);
    if (trace.steps.length === 0) throw notFound(`nothing is known of ${id}`);
    return trace;
  });
}

/** Everything known of a message, a trade, a document or a file, in order. Only operators see trades. */
async function traceOf(database: Database, id: string, caller: Caller) {
  const found = caller.isOperator ? await findSources(database, id) : [];
  const named = found.length > 0 ? found : [id];
  const locations = await findLocations(database, named, caller.isOperator ? null : caller.id);
  const messageIds = locations.map((location) => location.messageId);
  const sources = caller.isOperator ? [...new Set([...named, ...messageIds])] : messageIds;
  const steps = await Promise.all([
    findMailSteps(database, messageIds),
    findWalkSteps(database, sources),
    caller.isOperator ? findDecisionSteps(database, sources) : [],
  ]);
  return {
    id,
    deliveries: locations,
    steps: steps.flat().sort((a, b) => Number(a.at) - Number(b.at)),
  };
}
