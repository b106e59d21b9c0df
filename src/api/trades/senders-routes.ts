/** Approved senders and known people. */
import type { Clock } from "../../lib/clock.ts";
import type { Database } from "../../store/database.ts";
import {
  findKnownPeople,
  type KnownPerson,
  replacePeople,
} from "../../trades/senders/person-table.ts";
import { readPeopleCsv } from "../../trades/senders/read-people.ts";
import { normalizeAddress, objectionToPattern } from "../../trades/senders/sender.ts";
import {
  approveSender,
  findApprovedSenders,
  revokeSender,
} from "../../trades/senders/sender-table.ts";
import { pageOf } from "../http/paging.ts";
import { badRequest, notFound } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/orders.ts";

export interface SenderRoutesNeeds {
  readonly database: Database;
  readonly clock: Clock;
}

export function registerSenderRoutes(app: ApiScope, needs: SenderRoutesNeeds): void {
  const { database, clock } = needs;

  app.get(
    "/api/senders",
    { config: { access: "viewer", isForAllTenants: true }, schema: schemas.listSenders },
    async (request) => {
      const all = (await findApprovedSenders(database)).sort(byText(({ pattern }) => pattern));
      const { rows, next } = pageOf("senders", request.query, all, ({ pattern }) => pattern);
      return { senders: rows, next };
    },
  );

  app.post(
    "/api/senders",
    { config: { access: "reviewer", isForAllTenants: true }, schema: schemas.approveSender },
    async (request) => {
      const { sender, until = null, dryRun } = request.body;
      const pattern = normalizeAddress(sender);
      const objection = objectionToPattern(pattern);
      if (objection !== null) throw badRequest(objection);
      const today = new Date(clock.now()).toISOString().slice(0, 10);
      if (until !== null && until < today) throw badRequest(`${until} is past`);
      if (dryRun) return { dryRun: true as const, pattern, until };
      return approveSender(database, { pattern, by: request.caller.id, until });
    },
  );

  app.delete(
    "/api/senders/:sender",
    { config: { access: "reviewer", isForAllTenants: true }, schema: schemas.revokeSender },
    async (request) => {
      const pattern = normalizeAddress(request.params.sender);
      const isDryRun = request.query.dryRun === "true";
      const isKnown = isDryRun
        ? (await findApprovedSenders(database)).some((sender) => sender.pattern === pattern)
        : await revokeSender(database, pattern);
      if (!isKnown)
        throw notFound(`${pattern} is not approved; postroom senders list shows those that are`);
      return { pattern, ...(isDryRun ? { dryRun: true as const } : { revoked: true as const }) };
    },
  );

  app.get(
    "/api/people",
    { config: { access: "viewer", isForAllTenants: true }, schema: schemas.listPeople },
    async (request) => {
      const all = (await findKnownPeople(database)).sort(byText(nameOf));
      const { rows, next } = pageOf("people", request.query, all, nameOf);
      return { people: rows, next };
    },
  );

  app.post(
    "/api/people/import",
    {
      config: { access: "operator", isForAllTenants: true },
      schema: schemas.importPeople,
      bodyLimit: 6_000_000,
    },
    async (request) => {
      const { csv, dryRun } = request.body;
      const { people, problems } = readPeopleCsv(csv);
      if (problems.length > 0) throw badRequest(problems.slice(0, 20).join("\n"));
      if (!dryRun) await database.transaction((tx) => replacePeople(tx, "import", people));
      return { people: people.length, ...(dryRun ? { dryRun: true as const } : {}) };
    },
  );
}

/** As JavaScript compares strings, which is how a page finds its place; PostgreSQL's order depends on its locale. */
const byText =
  <T>(textOf: (row: T) => string) =>
  (a: T, b: T): number =>
    textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0;

const nameOf = ({ username, source, email, name }: KnownPerson): string =>
  JSON.stringify([username, source, email, name]);
