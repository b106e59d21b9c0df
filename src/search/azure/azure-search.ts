/** The REST API of Azure AI Search, as far as we use it (version 2024-07-01). */
import { Fault } from "../../lib/fault.ts";
import type { Http, HttpAnswer } from "../../lib/http.ts";

export interface AzureSearch {
  /** Null if there is no index of this name. */
  fieldNames(): Promise<string[] | null>;
  /** Creates the index, or adds fields that it lacks. */
  putIndex(fields: readonly IndexField[], vectorSearch: object | null): Promise<void>;
  /** At most 1,000 at a time. Throws unless all of them were stored. */
  write(actions: readonly IndexAction[]): Promise<void>;
  find(query: SearchRequest, signal?: AbortSignal): Promise<string[]>;
}

export interface IndexField {
  readonly name: string;
  readonly type: string;
  readonly [attribute: string]: unknown;
}

export interface IndexAction {
  readonly "@search.action": "mergeOrUpload" | "delete";
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface SearchRequest {
  readonly search?: string;
  readonly filter: string;
  readonly top: number;
  readonly vectorQueries?: readonly object[];
  readonly searchFields?: string;
}

interface AzureSearchSettings {
  readonly endpoint: string;
  readonly apiKey: string;
  readonly indexName: string;
}

const VERSION = "2024-07-01";

export function createAzureSearch(
  { endpoint, apiKey, indexName }: AzureSearchSettings,
  http: Http,
): AzureSearch {
  const base = `${endpoint.replace(/\/$/, "")}/indexes('${encodeURIComponent(indexName)}')`;
  const send = async (
    method: string,
    path: string,
    body: object | null,
    signal?: AbortSignal,
  ): Promise<HttpAnswer> => {
    const answer = await http({
      method,
      url: `${base}${path}?api-version=${VERSION}`,
      ...(body === null ? {} : { body: JSON.stringify(body) }),
      headers: {
        "api-key": apiKey,
        "content-type": "application/json",
        ...(method === "PUT" ? { prefer: "return=representation" } : {}),
      },
      ...(signal === undefined ? {} : { signal }),
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    if (method === "GET" && answer.status === 404) return answer;
    throw toFault(answer);
  };
  return {
    async fieldNames() {
      const answer = await send("GET", "", null);
      if (answer.status === 404) return null;
      const { fields } = jsonOf(answer) as { fields: { name: string }[] };
      return fields.map(({ name }) => name);
    },
    async putIndex(fields, vectorSearch) {
      const definition = { name: indexName, fields, ...(vectorSearch && { vectorSearch }) };
      await send("PUT", "", definition);
    },
    async write(actions) {
      if (actions.length === 0) return;
      const { value } = jsonOf(await send("POST", "/docs/search.index", { value: actions })) as {
        value: { key: string; status: boolean; statusCode: number }[];
      };
      const failed = value.find(({ status }) => !status);
      if (failed !== undefined || value.length !== actions.length)
        throw new Fault("search.unavailable", "the search service did not store every chunk", {
          facts: { status: failed?.statusCode },
        });
    },
    async find(query, signal) {
      const body = { ...query, select: "id", searchMode: "any", queryType: "simple" };
      const { value } = jsonOf(await send("POST", "/docs/search.post.search", body, signal)) as {
        value: { id: string }[];
      };
      return value.map(({ id }) => id);
    },
  };
}

function jsonOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (error) {
    throw new Fault("search.unavailable", "the search service sent no JSON", { cause: error });
  }
}

function toFault({ status, headers }: HttpAnswer): Fault {
  const seconds = Number(headers["retry-after"]);
  const retryAfterMs = Number.isFinite(seconds) ? { retryAfterMs: seconds * 1_000 } : {};
  const code =
    status === 401 || status === 403 || status === 404 || status === 400
      ? "search.denied"
      : "search.unavailable";
  return new Fault(code, `the search service answered ${status}`, {
    ...retryAfterMs,
    facts: { status },
  });
}

/** A string literal in a filter. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
