/**
 * The API describes itself. Requests are checked against the schema of their route, and the same schemas
 * produce `/api/openapi.json`, the browsable page and the typed client.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import swagger from "@fastify/swagger";
import type { FastifyBaseLogger, FastifyInstance, FastifySchema, RawServerDefault } from "fastify";
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  validatorCompiler,
  type ZodTypeProvider,
} from "fastify-type-provider-zod";
import * as z from "zod";
import { Fault } from "../lib/fault.ts";
import { sayIssuesPlainly } from "../lib/issue-words.ts";
import { loadDriver } from "../lib/load-driver.ts";
import {
  type DescribedSchema,
  type OpenApiDocument,
  type RequestExample,
  withExamples,
} from "./openapi-examples.ts";

/** A scope whose routes have schemas. */
export type ApiScope = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

declare module "fastify" {
  interface FastifySchema {
    /** A request that works. It is part of the description, and a test sends it. */
    readonly example?: RequestExample;
    /** The type of a body that is not JSON; the route reads it as it arrives. */
    readonly sends?: "multipart/form-data" | "application/octet-stream";
    /** The body holds a secret, so not even a hash of it is kept. */
    readonly hasSecret?: boolean;
  }
}

export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    instance: z.string(),
    correlationId: z.string(),
    errorCode: z.string().describe("stable; see docs/errors.md"),
    whatToDo: z.string(),
    errors: z
      .array(z.object({ pointer: z.string(), detail: z.string() }))
      .optional()
      .describe("what is wrong, each with a JSON pointer to its place in the request"),
    claims: z.string().optional().describe("what the next sign-in must satisfy, as JSON"),
  })
  .meta({ id: "Problem" });

const REFUSALS: Readonly<Record<number, string>> = {
  400: "The request is malformed; `errors` says where.",
  401: "No token, or one that is not valid here.",
  403: "The token is valid and the caller may not do this.",
  503: "Not now; try again later.",
};
const UNKNOWN = "There is no such thing, or the caller may not see it.";

const INFO = {
  title: "Postroom",
  description:
    "Errors are problem details (RFC 9457). Lists page by `cursor` and `limit`; `next` is the cursor of the next page, or null. Times are ISO 8601 with a zone.",
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
};
const BEARER = {
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
  description: "An Entra token for the API, or the operator key of the home folder.",
} as const;

/** Call it before the first route of the scope. */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  sayIssuesPlainly();
  const examples = new Map<string, DescribedSchema>();
  app.setValidatorCompiler(validatorCompiler);
  // The tests check responses against their schemas; at run time they are only serialised.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { ...INFO, version },
      servers: [{ url: "/" }],
      components: { securitySchemes: { bearer: BEARER } },
    },
    transform: ({ schema, url, ...given }) => {
      const { example, sends, hasSecret: _, ...plain } = schema ?? {};
      const { access, answersAnew } = given.route.config ?? {};
      const takesKey = access !== "open" && answersAnew !== true;
      if (plain.operationId !== undefined)
        examples.set(plain.operationId, { example, sends, takesKey });
      const described = jsonSchemaTransform({
        ...given,
        url,
        schema: withRefusals(plain),
      } as never);
      const security = access === "open" ? [] : [{ bearer: [] }];
      return {
        ...described,
        schema: { ...described.schema, security, "x-access": access } as never,
      };
    },
    transformObject: (document) =>
      withExamples(jsonSchemaTransformObject(document) as OpenApiDocument, examples) as never,
  });
  app.get("/api/openapi.json", { config: { access: "open" }, schema: { hide: true } }, async () =>
    app.swagger(),
  );
  await registerPage(app);
}

/** Registers the browsable page, which an installation may lack. */
async function registerPage(app: FastifyInstance): Promise<void> {
  try {
    const { default: swaggerUi } = await loadDriver(
      "/api/docs",
      ["@fastify/swagger-ui"],
      () => import("@fastify/swagger-ui"),
    );
    await app.register(swaggerUi, { routePrefix: "/api/docs" });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    app.log.info({ reason: error.message }, "there is no browsable page of the API");
  }
}

/** The same scope, with handlers typed by their schemas. */
export const typed = (app: FastifyInstance): ApiScope => app.withTypeProvider<ZodTypeProvider>();

/** Every operation may return these; a route lists only what is special to it. */
function withRefusals(schema: FastifySchema): FastifySchema {
  if (schema.hide === true) return schema;
  const possible = { ...REFUSALS, ...(schema.params === undefined ? {} : { 404: UNKNOWN }) };
  const refusals = Object.fromEntries(
    Object.entries(possible).map(([status, description]) => [
      status,
      { description, content: { "application/problem+json": { schema: Problem } } },
    ]),
  );
  return { ...schema, response: { ...refusals, ...(schema.response as object | undefined) } };
}
