/** Puts examples where OpenAPI expects them, and describes bodies that are not JSON. */
import type { FastifySchema } from "fastify";

/** What a caller sends, apart from the token. */
export interface RequestExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  example?: unknown;
}

interface Operation {
  readonly operationId?: string;
  parameters?: Parameter[];
  readonly responses: Record<string, object>;
  requestBody?: {
    required?: boolean;
    content: Record<string, { schema: object; example?: unknown }>;
  };
}

/** Only the parts of a description that this file uses. */
export interface OpenApiDocument {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, object>;
    readonly responses?: Record<string, object>;
  };
}

/** What a route says about itself. */
export type DescribedSchema = FastifySchema & {
  /** False if an idempotency key is ignored. */
  readonly takesKey?: boolean;
};

export function withExamples(
  document: OpenApiDocument,
  given: ReadonlyMap<string, DescribedSchema>,
): OpenApiDocument {
  for (const [method, operation] of operationsOf(document)) {
    const { example = {}, sends, takesKey } = given.get(operation.operationId ?? "") ?? {};
    for (const parameter of operation.parameters ?? []) {
      const values = parameter.in === "path" ? example.params : example.query;
      if (values?.[parameter.name] !== undefined) parameter.example = values[parameter.name];
    }
    if (method !== "get" && takesKey !== false && sends === undefined)
      operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY];
    if (sends !== undefined) operation.requestBody = { required: true, content: bytes(sends) };
    const json = operation.requestBody?.content["application/json"];
    if (json !== undefined && example.body !== undefined) json.example = example.body;
  }
  const responses = shareRefusals(document);
  const schemas = usedSchemas([document.paths, responses], document.components.schemas);
  return { ...document, components: { ...document.components, schemas, responses } };
}

/** Every write takes one, except files, which have their own mechanisms, and answers that are never kept. */
const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Chosen by the caller for one request, such as a UUID. The request is carried out once; a repetition gets the same answer.",
  schema: { type: "string", minLength: 1, maxLength: 200 },
};

function operationsOf({ paths }: OpenApiDocument): [string, Operation][] {
  return Object.values(paths).flatMap((methods) => Object.entries(methods));
}

const FILE = { type: "string", format: "binary" };

function bytes(type: string): Record<string, { schema: object }> {
  const form = { type: "object", properties: { file: FILE }, required: ["file"] };
  return { [type]: { schema: type === "multipart/form-data" ? form : FILE } };
}

/** Nearly every operation ends in the same refusals, so that they are described once. */
function shareRefusals(document: OpenApiDocument): Record<string, object> {
  const shared: Record<string, object> = {};
  for (const [, { responses }] of operationsOf(document))
    for (const [status, response] of Object.entries(responses)) {
      if (!("content" in response && "application/problem+json" in (response.content as object)))
        continue;
      shared[`Refusal${status}`] = response;
      responses[status] = { $ref: `#/components/responses/Refusal${status}` };
    }
  return shared;
}

/** Each schema is generated twice, as input and as output; most are used in only one of these ways. */
function usedSchemas(
  roots: unknown,
  schemas: Readonly<Record<string, object>>,
): Record<string, object> {
  const used = new Map<string, object>();
  const visit = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = schemas[name!];
      if (schema === undefined || used.has(name!)) continue;
      used.set(name!, schema);
      visit(schema);
    }
  };
  visit(roots);
  return Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
}
