/**
 * The API as TypeScript functions. The types are generated from the server's own description, so code that compiles
 * matches what the server accepts and returns:
 *
 *     const postroom = createClient({ url: "http://127.0.0.1:8010", token });
 *     const { trades, next } = await answerOf(postroom.GET("/api/trades", { params: { query: { limit: 50 } } }));
 */
import createOpenApiClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./api.ts";

/** A refusal is a problem; where a list also comes as CSV, or an answer as a file, ask for it with `parseAs`. */
type Media = "application/json" | "application/problem+json";
export type PostroomClient = Client<paths, Media>;
/** The types that the API accepts and returns, by name. */
export type Schemas = components["schemas"];
export type Problem = Schemas["Problem"];

export interface ClientOptions {
  /** Where the server is, such as `http://127.0.0.1:8010`. */
  readonly url: string;
  /** An Entra token for the API or the operator key; if it is a function, it is called for each request. */
  readonly token: string | (() => string | Promise<string>);
  /** For programs that send requests in their own way. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

export function createClient({ url, token, fetch }: ClientOptions): PostroomClient {
  const client = createOpenApiClient<paths, Media>({
    baseUrl: url,
    ...(fetch === undefined ? {} : { fetch }),
  });
  client.use({
    async onRequest({ request }) {
      request.headers.set(
        "authorization",
        `Bearer ${typeof token === "string" ? token : await token()}`,
      );
      return request;
    },
  });
  return client;
}

/** The server refused a request; `problem` says why. */
export class RefusedError extends Error {
  readonly status: number;
  /** Null if the response was not the server's own, for example from a proxy. */
  readonly problem: Problem | null;
  constructor(status: number, problem: Problem | null) {
    super(problem?.detail ?? problem?.title ?? `the server responded with status ${status}`);
    this.name = "RefusedError";
    this.status = status;
    this.problem = problem;
  }
}

/** The server's response; throws a RefusedError if it refused. */
export async function answerOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok) return data as T;
  const isProblem = typeof error === "object" && error !== null && "title" in error;
  throw new RefusedError(response.status, isProblem ? (error as Problem) : null);
}

/** Every page of a list, to its end. `read` requests the page at a cursor. */
export async function* pagesOf<Page extends { readonly next: string | null }>(
  read: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield page;
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
}
