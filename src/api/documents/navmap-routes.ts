/** Navigation names for programs that bind rows themselves. */
import {
  findEntitySet,
  findNavigation,
  type NavCache,
  type NavSide,
} from "../../filing/navigation/navmap.ts";
import type { Log } from "../../lib/log.ts";
import type { DataverseClient } from "../../microsoft/dataverse/dataverse-client.ts";
import { notFound } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/documents.ts";

export interface NavmapNeeds {
  /** The client of the app: the schema is the same for everyone. */
  readonly dataverse: DataverseClient;
  readonly cache: NavCache;
  readonly log: Log;
}

export function registerNavmapRoutes(app: ApiScope, needs: NavmapNeeds): void {
  const find = async (side: NavSide, { entity, relationship }: Relationship) => {
    const answer = await findNavigation(needs, side, entity, relationship);
    if (answer === null) throw notFound(`${entity} has no relationship ${relationship}`);
    return answer;
  };

  app.get(
    "/api/navmap/:entity/:relationship/lookup",
    { config: { access: "person" }, schema: schemas.getLookupName },
    async (request) => find("lookup", request.params),
  );

  app.get(
    "/api/navmap/:entity/:relationship/collection",
    { config: { access: "person" }, schema: schemas.getCollectionName },
    async (request) => {
      const answer = await find("collection", request.params);
      return { ...answer, collectionPropertyName: answer.navigationPropertyName };
    },
  );

  app.get(
    "/api/navmap/:entity/entityset",
    { config: { access: "person" }, schema: schemas.getEntitySet },
    async (request) => {
      const { entity } = request.params;
      const entitySetName = await findEntitySet(needs.dataverse, entity);
      if (entitySetName === null) throw notFound(`there is no table ${entity}`);
      return { entityLogicalName: entity, entitySetName, source: "dataverse" as const };
    },
  );
}

interface Relationship {
  readonly entity: string;
  readonly relationship: string;
}
