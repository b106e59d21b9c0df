/**
 * App registrations, their secrets, and the service principal that makes an app usable in a tenant. Modelled after
 * learn.microsoft.com/graph/api/application-post-applications, application-addpassword and
 * serviceprincipal-post-serviceprincipals.
 */
import type { AppRegistration, TenantContext } from "../../context.ts";
import type { GraphCall } from "../call/graph-call.ts";
import { contextUrl, json, readJson } from "../call/graph-call.ts";
import { badRequest, GraphProblem } from "../call/graph-error.ts";
import type { RouteTable } from "../call/route-table.ts";
import { check, filter, idOf, select, showPrincipalOf } from "./principal-routes.ts";

const READ = ["Application.Read.All", "Application.ReadWrite.All", "Directory.Read.All"];
const WRITE = ["Application.ReadWrite.All"];
const TWO_YEARS_MS = 2 * 365 * 86_400_000;
const KIND = "application";

export function addApplicationRoutes(routes: RouteTable, context: TenantContext): void {
  routes.on("GET", "/applications", (call) => list(context, call), ["$select", "$filter"]);
  routes.on("POST", "/applications", (call) => create(context, call));
  routes.on(
    "GET",
    "/applications/{application}",
    (call) => {
      check(call.caller, READ);
      const address = contextUrl(context, call, "applications/$entity");
      const shown = select(call, show(load(context, call.params["application"]!)), KIND);
      return json(200, { "@odata.context": address, ...shown }, call);
    },
    ["$select"],
  );
  routes.on("POST", "/applications/{application}/addPassword", (call) =>
    addPassword(context, call),
  );
  routes.on("POST", "/servicePrincipals", (call) => createPrincipal(context, call));
}

const objectIdOf = ({ appId }: AppRegistration): string => idOf(`application/${appId}`);

function show(app: AppRegistration): Record<string, unknown> {
  return {
    id: objectIdOf(app),
    appId: app.appId,
    displayName: app.displayName,
    signInAudience: "AzureADMyOrg",
    identifierUris: [...(app.identifierUris ?? [])],
    passwordCredentials: app.secrets.map((secret) => ({
      keyId: idOf(`secret/${app.appId}/${secret}`),
      hint: secret.slice(0, 3),
      secretText: null, // shown once, by addPassword
    })),
  };
}

/** By object id, or as `applications(appId='…')`, which arrives as `appId='…'`. */
function load(context: TenantContext, name: string): AppRegistration {
  const appId = /^appId='?([^']*)'?$/i.exec(name)?.[1];
  const found = context.apps.find((app) => objectIdOf(app) === name || app.appId === appId);
  if (found !== undefined) return found;
  throw new GraphProblem(
    404,
    "Request_ResourceNotFound",
    `Resource '${appId ?? name}' does not exist or one of its queried reference-property objects are not present.`,
  );
}

function list(context: TenantContext, call: GraphCall) {
  check(call.caller, READ);
  const all = context.apps.map(show);
  const wanted = filter(call, all, KIND);
  const address = contextUrl(context, call, "applications");
  const value = wanted.map((each) => select(call, each, KIND));
  return json(200, { "@odata.context": address, value }, call);
}

function create(context: TenantContext, call: GraphCall) {
  check(call.caller, WRITE);
  const body = readJson(call.request);
  refuseOthers(body, ["displayName", "signInAudience"], KIND);
  const displayName = body["displayName"];
  if (typeof displayName !== "string" || displayName === "") {
    throw badRequest(
      "Property displayName value is required but is empty or missing.",
      "Request_BadRequest",
    );
  }
  if (![undefined, "AzureADMyOrg"].includes(body["signInAudience"] as string | undefined))
    throw notModelled("signInAudience", body["signInAudience"]);
  const drawn = context.random.fork(`application/${context.apps.length}`);
  const app: AppRegistration = {
    appId: drawn.uuid(),
    servicePrincipalId: drawn.uuid(),
    displayName,
    secrets: [],
    appRoles: [],
    delegatedScopes: [],
    redirectUris: [],
    accessTokenVersion: null,
    hasPrincipal: false,
  };
  context.apps.push(app);
  context.journal.record("app.created", { appId: app.appId });
  const address = contextUrl(context, call, "applications/$entity");
  return json(201, { "@odata.context": address, ...show(app) }, call);
}

function addPassword(context: TenantContext, call: GraphCall) {
  check(call.caller, WRITE);
  const app = load(context, call.params["application"]!);
  const body = readJson(call.request);
  refuseOthers(body, ["passwordCredential"], "addPassword");
  const wanted = (body["passwordCredential"] ?? {}) as Record<string, unknown>;
  refuseOthers(wanted, ["displayName"], "passwordCredential");
  const drawn = context.random.fork(`password/${app.appId}/${app.secrets.length}`);
  const secret = `${drawn.bytes(28).toString("base64url")}~`;
  app.secrets.push(secret);
  const now = context.clock.now();
  return json(
    200,
    {
      "@odata.context": contextUrl(context, call, "microsoft.graph.passwordCredential"),
      displayName: wanted["displayName"] ?? null,
      keyId: idOf(`secret/${app.appId}/${secret}`),
      hint: secret.slice(0, 3),
      secretText: secret,
      startDateTime: new Date(now).toISOString(),
      endDateTime: new Date(now + TWO_YEARS_MS).toISOString(),
    },
    call,
  );
}

function createPrincipal(context: TenantContext, call: GraphCall) {
  check(call.caller, WRITE);
  const body = readJson(call.request);
  refuseOthers(body, ["appId"], "servicePrincipal");
  const app = context.apps.find(({ appId }) => appId === body["appId"]);
  if (app === undefined) {
    throw badRequest(
      `When using this permission, the backing application of the service principal being created must in the local tenant`,
      "Request_BadRequest",
    );
  }
  if (app.hasPrincipal !== false) {
    throw new GraphProblem(
      409,
      "Request_MultipleObjectsWithSameKeyValue",
      `The service principal cannot be created, updated, or restored because the service principal name ${app.appId} is already in use.`,
    );
  }
  Object.assign(app, { hasPrincipal: true });
  const address = contextUrl(context, call, "servicePrincipals/$entity");
  return json(201, { "@odata.context": address, ...showPrincipalOf(context, app) }, call);
}

function refuseOthers(
  body: Readonly<Record<string, unknown>>,
  known: readonly string[],
  type: string,
): void {
  const other = Object.keys(body).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw badRequest(
    `The property '${other}' does not exist on type 'microsoft.graph.${type}'.`,
    "Request_BadRequest",
  );
}

const notModelled = (name: string, value: unknown) =>
  new GraphProblem(501, "NotImplemented", `The tenant does not model ${name} ${String(value)}.`);
