/**
 * Names of navigation properties, which differ from column names by their case and are needed to bind a
 * row to another. They change with the schema alone, so an answer is good for a quarter of an hour.
 */
import type { Log } from "../lib/log.ts";
import type { DataverseClient } from "../microsoft/dataverse/dataverse-client.ts";

export interface NavCache {
  /** Null when it is not there, or when the cache is away. */
  get(key: string): Promise<string | null>;
  /** A cache that is away costs a question to Dataverse, nothing else. */
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

/** Logical and schema names; nothing that could end a key or a quoted text. */
export const isSchemaName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name);

/** Null when there is no such relationship of this table. */
export async function findNavigation(
  needs: { dataverse: DataverseClient; cache: NavCache; log: Log },
  side: NavSide,
  entity: string,
  relationship: string,
): Promise<NavAnswer | null> {
  const key = `navmap:${side}:${entity}:${relationship}`;
  const cached = await needs.cache.get(key);
  if (cached !== null) {
    needs.log.info({ key }, `Cache hit: ${key}`);
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

/** A lookup belongs to the child; a collection may be asked for by either side's name. */
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

/** `sprk_document` to `sprk_documents`: a set's name is no plural that one could guess. */
export async function findEntitySet(
  dataverse: DataverseClient,
  entity: string,
): Promise<string | null> {
  const found = await dataverse.get<{ EntitySetName: string }>(
    `EntityDefinitions(LogicalName='${entity}')?$select=EntitySetName`,
  );
  return found?.EntitySetName ?? null;
}
