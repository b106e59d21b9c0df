/** Navigation names for programs that bind rows themselves. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  findEntitySet,
  findNavigation,
  isSchemaName,
  type NavCache,
  type NavSide,
} from "../filing/navigation/navmap.ts";
import type { Log } from "../lib/log.ts";
import type { DataverseClient } from "../microsoft/dataverse/dataverse-client.ts";
import { badRequest, notFound } from "./http/problem.ts";

export interface NavmapNeeds {
  /** The client of the app: the schema is the same for everyone. */
  readonly dataverse: DataverseClient;
  readonly cache: NavCache;
  readonly log: Log;
}

export function registerNavmapRoutes(app: FastifyInstance, needs: NavmapNeeds): void {
  for (const side of ["lookup", "collection"] satisfies NavSide[]) {
    app.get(
      `/api/navmap/:entity/:relationship/${side}`,
      { config: { access: "person" } },
      async (request) => {
        const { entity = "", relationship = "" } = namesOf(request);
        const answer = await findNavigation(needs, side, entity, relationship);
        if (answer === null) throw notFound(`${entity} has no relationship ${relationship}`);
        return side === "lookup"
          ? answer
          : { ...answer, collectionPropertyName: answer.navigationPropertyName };
      },
    );
  }

  app.get("/api/navmap/:entity/entityset", { config: { access: "person" } }, async (request) => {
    const { entity = "" } = namesOf(request);
    const entitySetName = await findEntitySet(needs.dataverse, entity);
    if (entitySetName === null) throw notFound(`there is no table ${entity}`);
    return { entityLogicalName: entity, entitySetName, source: "dataverse" };
  });
}

function namesOf(request: FastifyRequest): Partial<Record<string, string>> {
  const names = request.params as Record<string, string>;
  if (Object.values(names).every(isSchemaName)) return names;
  throw badRequest("names of tables and relationships consist of letters, digits and underscores");
}
