/** How commands reach a running server: its HTTP API, with the operator key from the home folder. */
import { existsSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createClient, type PostroomClient, pagesOf } from "../../client/index.ts";
import { loadPlace, processEnvironment } from "../../config.ts";
import { Fault, faultCodes, remedyOf } from "../../lib/fault.ts";
import { createHttp, type HttpAnswer, type HttpRequest } from "../../lib/http.ts";
import { CommandError, EXIT, type Failure } from "./exit.ts";
import type { SizedStream } from "./upload-progress.ts";

/** An audit or an export may take minutes; a person who waits can press Ctrl-C. */
const PATIENCE_MS = 10 * 60_000;

/** The server refused a request; `status` says how. */
export class ApiError extends CommandError {
  readonly status: number;
  /** Stable code, and the places that the server objected to; see Failure. */
  readonly code: string | undefined;
  readonly errors: Failure["errors"];
  constructor(status: number, problem: ProblemView) {
    super(wordsOf(status, problem), exitCodeOf(status, problem.errorCode));
    this.status = status;
    this.code = problem.errorCode;
    this.errors = problem.errors;
  }
}

function wordsOf(status: number, { errorCode, detail, title }: ProblemView): string {
  if (errorCode === "request.no-route")
    return "this server does not have that part: documents and search must be set up (docs/documents.md), and server and command line must have the same version";
  return detail ?? title ?? `the server responded with status ${status}`;
}

interface ProblemView {
  readonly title?: string;
  readonly detail?: string;
  readonly errorCode?: string;
  readonly errors?: Failure["errors"];
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface ApiClient {
  /** Calls that are typed by the API's own description; a refusal is thrown as an ApiError. */
  readonly client: PostroomClient;
  get<T>(path: string, query?: Query): Promise<T>;
  post<T>(path: string, body?: object): Promise<T>;
  delete<T>(path: string): Promise<T>;
  put<T>(path: string, body: object): Promise<T>;
  /** Every row of a list, page by page to its end. */
  rows<T>(path: string, name: string, query?: Query): Promise<T[]>;
  /** A file as the server has it. */
  file(path: string): Promise<Buffer>;
  /** Sends a file as the request body. */
  send<T>(method: string, path: string, bytes: Buffer | SizedStream): Promise<T>;
  readonly origin: string;
  readonly operatorKey: string;
  close(): Promise<void>;
}

export function openApi(options: { server?: string; token?: string } = {}): ApiClient {
  const config = loadPlace(processEnvironment());
  const origin = options.server ?? addressIn(config.home) ?? `http://127.0.0.1:${config.port}`;
  const keyFile = join(config.home, "operator-key");
  if (!existsSync(keyFile)) throw notRunning(origin);
  const operatorKey = readFileSync(keyFile, "utf8").trim();
  const http = createHttp({
    allowedOrigins: [origin],
    unavailable: "store.unavailable",
    timeoutMs: PATIENCE_MS,
  });

  const exchange = async (request: HttpRequest): Promise<HttpAnswer> => {
    // Whose terminal it is, for the record of decisions.
    const headers = {
      ...request.headers,
      "postroom-operator": encodeURIComponent(userInfo().username),
    };
    const answer = await http({ ...request, headers }).catch((error: unknown) => {
      throw explainSilence(error, origin, request.method);
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw toApiError(answer);
  };
  const call = (method: string, path: string, body?: object): Promise<HttpAnswer> => {
    const isBytes = Buffer.isBuffer(body) || body instanceof Readable;
    return exchange({
      method,
      url: `${origin}${path}`,
      headers: {
        authorization: `Bearer ${options.token ?? operatorKey}`,
        ...(body === undefined
          ? {}
          : { "content-type": isBytes ? "application/octet-stream" : "application/json" }),
        ...(body instanceof Readable
          ? { "content-length": String((body as SizedStream).size) }
          : {}),
      },
      ...(body === undefined
        ? {}
        : body instanceof Readable
          ? { stream: body }
          : { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
  };
  const json = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await call(method, path, body);
    return (answer.body.length === 0 ? undefined : readJson(answer, origin)) as T;
  };
  const get = <T>(path: string, query: Query = {}) => json<T>("GET", `${path}${toQuery(query)}`);
  return {
    get,
    rows: <T>(path: string, name: string, query: Query = {}) =>
      collect<T>(name, (cursor) => get(path, { ...query, cursor })),
    client: createClient({
      url: origin,
      token: options.token ?? operatorKey,
      fetch: toFetch(exchange, origin),
    }),
    post: (path, body) => json("POST", path, body ?? {}),
    put: (path, body) => json("PUT", path, body),
    delete: (path) => json("DELETE", path),
    file: async (path) => Buffer.from((await call("GET", path)).body),
    send: (method, path, bytes) => json(method, path, bytes),
    origin,
    operatorKey,
    close: () => http.close(),
  };
}

/** Runs `work` with a client and closes the client, so that the process can exit. With a token it is that person's. */
export async function withApi<T>(work: (api: ApiClient) => Promise<T>, token?: string): Promise<T> {
  const api = openApi(token === undefined ? {} : { token });
  try {
    return await work(api);
  } finally {
    await api.close();
  }
}

/** Every row of a list, page by page to its end. */
export async function rowsOf<Page extends { readonly next: string | null }, Row>(
  read: (cursor: string | undefined) => Promise<Page>,
  rowsIn: (page: Page) => readonly Row[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pagesOf(read)) rows.push(...rowsIn(page));
  return rows;
}

type Page = { readonly next: string | null } & Readonly<Record<string, unknown>>;

async function collect<T>(
  name: string,
  read: (cursor: string | undefined) => Promise<Page>,
): Promise<T[]> {
  const rows: T[] = [];
  for await (const page of pagesOf(read)) rows.push(...(page[name] as T[]));
  return rows;
}

/** The same exchange in the form of the Fetch API. */
function toFetch(exchange: (request: HttpRequest) => Promise<HttpAnswer>, origin: string) {
  return async (request: Request): Promise<Response> => {
    const { status, headers, body } = await exchange({
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      ...(request.body === null ? {} : { body: Buffer.from(await request.arrayBuffer()) }),
    });
    const isJson = /\bjson\b/.test(headers["content-type"] ?? "");
    if (body.length > 0 && !isJson) throw notPostroom(origin);
    return new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers });
  };
}

function addressIn(home: string): string | null {
  const file = join(home, "server.json");
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { url: string }).url;
  } catch {
    return null; // no file, or an incomplete one: the server writes it when it listens
  }
}

function notRunning(origin: string): CommandError {
  return new CommandError(
    `no server is running at ${origin}; start one with \`npm start\` or \`postroom serve\``,
    EXIT.tryLater,
  );
}

/** Says what to do if no complete response came. */
export function explainSilence(error: unknown, origin: string, method = "GET"): unknown {
  if (error instanceof CommandError) return error;
  const { message, cause } = error as Error;
  const text = `${message} ${(cause as Error | undefined)?.message ?? ""}`;
  if (/ECONNREFUSED/.test(text)) return notRunning(origin);
  if (error instanceof Fault && error.code !== "store.unavailable") return error;
  const advice =
    method === "GET"
      ? "try again once it runs"
      : "it may have carried out the command, so check before you repeat it";
  return new CommandError(`the server at ${origin} stopped answering; ${advice}`, EXIT.tryLater);
}

function readJson({ body }: HttpAnswer, origin: string): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw notPostroom(origin);
  }
}

const notPostroom = (origin: string) =>
  new CommandError(
    `the server at ${origin} is not Postroom; check PORT and POSTROOM_HOME`,
    EXIT.usage,
  );

export function toApiError({ status, body }: Pick<HttpAnswer, "status" | "body">): ApiError {
  try {
    return new ApiError(status, JSON.parse(body.toString("utf8")) as ProblemView);
  } catch {
    return new ApiError(status, {});
  }
}

function exitCodeOf(status: number, code: string | undefined): number {
  const fault = faultCodes.find((each) => each === code);
  const remedy = fault === undefined ? null : remedyOf(fault);
  const isTemporary = status >= 500 && (remedy === "retry" || remedy === "wait");
  if (status === 503 || status === 429 || isTemporary) return EXIT.tryLater;
  return status === 400 ? EXIT.usage : EXIT.failed;
}

function toQuery(query: Query): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  return parameters.length === 0
    ? ""
    : `?${new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
