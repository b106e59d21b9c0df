/**
 * A stand-in for Azure AI Search that refuses what the service refuses: a wrong key, another version, unknown fields,
 * keys with other characters, too many actions, vectors of another length, filters on fields that are not filterable.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

interface Field {
  readonly name: string;
  readonly type: string;
  readonly key?: boolean;
  readonly filterable?: boolean;
  readonly searchable?: boolean;
  readonly dimensions?: number;
}

type Row = Record<string, unknown>;

interface Index {
  readonly fields: Field[];
  readonly rows: Map<string, Row>;
}

export interface AzureSearchServer {
  readonly url: string;
  readonly apiKey: string;
  readonly indexes: Map<string, Index>;
  /** The next requests are answered with this status; null means normally. */
  failWith: number | null;
  /** Texts that are not stored, because the service is busy; the rest of their batch is. */
  busyWith: string | null;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const VERSIONS = /^20\d\d-\d\d-\d\d(?:-preview)?$/;
const ACTIONS_MAX = 1_000;
const PAGE_MAX = 1_000;

export async function anAzureSearch(): Promise<AzureSearchServer> {
  const apiKey = "a-key-of-the-search-service";
  const indexes: AzureSearchServer["indexes"] = new Map();
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => {
      try {
        if (service.failWith !== null) throw new Refusal(service.failWith, "unavailable");
        if (request.headers["api-key"] !== apiKey) throw new Refusal(403, "wrong api-key");
        const [status, body] = answer(service, request, text === "" ? {} : JSON.parse(text));
        send(response, status, body);
      } catch (error) {
        const status = error instanceof Refusal ? error.status : 400;
        send(response, status, { error: { code: String(status), message: String(error) } });
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: AzureSearchServer = { url, apiKey, indexes, failWith: null, busyWith: null };
  return service;
}

type Reply = readonly [status: number, body: object | string];

function send(response: ServerResponse, status: number, body: object | string): void {
  const isText = typeof body === "string";
  response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json" });
  response.end(isText ? body : JSON.stringify(body));
}

function answer(
  { indexes, busyWith }: AzureSearchServer,
  request: IncomingMessage,
  // biome-ignore lint/suspicious/noExplicitAny: JSON of every shape, checked below.
  body: any,
): Reply {
  const url = new URL(request.url!, "http://search");
  if (!VERSIONS.test(url.searchParams.get("api-version") ?? ""))
    throw new Refusal(400, "The api-version query parameter is missing or not supported.");
  const path = decodeURIComponent(url.pathname);
  const [, name, rest = ""] = /^\/indexes\('([^']+)'\)(.*)$/.exec(path) ?? [];
  if (path === "/indexes" && request.method === "POST") {
    indexes.set(body.name, { fields: checkFields(body.fields), rows: new Map() });
    return [201, body];
  }
  if (name === undefined) throw new Refusal(404, "no such resource");
  if (rest === "" && request.method === "GET" && indexes.has(name))
    return [200, { name, fields: indexes.get(name)!.fields }];
  if (rest === "" && request.method === "PUT") {
    if (request.headers.prefer !== "return=representation")
      throw new Refusal(400, "Prefer: return=representation is required");
    const known = indexes.get(name);
    if (body.name !== name) throw new Refusal(400, "the name does not match");
    const fields = checkFields(body.fields);
    for (const field of known?.fields ?? []) {
      const same = fields.find((each) => each.name === field.name);
      if (same === undefined || same.type !== field.type || same.dimensions !== field.dimensions)
        throw new Refusal(400, `Existing field '${field.name}' cannot be changed or deleted.`);
    }
    indexes.set(name, { fields, rows: known?.rows ?? new Map() });
    return [known === undefined ? 201 : 200, body];
  }
  const index = indexes.get(name);
  if (index === undefined) throw new Refusal(404, `The index '${name}' was not found.`);
  if (request.method === "POST" && rest === "/docs/search.index")
    return write(index, body.value, busyWith);
  if (request.method === "POST" && rest === "/docs/search.post.search")
    return [200, find(index, body)];
  if (request.method === "GET" && rest === "/docs/$count") return [200, String(index.rows.size)];
  throw new Refusal(404, "no such resource");
}

function checkFields(fields: Field[]): Field[] {
  if (fields.filter(({ key }) => key).length !== 1) throw new Refusal(400, "one key is required");
  for (const { name, type, dimensions } of fields) {
    if (!/^[A-Za-z]\w{0,127}$/.test(name)) throw new Refusal(400, `bad field name ${name}`);
    if (type === "Collection(Edm.Single)" && !(dimensions! >= 2 && dimensions! <= 4096))
      throw new Refusal(400, "a vector needs its dimensions");
  }
  return fields;
}

function write(index: Index, actions: Row[], busyWith: string | null): Reply {
  if (!Array.isArray(actions) || actions.length === 0 || actions.length > ACTIONS_MAX)
    throw new Refusal(400, "a batch holds 1 to 1,000 actions");
  const key = index.fields.find((field) => field.key)!.name;
  const value = actions.map((action) => {
    const { "@search.action": kind = "upload", ...row } = action;
    checkRow(index, row);
    const id = String(row[key]);
    if (!/^[A-Za-z0-9_\-=]{1,1024}$/.test(id))
      throw new Refusal(400, `Invalid document key: ${id}`);
    if (busyWith !== null && row["content"] === busyWith)
      return { key: id, status: false, statusCode: 503, errorMessage: "The service is too busy." };
    const isKnown = index.rows.has(id);
    if (kind === "delete") index.rows.delete(id);
    else if (kind === "merge" && !isKnown)
      return { key: id, status: false, statusCode: 404, errorMessage: "Document not found." };
    else index.rows.set(id, { ...(kind === "upload" ? {} : index.rows.get(id)), ...row });
    return {
      key: id,
      status: true,
      statusCode: isKnown || kind === "delete" ? 200 : 201,
      errorMessage: null,
    };
  });
  return [value.every(({ status }) => status) ? 200 : 207, { value }];
}

function checkRow({ fields }: Index, row: Row): void {
  for (const [name, value] of Object.entries(row)) {
    const field = fields.find((each) => each.name === name);
    if (field === undefined)
      throw new Refusal(
        400,
        `The property '${name}' does not exist on type 'search.documentFields'.`,
      );
    if (value === null) continue;
    const fits = {
      "Edm.String": typeof value === "string",
      "Edm.Int32": Number.isInteger(value),
      "Edm.DateTimeOffset": typeof value === "string" && !Number.isNaN(Date.parse(value)),
      "Collection(Edm.Single)": Array.isArray(value) && value.length === field.dimensions,
    }[field.type];
    if (!fits) throw new Refusal(400, `the value of '${name}' is not a ${field.type}`);
  }
}

const ALLOWED = new Set(
  "search filter top skip select searchMode queryType searchFields vectorQueries count orderby".split(
    " ",
  ),
);

// biome-ignore lint/suspicious/noExplicitAny: JSON of every shape, checked below.
function find(index: Index, body: any): object {
  for (const name of Object.keys(body))
    if (!ALLOWED.has(name)) throw new Refusal(400, `unknown parameter ${name}`);
  const { search, filter, top = 50, select, searchFields, vectorQueries = [] } = body;
  const searchable = index.fields.filter(
    ({ searchable: is = true, type }) => is && type === "Edm.String",
  );
  const inFields: string[] = searchFields?.split(",") ?? searchable.map(({ name }) => name);
  for (const name of inFields)
    if (!searchable.some((field) => field.name === name))
      throw new Refusal(400, `the field '${name}' is not searchable`);
  const rows = [...index.rows.values()].filter(
    (row) => filter === undefined || passes(index, filter, row),
  );
  const lists: Row[][] = [];
  // A request without `search` compares vectors alone; `*` is a search that finds everything.
  if (search !== undefined || vectorQueries.length === 0)
    lists.push(byWords(rows, search ?? "*", inFields));
  for (const query of vectorQueries) lists.push(byVector(index, rows, query));
  const scores = new Map<Row, number>();
  for (const list of lists)
    for (const [rank, row] of list.entries())
      scores.set(row, (scores.get(row) ?? 0) + 1 / (60 + rank));
  const found = [...scores].sort((a, b) => b[1] - a[1]).slice(0, Math.min(top, PAGE_MAX));
  const names: string[] | undefined = select?.split(",");
  return {
    ...(body.count ? { "@odata.count": scores.size } : {}),
    value: found.map(([row, score]) => ({
      "@search.score": score,
      ...Object.fromEntries(Object.entries(row).filter(([name]) => names?.includes(name) ?? true)),
    })),
  };
}

const wordsOf = (text: unknown): string[] =>
  String(text ?? "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function byWords(rows: readonly Row[], search: string, fields: readonly string[]): Row[] {
  if (search === "*") return [...rows];
  if (/[+\-|"()*~\\]/.test(search)) throw new Refusal(400, "the stand-in knows no operators");
  const wanted = new Set(wordsOf(search));
  return rows
    .map((row) => {
      const words = fields.flatMap((name) => wordsOf(row[name]));
      return { row, hits: new Set(words.filter((word) => wanted.has(word))).size };
    })
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits)
    .map(({ row }) => row);
}

function byVector(
  { fields }: Index,
  rows: readonly Row[],
  query: { kind: string; vector: number[]; fields: string; k: number },
): Row[] {
  const field = fields.find(({ name }) => name === query.fields);
  if (query.kind !== "vector" || field?.dimensions !== query.vector.length)
    throw new Refusal(400, "the vector does not fit the field");
  const near = (row: Row) => {
    const own = row[query.fields] as number[];
    const dot = (a: number[], b: number[]) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
    return dot(own, query.vector) / Math.sqrt(dot(own, own) * dot(query.vector, query.vector));
  };
  return rows
    .filter((row) => Array.isArray(row[query.fields]))
    .sort((a, b) => near(b) - near(a))
    .slice(0, query.k);
}

/** `and`, `or`, brackets, and comparisons of a field with a text or a number. */
function passes({ fields }: Index, filter: string, row: Row): boolean {
  const tokens = filter.match(/'(?:[^']|'')*'|[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const next = () => tokens[at++] ?? "";
  const comparison = (): boolean => {
    if (tokens[at] === "(") {
      at++;
      const value = either();
      if (next() !== ")") throw new Refusal(400, "Invalid expression: bracket");
      return value;
    }
    const [name, operator, text] = [next(), next(), next()];
    const field = fields.find((each) => each.name === name);
    if (field?.filterable !== true) throw new Refusal(400, `'${name}' is not a filterable field.`);
    const value = text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : Number(text);
    if (typeof value === "number" && Number.isNaN(value)) throw new Refusal(400, "Invalid literal");
    if (operator === "eq") return row[name] === value;
    if (operator === "lt") return (row[name] as number) < (value as number);
    throw new Refusal(400, `Invalid operator ${operator}`);
  };
  const both = (): boolean => {
    let value = comparison();
    while (tokens[at] === "and") {
      at++;
      value = comparison() && value;
    }
    return value;
  };
  const either = (): boolean => {
    let value = both();
    while (tokens[at] === "or") {
      at++;
      value = both() || value;
    }
    return value;
  };
  const value = either();
  if (at !== tokens.length) throw new Refusal(400, `Invalid expression: ${filter}`);
  return value;
}
