/**
 * Names of navigation properties. They differ from column names in case, and binding one row to another
 * needs them. They change only with the schema, so they are cached for 15 minutes.
 */
import type { Log } from "../../lib/log.ts";
import type { DataverseClient } from "../../microsoft/dataverse/dataverse-client.ts";

export interface NavCache {
  /** Null if the key is missing or the cache is not available. */
  get(key: string): Promise<string | null>;
  /** Without the cache, Dataverse is asked each time. */
  set(key: string, value: string, forMs: number): Promise<void>;
}

export type NavSide = "lookup" | "collection";

export interface NavAnswer {
  readonly childEntity: string;
  readonly relationship: string;
  readonly navigationPropertyName: string;
  readonly parentEntity: string;
  /** The column of the lookup. */
  readonly logicalName: string;
  readonly source: "dataverse" | "cache";
}

const KEPT_MS = 15 * 60_000;
const CAST = "Microsoft.Dynamics.CRM.OneToManyRelationshipMetadata";

interface Relationship {
  readonly SchemaName: string;
  readonly ReferencingEntity: string;
  readonly ReferencedEntity: string;
  readonly ReferencingAttribute: string;
  readonly ReferencingEntityNavigationPropertyName: string;
  readonly ReferencedEntityNavigationPropertyName: string;
}

/** Logical and schema names, without any character that could end a key or a quoted string. */
export const SCHEMA_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** Null if the table has no such relationship. */
export async function findNavigation(
  needs: { dataverse: DataverseClient; cache: NavCache; log: Log },
  side: NavSide,
  entity: string,
  relationship: string,
): Promise<NavAnswer | null> {
  const key = `navmap:${side}:${entity}:${relationship}`;
  const cached = await needs.cache.get(key);
  if (cached !== null) {
    needs.log.info({ key }, `[NavMapEndpoints] Cache hit: ${key}`);
    return { ...(JSON.parse(cached) as NavAnswer), source: "cache" };
  }
  const found = await needs.dataverse.get<Relationship>(
    `RelationshipDefinitions(SchemaName='${relationship}')/${CAST}`,
  );
  if (found === null || !isOf(found, side, entity)) return null;
  const answer = toAnswer(found, side);
  await needs.cache.set(key, JSON.stringify(answer), KEPT_MS);
  return answer;
}

/** A lookup belongs to the child table; a collection can be found by either table. */
function isOf(found: Relationship, side: NavSide, entity: string): boolean {
  if (found.ReferencingEntity === entity) return true;
  return side === "collection" && found.ReferencedEntity === entity;
}

function toAnswer(found: Relationship, side: NavSide): NavAnswer {
  return {
    childEntity: found.ReferencingEntity,
    relationship: found.SchemaName,
    navigationPropertyName:
      side === "lookup"
        ? found.ReferencingEntityNavigationPropertyName
        : found.ReferencedEntityNavigationPropertyName,
    parentEntity: found.ReferencedEntity,
    logicalName: found.ReferencingAttribute,
    source: "dataverse",
  };
}

/** `sprk_document` to `sprk_documents`; the name of a set cannot be guessed by adding an s. */
export async function findEntitySet(
  dataverse: DataverseClient,
  entity: string,
): Promise<string | null> {
  const found = await dataverse.get<{ EntitySetName: string }>(
    `EntityDefinitions(LogicalName='${entity}')?$select=EntitySetName`,
  );
  return found?.EntitySetName ?? null;
}
