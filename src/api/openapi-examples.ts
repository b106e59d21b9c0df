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
  readonly parameters?: Parameter[];
  requestBody?: {
    required?: boolean;
    content: Record<string, { schema: object; example?: unknown }>;
  };
}

/** Only the parts of a description that this file uses. */
export interface OpenApiDocument {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, object> };
}

export function withExamples(
  document: OpenApiDocument,
  given: ReadonlyMap<string, FastifySchema>,
): OpenApiDocument {
  for (const operation of Object.values(document.paths).flatMap((each) => Object.values(each))) {
    const { example = {}, sends } = given.get(operation.operationId ?? "") ?? {};
    for (const parameter of operation.parameters ?? []) {
      const values = parameter.in === "path" ? example.params : example.query;
      if (values?.[parameter.name] !== undefined) parameter.example = values[parameter.name];
    }
    if (sends !== undefined) operation.requestBody = { required: true, content: bytes(sends) };
    const json = operation.requestBody?.content["application/json"];
    if (json !== undefined && example.body !== undefined) json.example = example.body;
  }
  return { ...document, components: { ...document.components, schemas: usedSchemas(document) } };
}

const FILE = { type: "string", format: "binary" };

function bytes(type: string): Record<string, { schema: object }> {
  const form = { type: "object", properties: { file: FILE }, required: ["file"] };
  return { [type]: { schema: type === "multipart/form-data" ? form : FILE } };
}

/** Each schema is generated twice, as input and as output; most are used in only one of these ways. */
function usedSchemas({ paths, components }: OpenApiDocument): Record<string, object> {
  const used = new Map<string, object>();
  const visit = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = components.schemas[name!];
      if (schema === undefined || used.has(name!)) continue;
      used.set(name!, schema);
      visit(schema);
    }
  };
  visit(paths);
  return Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
}
