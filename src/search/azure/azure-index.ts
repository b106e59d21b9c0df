/**
 * Azure AI Search as the index. It holds a copy of the chunks and ranks them; what it names counts only if our own index
 * holds that chunk too and it passes the filter there, so a stale copy is never shown.
 */
import type { Embedder, EmbedOptions } from "../../models/embedder.ts";
import type { Database } from "../../store/database.ts";
import { findHits, type SearchFilter } from "../chunk-table.ts";
import { findMissingWords } from "../missing-words.ts";
import { rankReadable } from "../readable-ranks.ts";
import type { SearchIndex, SearchMode } from "../search-index.ts";
import { type AzureSearch, quoted, type SearchRequest } from "./azure-search.ts";
import { type IndexSchema, vectorField } from "./index-schema.ts";

export interface AzureIndexNeeds {
  readonly azure: AzureSearch;
  readonly schema: IndexSchema;
  readonly database: Database;
  readonly embedder: Embedder | null;
  /** Our own index, for passages and for the words of a query. */
  readonly own: SearchIndex;
  readonly onVectorFailure?: (error: unknown) => void;
}

const LIST_MAX = 400;

export function createAzureIndex(needs: AzureIndexNeeds): SearchIndex {
  const { azure, schema, database, embedder, own } = needs;
  /** Null if it failed; then only words are searched. */
  const vectorOf = async (text: string, mode: SearchMode, asked: EmbedOptions) => {
    if (mode === "text" || embedder === null) return undefined;
    try {
      return (await embedder.embed([text], asked))[0];
    } catch (error) {
      asked.signal?.throwIfAborted();
      needs.onVectorFailure?.(error);
      return null;
    }
  };
  return {
    async find(text, filter, mayRead, { mode = "hybrid", ...asked } = {}) {
      const [query, vector, lengths] = await Promise.all([
        own.understand(text),
        vectorOf(text, mode, asked),
        schema.vectorLengths(),
      ]);
      const parts = {
        ...(mode === "vector" ? {} : byWords(text)),
        ...(vector && lengths?.has(vector.length) ? byMeaning(vector) : {}),
      };
      const isEmpty = lengths === null || Object.keys(parts).length === 0;
      const request = { ...parts, filter: toFilter(filter), top: LIST_MAX };
      const ids = isEmpty ? [] : await azure.find(request, asked.signal);
      const known = await findHits(database, filter, ids);
      const rank = new Map(ids.map((id, at) => [id, at]));
      const hits = known.toSorted((a, b) => rank.get(a.id)! - rank.get(b.id)!);
      const { documents, isCut } = await rankReadable([{ hits, weight: 1 }], mayRead);
      return {
        documents,
        query,
        isWithoutVectors: vector === null,
        missing: await findMissingWords(database, { query, documents }),
        isCut: isCut || ids.length === LIST_MAX,
      };
    },
    understand: own.understand,
    passages: own.passages,
    close: own.close,
  };
}

/** Signs that the service would take as operators separate words here. */
function byWords(text: string): Pick<SearchRequest, "search" | "searchFields"> {
  const search = text.replace(/[+\-|"()*~\\]/g, " ").trim();
  return search === "" ? {} : { search, searchFields: "fileName,content" };
}

function byMeaning(vector: Float32Array): Pick<SearchRequest, "vectorQueries"> {
  const fields = vectorField(vector.length);
  return { vectorQueries: [{ kind: "vector", vector: [...vector], fields, k: LIST_MAX / 2 }] };
}

/** What the service can filter by itself; our own index applies the whole filter afterwards. */
function toFilter({ tenantId, kinds, parentId, parentType }: SearchFilter): string {
  const one = (field: string, value: string | undefined) =>
    value === undefined ? [] : [`${field} eq ${quoted(value)}`];
  const anyKind =
    kinds === undefined || kinds.length === 0
      ? []
      : [`(${kinds.map((kind) => `fileType eq ${quoted(kind)}`).join(" or ")})`];
  return [
    ...one("tenantId", tenantId),
    ...one("parentEntityId", parentId?.toLowerCase()),
    ...one("parentEntityType", parentType),
    ...anyKind,
  ].join(" and ");
}
