/**
 * Sends the example of an operation, with the ids of things that exist in this installation, and compares the answer
 * with what the description declares.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import type { TestApp } from "./app.ts";

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: string; example?: unknown }[];
  readonly requestBody?: { content: Record<string, { example?: unknown }> };
  readonly responses: Record<string, { content?: Record<string, object> }>;
}

/** What an example needs in this installation: the ids of things that exist here, and bodies that are not JSON. */
export interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

interface Scene {
  readonly app: TestApp;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the example of a path is sent. */
  isSent(path: string): boolean;
  /** By operation. Operations that are not named are sent as they are described. */
  readonly given: Readonly<Record<string, Given>>;
  /** Lower ones are sent first. */
  lastnessOf?(operation: DescribedOperation): number;
  before?(): void | Promise<void>;
}

/** The operations that were sent, and what was wrong with their answers. */
export async function sendExamples(
  scene: Scene,
): Promise<{ sent: string[]; wrong: Record<string, string> }> {
  const { app, given, lastnessOf = () => 0 } = scene;
  const document = (await app.server.inject({ url: "/api/openapi.json" })).json() as {
    readonly paths: Record<string, Record<string, Operation>>;
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  ajv.addSchema(document, "openapi");
  const operations = Object.entries(document.paths)
    .filter(([path]) => scene.isSent(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    .sort((one, other) => lastnessOf(one) - lastnessOf(other));
  const sent = operations.map(({ operation }) => operation.operationId);
  const wrong: Record<string, string> = Object.fromEntries(
    Object.keys(given)
      .filter((name) => !sent.includes(name))
      .map((name) => [name, "there is no such operation"]),
  );
  for (const { path, method, operation } of operations) {
    await scene.before?.();
    const request = requestOf(scene, path, method, operation);
    const types = Object.values(operation.responses).flatMap((each) =>
      Object.keys(each.content ?? {}),
    );
    const isEndless = types.includes("text/event-stream") && request.method === "GET";
    const problem = judge(ajv, [path, method], operation, await send(app, request, isEndless));
    if (problem !== null) wrong[`${operation.operationId} ${request.url}`] = problem;
  }
  return { sent, wrong };
}

interface Request {
  readonly method: Method;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload?: object | Buffer;
}

function requestOf(scene: Scene, path: string, method: string, operation: Operation): Request {
  const given = scene.given[operation.operationId] ?? {};
  const [params, query] = ["path", "query"].map((where) =>
    Object.fromEntries(
      (operation.parameters ?? [])
        .filter((each) => each.in === where && each.example !== undefined)
        .map(({ name, example }) => [name, String(example)]),
    ),
  );
  const filled = Object.entries({ ...params, ...given.params }).reduce(
    (url, [name, value]) =>
      url.replace(`{${name}}`, name === "*" ? encodeURI(value) : encodeURIComponent(value)),
    path,
  );
  const search = new URLSearchParams({ ...query, ...given.query }).toString();
  const payload = given.body ?? operation.requestBody?.content["application/json"]?.example;
  return {
    method: method.toUpperCase() as Method,
    url: search === "" ? filled : `${filled}?${search}`,
    headers: { ...scene.headers, ...given.headers },
    ...(payload === undefined ? {} : { payload: payload as object }),
  };
}

/** A stream that is only read does not end by itself: that it begins is enough. */
async function send(app: TestApp, request: Request, isEndless: boolean) {
  if (!isEndless) {
    const { statusCode, headers: sent, body } = await app.server.inject(request);
    return { status: statusCode, type: String(sent["content-type"] ?? ""), body };
  }
  const stop = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${app.port}${request.url}`, {
    ...{ headers: request.headers, signal: stop.signal },
  });
  const type = answer.headers.get("content-type") ?? "";
  stop.abort();
  return { status: answer.status, type, body: "" };
}

const pointer = (...parts: string[]) =>
  `openapi#/${parts.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;

/** Null if the answer is as declared, otherwise what is not. */
function judge(
  ajv: Ajv2020,
  at: readonly [path: string, method: string],
  operation: Operation,
  answer: { status: number; type: string; body: string },
): string | null {
  const { status, type, body } = answer;
  const declared = operation.responses[String(status)];
  if (status >= 300 || declared === undefined) return `${status} ${body.slice(0, 300)}`;
  if (declared.content === undefined) return body === "" ? null : `a body with ${status}`;
  const name = type.split(";")[0]!;
  if (declared.content[name] === undefined) return `the type ${type || "(none)"}`;
  if (name !== "application/json") return null;
  const at200 = ["paths", ...at, "responses", String(status), "content", name, "schema"];
  const validate = ajv.compile({ $ref: pointer(...at200) });
  return validate(JSON.parse(body)) ? null : ajv.errorsText(validate.errors);
}
