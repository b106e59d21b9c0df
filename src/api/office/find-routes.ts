/** What the add-in looks up, always with the caller's own rights. */
import type { FastifyRequest } from "fastify";
import { type Actors, actorFor } from "../../filing/actors.ts";
import { PARENTS } from "../../filing/container.ts";
import { OfficeRefusal } from "../../filing/office/office-refusal.ts";
import { TARGETS, type TargetTable } from "../../filing/office/office-save.ts";
import { suggestTargets } from "../../filing/office/suggest-targets.ts";
import { findTargets, nameColumnOf } from "../../filing/office/target.ts";
import { RECORDS } from "../../filing/record.ts";
import { Fault } from "../../lib/fault.ts";
import type { Random } from "../../lib/random.ts";
import type { DataverseClient } from "../../microsoft/dataverse/dataverse-client.ts";
import type { Queryable } from "../../store/database.ts";
import { idForEffect } from "../http/idempotency.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/office-finding.ts";
import { limitCalls } from "./office-limits.ts";

export interface OfficeFindRoutesNeeds {
  readonly database: Queryable;
  readonly actors: Actors;
  readonly random: Random;
}

export function registerOfficeFindRoutes(app: ApiScope, needs: OfficeFindRoutesNeeds): void {
  const { database, actors, random } = needs;
  const search = limitCalls(database, "search");

  app.get(
    "/office/search/entities",
    { config: { access: "person" }, schema: schemas.searchEntities, onRequest: search },
    async (request) => {
      const { q: query, type, top } = request.query;
      const tables = type === undefined ? TARGETS : [tableOf(type)];
      return { results: await findTargets(dataverseOf(actors, request), { query, tables, top }) };
    },
  );

  app.get(
    "/office/search/documents",
    { config: { access: "person" }, schema: schemas.searchDocuments, onRequest: search },
    async (request) => {
      const { q, top } = request.query;
      return { results: await findDocuments(dataverseOf(actors, request), q, top) };
    },
  );

  app.get(
    "/office/recent",
    {
      config: { access: "person" },
      schema: schemas.recent,
      onRequest: limitCalls(database, "recent"),
    },
    async (request) => {
      const dataverse = dataverseOf(actors, request);
      return suggestTargets({ database, dataverse }, request.caller.id, request.query);
    },
  );

  app.post(
    "/office/quickcreate/:type",
    {
      config: { access: "person" },
      schema: schemas.quickCreate,
      onRequest: limitCalls(database, "quickcreate"),
    },
    async (request, reply) => {
      const table = tableOf(request.params.type);
      const id = idForEffect(request, random);
      await create(dataverseOf(actors, request), table, id, request.body);
      return reply.code(201).send({ entityType: table, id, name: request.body.name, info: null });
    },
  );
}

/** The operator's key belongs to no person, so it finds nothing here. */
export function dataverseOf(actors: Actors, { caller }: FastifyRequest): DataverseClient {
  if (caller.token === undefined)
    throw new OfficeRefusal("OFFICE_009", "only a signed-in person can use the add-in");
  return actorFor(actors, caller).dataverse;
}

function tableOf(name: string): TargetTable {
  const table = TARGETS.find((known) => known === name);
  if (table !== undefined) return table;
  throw new OfficeRefusal("OFFICE_002", `the type must be one of ${TARGETS.join(", ")}`);
}

async function findDocuments(dataverse: DataverseClient, query: string, top: number) {
  const quoted = `'${query.replaceAll("'", "''")}'`;
  const filter = encodeURIComponent(
    `contains(sprk_documentname,${quoted}) or contains(sprk_filename,${quoted})`,
  );
  const columns = "sprk_documentid,sprk_documentname,sprk_filename,sprk_filepath,modifiedon";
  const { value } = await dataverse.call<{ value: Record<string, string | null>[] }>({
    path: `${RECORDS}?$select=${columns}&$filter=${filter}&$orderby=modifiedon desc&$top=${top}`,
  });
  return value.map((row) => ({
    documentId: String(row["sprk_documentid"]),
    name: row["sprk_documentname"] ?? row["sprk_filename"] ?? "",
    webUrl: row["sprk_filepath"] ?? null,
    changedAt: row["modifiedon"] ?? null,
  }));
}

async function create(
  dataverse: DataverseClient,
  table: TargetTable,
  id: string,
  { name, number }: { readonly name: string; readonly number?: string | undefined },
): Promise<void> {
  const column = table === "contact" ? "lastname" : nameColumnOf(table);
  const hasNumber = number !== undefined && table.startsWith("sprk_");
  try {
    await dataverse.upsert(PARENTS[table].set, id, {
      [column]: name,
      ...(hasNumber ? { sprk_number: number } : {}),
    });
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "dataverse.denied") throw error;
    throw new OfficeRefusal("OFFICE_010", `you may not create a ${table}`);
  }
}
