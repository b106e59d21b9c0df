/** The command line's way to a running server: its HTTP API with the operator key of the home folder. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig, processEnvironment } from "../../config.ts";
import { Fault } from "../../lib/fault.ts";
import { createHttp, type HttpAnswer } from "../../lib/http.ts";
import { CommandError, EXIT } from "./exit.ts";

export interface ApiClient {
  get<T>(
    path: string,
    query?: Readonly<Record<string, string | number | boolean | undefined>>,
  ): Promise<T>;
  post<T>(path: string, body?: object): Promise<T>;
  delete<T>(path: string): Promise<T>;
  put<T>(path: string, body: object): Promise<T>;
  /** A file as the body. */
  send<T>(method: string, path: string, bytes: Buffer): Promise<T>;
  /** An answer that is not JSON: CSV, a file. */
  bytes(path: string): Promise<Buffer>;
  readonly origin: string;
  readonly operatorKey: string;
  close(): Promise<void>;
}

export function openApi(options: { server?: string } = {}): ApiClient {
  const config = loadConfig(processEnvironment());
  const origin = options.server ?? addressIn(config.home) ?? `http://127.0.0.1:${config.port}`;
  const keyFile = join(config.home, "operator-key");
  if (!existsSync(keyFile)) throw nothingRuns(origin);
  const operatorKey = readFileSync(keyFile, "utf8").trim();
  const http = createHttp({ allowedOrigins: [origin], unavailable: "store.unavailable" });

  const call = async (method: string, path: string, body?: object): Promise<HttpAnswer> => {
    const isBytes = Buffer.isBuffer(body);
    const answer = await http({
      method,
      url: `${origin}${path}`,
      headers: {
        authorization: `Bearer ${operatorKey}`,
        ...(body === undefined
          ? {}
          : { "content-type": isBytes ? "application/octet-stream" : "application/json" }),
      },
      ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
    }).catch((error: unknown) => {
      if (error instanceof Fault && /ECONNREFUSED/.test(error.message)) throw nothingRuns(origin);
      throw error;
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw toCommandError(answer);
  };
  const json = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await call(method, path, body);
    return (answer.body.length === 0 ? undefined : JSON.parse(answer.body.toString("utf8"))) as T;
  };
  return {
    get: (path, query = {}) => json("GET", `${path}${toQuery(query)}`),
    post: (path, body) => json("POST", path, body ?? {}),
    put: (path, body) => json("PUT", path, body),
    delete: (path) => json("DELETE", path),
    send: (method, path, bytes) => json(method, path, bytes),
    bytes: async (path) => (await call("GET", path)).body,
    origin,
    operatorKey,
    close: () => http.close(),
  };
}

/** Runs `work` with a client and closes it, so that the process can end. */
export async function withApi<T>(work: (api: ApiClient) => Promise<T>): Promise<T> {
  const api = openApi();
  try {
    return await work(api);
  } finally {
    await api.close();
  }
}

function addressIn(home: string): string | null {
  const file = join(home, "server.json");
  if (!existsSync(file)) return null;
  return (JSON.parse(readFileSync(file, "utf8")) as { url: string }).url;
}

function nothingRuns(origin: string): CommandError {
  return new CommandError(
    `nothing is running at ${origin}; start it with \`npm start\` or \`postroom serve\``,
    EXIT.tryLater,
  );
}

function toCommandError(answer: HttpAnswer): CommandError {
  const exitCode =
    answer.status === 503 || answer.status === 429
      ? EXIT.tryLater
      : answer.status === 400
        ? EXIT.usage
        : EXIT.failed;
  try {
    const problem = JSON.parse(answer.body.toString("utf8")) as { title?: string; detail?: string };
    return new CommandError(
      problem.detail ?? problem.title ?? `the server answered ${answer.status}`,
      exitCode,
    );
  } catch {
    return new CommandError(`the server answered ${answer.status}`, exitCode);
  }
}

function toQuery(query: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ""
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
