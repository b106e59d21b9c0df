import type { Clock } from "../lib/clock.ts";
import { findCoverage } from "../mailbox/events/event-statistics.ts";
import { getMailboxByAddress } from "../mailbox/mailbox-table.ts";
import { type AuditNeeds, auditMailbox } from "../mailbox/operating/audit-mailbox.ts";
import type { Database } from "../store/database.ts";
import { findTradeNamed } from "../trades/trade-table.ts";
import { findNames } from "./access/action-table.ts";
import { type MaskNeeds, maskFor } from "./access/masking.ts";
import { hasRole } from "./access/roles.ts";
import { notWatched } from "./http/not-watched.ts";
import { pageOf, sortedBy } from "./http/paging.ts";
import { conflict, notFound } from "./http/problem.ts";
import type { ApiScope } from "./openapi.ts";
import {
  auditMailbox as auditSchema,
  listCoverage,
  type Trace,
  traceId,
} from "./schemas/mailboxes.ts";

export interface AuditRoutesNeeds extends MaskNeeds {
  readonly audits: AuditNeeds;
  readonly clock: Clock;
  /** What is known about an id; a null owner is an operator. */
  readonly trace: (id: string, viewer: { readonly ownerId: string | null }) => Promise<Trace>;
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

export function registerAuditRoutes(app: ApiScope, needs: AuditRoutesNeeds): void {
  app.post(
    "/api/mailboxes/:address/audit",
    { config: { access: "person" }, schema: auditSchema },
    async (request) => {
      const caller = request.caller;
      const mailbox = await getMailboxByAddress(needs.database, request.params.address);
      if (mailbox === null || !(hasRole(caller, "operator") || caller.id === mailbox.ownerId)) {
        throw notWatched(request.params.address);
      }
      const { since = null, repair = false } = request.body ?? {};
      const report = await auditMailbox(needs.audits, mailbox, {
        since: since === null ? null : new Date(since),
        repair,
      });
      const isMasked = (await maskFor(needs, caller))(mailbox.address);
      if (!isMasked) return report;
      return { ...report, findings: report.findings.map((each) => ({ ...each, subject: null })) };
    },
  );

  app.get(
    "/api/coverage",
    { config: { access: "person" }, schema: listCoverage },
    async (request) => {
      const caller = request.caller;
      const since = new Date(needs.clock.now() - WEEK_MS);
      const ownerId = hasRole(caller, "viewer") ? undefined : caller.id;
      const all = sortedBy(await findCoverage(needs.database, since, ownerId), "mailbox");
      const { rows, next } = pageOf("coverage", request.query, all, ({ mailbox }) => mailbox);
      return { coverage: rows, next };
    },
  );

  registerTraceRoute(app, needs);
}

export function registerTraceRoute(
  app: ApiScope,
  needs: Pick<AuditRoutesNeeds, "database" | "trace">,
): void {
  app.get("/api/trace/:id", { config: { access: "person" }, schema: traceId }, async (request) => {
    const caller = request.caller;
    const { id } = request.params;
    // Only those who may read trades can name one.
    const isViewer = hasRole(caller, "viewer");
    const named = isViewer ? await tradeIdOr(needs.database, id) : id;
    const trace = await needs.trace(named, { ownerId: isViewer ? null : caller.id });
    if (trace.steps.length === 0)
      throw notFound(
        `nothing is known about ${id}; use an ID that a list shows, such as postroom events list`,
      );
    return { ...trace, id, steps: await withNames(needs.database, trace.steps) };
  });
}

/** Who decided has a name beside the ID. */
async function withNames(database: Database, steps: Trace["steps"]): Promise<Trace["steps"]> {
  const who = ({ facts }: Trace["steps"][number]) =>
    typeof facts["by"] === "string" ? facts["by"] : null;
  const names = await findNames(database, steps.map(who));
  return steps.map((step) => {
    const name = names.get(who(step) ?? "");
    return name === undefined ? step : { ...step, facts: { ...step.facts, byName: name } };
  });
}

/** The id of the trade of this name; the name itself if it is another thing's, and a refusal if it is several trades'. */
async function tradeIdOr(database: Database, name: string): Promise<string> {
  const found = await findTradeNamed(database, name);
  if (found.kind === "found") return found.trade.id;
  if (found.isAmbiguous) throw conflict(found.why);
  return name;
}
