/**
 * The Dataverse Web API under `/api/data/v9.x/`.
 *
 * The fault `service-protection` (facts `part: "dataverse"`, `user`; options `limit` of `requests`,
 * `time` or `concurrency`, and `retryAfterSeconds`) answers 429. Switches: `dataverseRequests`,
 * `dataverseSeconds`, `dataverseConcurrent` and `dataverseMsPerRequest` (limits of a user in five
 * minutes), `dataverseWebhookDelayMs`, `dataverseDateOffset` (behind dates in webhooks: `-0700`).
 */
import type { TenantContext } from "../context.ts";
import type { Part, TenantRequest, TenantResponse } from "../http.ts";
import { callSharingAction } from "./actions.ts";
import { runBatch } from "./batch.ts";
import { checkParameters, findActor } from "./core/acting.ts";
import { answer, apiRoot, type DataverseCall, type DataverseWorld } from "./core/dataverse-call.ts";
import {
  DataverseProblem,
  toErrorResponse,
  unknownSegment,
  wrongMethod,
} from "./core/dataverse-error.ts";
import { readDetection } from "./core/duplicates.ts";
import { parsePath } from "./core/entity-path.ts";
import { readPreferences } from "./core/preferences.ts";
import { createRows, type Row } from "./core/rows.ts";
import { createSecurity } from "./core/security.ts";
import { createServiceProtection, type ServiceProtection } from "./core/service-protection.ts";
import { createWebhooks } from "./core/webhooks.ts";
import {
  addNewcomers,
  createDataverseAdmin,
  type DataverseAdmin,
  seedEnvironment,
} from "./dataverse-admin.ts";
import { useSet } from "./entity-routes.ts";
import { callBoundFunction, callFunction } from "./functions.ts";
import { useMetadata } from "./metadata-routes.ts";
import { readOptions } from "./query/options.ts";
import { writeCsdl } from "./schema/csdl.ts";
import { createSchema } from "./schema/schema.ts";
import { DOCUMENT_TABLES } from "./schema/schema-documents.ts";
import { STANDARD_TABLES } from "./schema/schema-standard.ts";

export interface DataversePart {
  readonly handle: Part;
  readonly admin: DataverseAdmin;
  snapshot(): unknown;
  restore(state: unknown): void;
  stop(): void;
}

export function createDataversePart(context: TenantContext): DataversePart {
  const random = context.random.fork("dataverse");
  const schema = createSchema([...STANDARD_TABLES, ...DOCUMENT_TABLES]);
  const rows = createRows(random);
  const security = createSecurity();
  const webhooks = createWebhooks(context, schema, rows);
  const world: DataverseWorld = {
    context,
    schema,
    rows,
    security,
    webhooks,
    known: new Set(),
    organizationId: () => rows.all(schema.byName("organization")!)[0]!.id,
    businessUnitId: () => rows.all(schema.byName("businessunit")!)[0]!.id,
  };
  const protection = createServiceProtection(context);
  seedEnvironment(world);

  return {
    handle: (request) => handle(world, protection, request),
    admin: createDataverseAdmin(world),
    snapshot: () => ({
      rows: rows.snapshot(),
      security: security.snapshot(),
      known: [...world.known],
    }),
    restore(state) {
      const saved = state as { rows: unknown; security: unknown; known: string[] };
      world.known.clear();
      for (const id of saved.known) world.known.add(id);
      rows.restore(saved.rows);
      security.restore(saved.security);
    },
    stop() {},
  };
}

async function handle(
  world: DataverseWorld,
  protection: ServiceProtection,
  request: TenantRequest,
): Promise<TenantResponse | null> {
  const path = /^\/api\/data\/(v9\.\d)(?:\/(.*))?$/i.exec(request.path);
  if (path === null) return null;
  const undo: (() => void)[] = [];
  try {
    const initiator = await identify(world, request);
    const user = findActor(world, initiator, request) ?? initiator;
    const entered = protection.enter(initiator.id);
    try {
      checkParameters(request, initiator);
      const preferences = readPreferences(request.headers["prefer"]);
      const call: DataverseCall = {
        ...world,
        user,
        initiator,
        preferences,
        request,
        undo,
        version: path[1]!,
        detectsDuplicates: readDetection(request),
      };
      const response = await route(call, path[2] ?? "");
      return { ...response, headers: { ...entered.headers, ...response.headers } };
    } finally {
      entered.leave();
    }
  } catch (problem) {
    if (!(problem instanceof DataverseProblem)) throw problem;
    for (const step of undo.reverse()) step();
    return toErrorResponse(problem, readPreferences(request.headers["prefer"]).wants);
  }
}

async function route(call: DataverseCall, path: string): Promise<TenantResponse> {
  const [first, ...rest] = parsePath(path);
  if (first === undefined) return serviceDocument(call);
  if (first.name === "$batch") return runBatch(call, route);
  if (first.name === "$metadata" && rest.length === 0) return metadataDocument(call);
  if (first.name === "EntityDefinitions" || first.name === "RelationshipDefinitions") {
    return useMetadata(call, [first, ...rest]);
  }
  const called = callFunction(call, first, rest) ?? callSharingAction(call, first, rest);
  if (called !== null) return called;
  const table = call.schema.bySet(first.name);
  if (table === undefined) throw unknownSegment(first.name);
  const bound = rest.length === 1 ? callBoundFunction(call, first, rest[0]!) : null;
  return bound ?? useSet(call, table, first, rest);
}

function serviceDocument(call: DataverseCall): TenantResponse {
  if (call.request.method !== "GET") throw wrongMethod();
  readOptions(call.request.query, []);
  const value = call.schema.tables.map(({ setName }) => ({
    name: setName,
    kind: "EntitySet",
    url: setName,
  }));
  return answer(call, 200, { "@odata.context": `${apiRoot(call)}/$metadata`, value });
}

function metadataDocument(call: DataverseCall): TenantResponse {
  if (call.request.method !== "GET") throw wrongMethod();
  const options = readOptions(call.request.query, ["annotations"]);
  return {
    status: 200,
    headers: { "content-type": "application/xml", "odata-version": "4.0" },
    body: writeCsdl(call.schema, options.get("annotations") === "true"),
  };
}

/** The systemuser behind the token. */
async function identify(world: DataverseWorld, request: TenantRequest): Promise<Row> {
  const { context, schema, rows } = world;
  const caller = await context.authenticate(request.headers["authorization"], context.origin());
  if (caller === null) {
    throw new DataverseProblem(401, "0x80040220", "The access token is missing or not valid.", {
      "www-authenticate": `Bearer authorization_uri=${context.origin()}/${context.tenantId}/oauth2/authorize, resource_id=${context.origin()}/`,
    });
  }
  addNewcomers(world);
  const users = rows.all(schema.byName("systemuser")!);
  const find = (column: string, value: string | undefined) =>
    users.find(({ values }) => value !== undefined && values[column] === value.toLowerCase());
  const initiator = caller.isAppOnly
    ? find("applicationid", caller.appId)
    : find("azureactivedirectoryobjectid", caller.objectId);
  if (initiator === undefined) {
    throw new DataverseProblem(403, "0x80072560", "The user is not a member of the organization.");
  }
  if (initiator.values["isdisabled"] === true) {
    throw new DataverseProblem(403, "0x80040225", "The user specified is disabled.");
  }
  return initiator;
}
