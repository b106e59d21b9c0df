/** Legal holds and the erasure of a person. Administrators only. */
import type { ErasePerson } from "../../flows/specs/keep.ts";
import { getDocument } from "../../ingestion/document-table.ts";
import { findHolds, type LegalHold, releaseHold, setHold } from "../../keep/legal-hold-table.ts";
import { isUuid } from "../../lib/hash.ts";
import type { Database } from "../../store/database.ts";
import { findNames } from "../access/action-table.ts";
import { nameOf } from "../access/auth.ts";
import { pageOf } from "../http/paging.ts";
import { badRequest, notFound } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/keep.ts";
import { loadTrade } from "../trades/trades-routes.ts";

export interface KeepRoutesNeeds {
  readonly database: Database;
  readonly erase: ErasePerson;
}

/** A hold on something that does not exist would protect nothing; a person may become known later. */
const SUBJECTS = {
  async person(_: Database, address: string): Promise<string> {
    if (!address.includes("@")) throw badRequest(`${address} is not the address of a person`);
    return address.toLowerCase();
  },
  trade: async (database: Database, name: string): Promise<string> =>
    (await loadTrade(database, name)).id,
  async note(database: Database, id: string): Promise<string> {
    const note = isUuid(id) ? await getDocument(database, id.toLowerCase()) : null;
    if (note === null)
      throw notFound(`there is no note ${id}; postroom review show and postroom trace name them`);
    return note.id;
  },
};

export function registerKeepRoutes(app: ApiScope, { database, erase }: KeepRoutesNeeds): void {
  app.get(
    "/api/holds",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.listHolds },
    async (request) => {
      const holds = await findHolds(database);
      const { rows, next } = pageOf("holds", request.query, holds, ({ id }) => id);
      return { holds: await withNames(database, rows), next };
    },
  );

  app.post(
    "/api/holds",
    { config: { access: "admin", isForAllTenants: true }, schema: schemas.setHold },
    async (request, reply) => {
      const { kind, reason, dryRun, ...body } = request.body;
      const subject = await SUBJECTS[kind](database, body.subject);
      if (dryRun) return { dryRun: true as const, subject };
      const setBy = nameOf(request.caller);
      const hold = await setHold(database, { kind, subject, reason, setBy });
      const [named] = await withNames(database, [hold]);
      return reply.code(201).send(named!);
    },
  );

  app.delete(
    "/api/holds/:id",
    { config: { access: "admin", isForAllTenants: true }, schema: schemas.releaseHold },
    async ({ params, caller }) => {
      const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : null;
      if (id === null || !(await releaseHold(database, id, nameOf(caller))))
        throw notFound(`there is no hold ${params.id}; postroom hold list shows them`);
      return { id };
    },
  );

  app.post(
    "/api/erasures",
    // A kept answer would keep the address.
    {
      config: { access: "admin", answersAnew: true, isForAllTenants: true },
      schema: schemas.erasePerson,
    },
    async ({ body, caller }) =>
      erase({ address: body.address, by: nameOf(caller), isDryRun: body.dryRun }),
  );
}

async function withNames(database: Database, holds: readonly LegalHold[]) {
  const names = await findNames(
    database,
    holds.map(({ setBy }) => setBy),
  );
  return holds.map((hold) => ({ ...hold, setByName: names.get(hold.setBy) ?? null }));
}
