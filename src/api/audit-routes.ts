import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { Clock } from "../lib/clock.ts";
import { findCoverage } from "../mailbox/events/event-statistics.ts";
import { getMailboxByAddress } from "../mailbox/mailbox-table.ts";
import { type AuditNeeds, auditMailbox } from "../mailbox/operating/audit-mailbox.ts";
import type { Database } from "../store/database.ts";
import { hasRole } from "./access/roles.ts";
import { parse } from "./http/parse.ts";
import { notFound } from "./http/problem.ts";

export interface AuditRoutesNeeds {
  readonly database: Database;
  readonly audits: AuditNeeds;
  readonly clock: Clock;
  /** What is known about an id; a null owner is an operator. */
  readonly trace: (
    id: string,
    viewer: { readonly ownerId: string | null },
  ) => Promise<{ readonly steps: readonly object[] }>;
}

const Options = z.object({
  since: z.iso.datetime({ offset: true }).or(z.iso.date()).nullable().default(null),
  repair: z.boolean().default(false),
});

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

export function registerAuditRoutes(app: FastifyInstance, needs: AuditRoutesNeeds): void {
  app.post<{ Params: { address: string } }>(
    "/api/mailboxes/:address/audit",
    { config: { access: "person" } },
    async (request) => {
      const caller = request.caller;
      const mailbox = await getMailboxByAddress(needs.database, request.params.address);
      if (mailbox === null || !(hasRole(caller, "operator") || caller.id === mailbox.ownerId)) {
        throw notFound(`${request.params.address} is not watched`);
      }
      const { since, repair } = parse(Options, request.body ?? {});
      return auditMailbox(needs.audits, mailbox, {
        since: since === null ? null : new Date(since),
        repair,
      });
    },
  );

  app.get("/api/coverage", { config: { access: "person" } }, async (request) => {
    const caller = request.caller;
    const since = new Date(needs.clock.now() - WEEK_MS);
    return findCoverage(needs.database, since, hasRole(caller, "viewer") ? undefined : caller.id);
  });

  app.get<{ Params: { id: string } }>(
    "/api/trace/:id",
    { config: { access: "person" } },
    async (request) => {
      const caller = request.caller;
      const { id } = request.params;
      const trace = await needs.trace(id, {
        ownerId: hasRole(caller, "viewer") ? null : caller.id,
      });
      if (trace.steps.length === 0) throw notFound(`nothing is known about ${id}`);
      return trace;
    },
  );
}
