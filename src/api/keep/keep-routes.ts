/** Legal holds and the erasure of a person. Administrators only. */
import type { ErasePerson } from "../../flows/specs/keep.ts";
import { findHolds, releaseHold, setHold } from "../../keep/legal-hold-table.ts";
import { isUuid } from "../../lib/hash.ts";
import type { Database } from "../../store/database.ts";
import { pageOf } from "../http/paging.ts";
import { badRequest, notFound } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/keep.ts";

export interface KeepRoutesNeeds {
  readonly database: Database;
  readonly erase: ErasePerson;
}

export function registerKeepRoutes(app: ApiScope, { database, erase }: KeepRoutesNeeds): void {
  app.get(
    "/api/holds",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.listHolds },
    async (request) => {
      const all = await findHolds(database);
      const { rows, next } = pageOf("holds", request.query, all, ({ id }) => id);
      return { holds: rows, next };
    },
  );

  app.post(
    "/api/holds",
    { config: { access: "admin", isForAllTenants: true }, schema: schemas.setHold },
    async (request, reply) => {
      const { kind, reason, dryRun, ...body } = request.body;
      const subject = body.subject.toLowerCase();
      if (kind === "person" ? !subject.includes("@") : !isUuid(subject))
        throw badRequest(kind === "person" ? "give an address" : `give the id of the ${kind}`);
      if (dryRun) return { dryRun: true as const, subject };
      const hold = await setHold(database, { kind, subject, reason, setBy: request.caller.id });
      return reply.code(201).send(hold);
    },
  );

  app.delete(
    "/api/holds/:id",
    { config: { access: "admin", isForAllTenants: true }, schema: schemas.releaseHold },
    async ({ params, caller }) => {
      const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : null;
      if (id === null || !(await releaseHold(database, id, caller.id)))
        throw notFound(`there is no hold ${params.id}`);
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
      erase({ address: body.address, by: caller.id, isDryRun: body.dryRun }),
  );
}
