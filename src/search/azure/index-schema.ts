/** The fields of our index in Azure AI Search. Vectors of each length have a field of their own. */
import type { AzureSearch, IndexField } from "./azure-search.ts";

export interface IndexSchema {
  /** Lengths of the vectors that the index can hold; null if there is no index yet. */
  vectorLengths(): Promise<ReadonlySet<number> | null>;
  /** Creates the index, or adds the field for vectors of this length; null is for chunks without vectors. */
  prepare(vectorLength: number | null): Promise<void>;
  /** Creates the index again if somebody has deleted it. */
  check(): Promise<void>;
}

const VECTOR = "contentVector";

export const vectorField = (length: number): string => `${VECTOR}${length}`;

export function createIndexSchema(
  azure: AzureSearch,
  /** Called before an index is created, which holds nothing yet. */
  onNew: () => Promise<void>,
): IndexSchema {
  let known: ReadonlySet<number> | null = null;
  const load = async (): Promise<ReadonlySet<number> | null> => {
    const names = await azure.fieldNames();
    const lengths = names?.flatMap((name) =>
      name.startsWith(VECTOR) ? [Number(name.slice(VECTOR.length))] : [],
    );
    known = lengths === undefined ? null : new Set(lengths);
    return known;
  };
  const prepare = async (vectorLength: number | null): Promise<void> => {
    const holds = (lengths: ReadonlySet<number> | null) =>
      lengths !== null && (vectorLength === null || lengths.has(vectorLength));
    // Another process may have added a field; the service refuses a definition that lacks it.
    if (holds(known) || holds(await load())) return;
    if (known === null) await onNew();
    const lengths = new Set([...(known ?? []), ...(vectorLength === null ? [] : [vectorLength])]);
    await azure.putIndex(...definitionFor([...lengths]));
    known = lengths;
  };
  return {
    vectorLengths: async () => known ?? (await load()),
    prepare,
    async check() {
      await load();
      await prepare(null);
    },
  };
}

function definitionFor(vectorLengths: readonly number[]): [IndexField[], object | null] {
  const text = (name: string, attributes: object = {}): IndexField => ({
    name,
    type: "Edm.String",
    searchable: false,
    filterable: false,
    ...attributes,
  });
  const filtered = (name: string) => text(name, { filterable: true });
  const fields = [
    text("id", { key: true }),
    ...["tenantId", "documentId", "fileType", "parentEntityType", "parentEntityId"].map(filtered),
    ...["speFileId", "parentEntityName"].map((name) => text(name)),
    ...["fileName", "content"].map((name) => text(name, { searchable: true })),
    ...["generation", "chunkIndex", "chunkCount"].map((name) => ({
      name,
      type: "Edm.Int32",
      filterable: true,
    })),
    ...["createdAt", "updatedAt"].map((name) => ({
      name,
      type: "Edm.DateTimeOffset",
      filterable: true,
    })),
  ];
  if (vectorLengths.length === 0) return [fields, null];
  const vectors = vectorLengths.map((dimensions) => ({
    name: vectorField(dimensions),
    type: "Collection(Edm.Single)",
    searchable: true,
    dimensions,
    retrievable: false,
    vectorSearchProfile: "vectors",
  }));
  const vectorSearch = {
    algorithms: [{ name: "hnsw", kind: "hnsw" }],
    profiles: [{ name: "vectors", algorithm: "hnsw" }],
  };
  return [[...fields, ...vectors], vectorSearch];
}
