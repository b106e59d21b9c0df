/** Trades over HTTP: list, show with their reasons, undo a decision. Operators only. */
import type { Clock } from "../../lib/clock.ts";
import { toCsv } from "../../lib/csv.ts";
import { openReviews } from "../../review/review-table.ts";
import type { Database, Transaction } from "../../store/database.ts";
import { beyondTenant } from "../../store/reach.ts";
import { undoDecision } from "../../trades/answers/undo-decision.ts";
import { findDecisions } from "../../trades/decision-table.ts";
import { getOrder } from "../../trades/orders/order-table.ts";
import { findUsernames } from "../../trades/senders/person-table.ts";
import { findTradeNamed, findTrades, type Trade } from "../../trades/trade-table.ts";
import { TRADE_COLUMNS, toCsvRow, toViews } from "../../trades/trade-view.ts";
import { findNames } from "../access/action-table.ts";
import { nameOf } from "../access/auth.ts";
import { keepWithEffect } from "../http/idempotency.ts";
import { toNextLink, toPage } from "../http/paging.ts";
import { conflict, notFound } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/trades.ts";

export interface TradeRoutesNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly firmDomains: readonly string[];
}

export function registerTradeRoutes(app: ApiScope, needs: TradeRoutesNeeds): void {
  const { database } = needs;

  app.get(
    "/api/trades",
    { config: { access: "viewer" }, schema: schemas.listTrades },
    async (request, reply) => {
      const { format, cursor: after, limit, username, ...filter } = request.query;
      // Who has which address is not a row of one tenant; the trades that are shown are.
      const usernames = username && (await beyondTenant(() => findUsernames(database, username)));
      const wanted = { ...filter, ...(usernames && { usernames }) };
      const found = await findTrades(database, { ...wanted, after, limit: limit + 1 });
      const { rows, next } = toPage("trades", limit, found, ({ id }) => id);
      const trades = await toViews(database, rows);
      if (format === "json") return { trades, next };
      if (next !== null) void reply.header("link", toNextLink(request.url, next));
      return reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", 'attachment; filename="trades.csv"')
        .send(toCsv(TRADE_COLUMNS, trades.map(toCsvRow)));
    },
  );

  app.get(
    "/api/trades/:id",
    { config: { access: "viewer" }, schema: schemas.getTrade },
    async (request) => describeTrade(database, await loadTrade(database, request.params.id)),
  );

  app.post(
    "/api/trades/:id/undo",
    { config: { access: "reviewer" }, schema: schemas.undoDecision },
    async (request, reply) => {
      const caller = request.caller;
      const { decisionId, reason, dryRun } = request.body;
      const trade = await loadTrade(database, request.params.id);
      const decisions = await findDecisions(database, { tradeId: trade.id });
      const open = decisions.filter((each) => each.undoneBy === null && each.kind !== "undo");
      const chosen =
        decisionId === undefined ? open.at(-1) : open.find(({ id }) => id === decisionId);
      if (chosen === undefined)
        throw notFound(
          decisionId === undefined
            ? `every decision about trade ${trade.id} is already undone`
            : `trade ${trade.id} has no decision ${decisionId} that could be undone; postroom trades show lists them`,
        );
      if (dryRun) return { dryRun, decision: chosen };
      const today = new Date(needs.clock.now()).toISOString().slice(0, 10);
      const person = { actor: nameOf(caller), firmDomains: needs.firmDomains, today };
      // The trade is the caller's own; undoing also reads the orders of the installation.
      const undo = async (tx: Transaction) => {
        const answer = await undoDecision(tx, person, { decisionId: chosen.id, reason });
        if (answer.kind === "unknown") throw notFound("there is no such decision");
        if (answer.kind === "objection") throw conflict(answer.why);
        await openReviews(tx, answer.questions);
        const { decisionId: id, questions } = answer;
        const body = { undone: chosen, decisionId: id, asked: questions.length };
        return keepWithEffect(tx, reply, body);
      };
      return beyondTenant(() => database.transaction(undo));
    },
  );
}

export async function loadTrade(database: Database, name: string): Promise<Trade> {
  const found = await findTradeNamed(database, name);
  if (found.kind === "found") return found.trade;
  throw found.isAmbiguous ? conflict(found.why) : notFound(found.why);
}

async function describeTrade(database: Database, trade: Trade) {
  const [view] = await toViews(database, [trade]);
  const decisions = await findDecisions(database, { tradeId: trade.id });
  const names = await findNames(
    database,
    decisions.map(({ actor }) => actor),
  );
  return {
    ...view!,
    facts: trade.facts,
    fingerprint: trade.fingerprint,
    occurrence: trade.occurrence,
    matchMatrix: trade.matchMatrix,
    order: trade.orderId === null ? null : await getOrder(database, trade.orderId),
    decisions: decisions.map((each) => ({ ...each, actorName: names.get(each.actor) ?? null })),
  };
}
