import { COMPANY_DOMAIN } from "../content/company.ts";
import type { AppRegistration, TenantContext, User } from "../context.ts";
import { findPerson } from "../entra/sessions.ts";
import type { TenantRequest } from "../http.ts";
import {
  type AddRoute,
  AdminRefusal,
  checkKinds,
  isObject,
  type Kinds,
  ok,
  readJson,
  stringOf,
  type TenantCore,
} from "./admin-call.ts";

const USER: Kinds = {
  userPrincipalName: "text",
  displayName: "text",
  mail: "text",
  password: "text",
  hasMailbox: "flag",
};
const APP: Kinds = {
  appId: "text",
  servicePrincipalId: "text",
  displayName: "text",
  secrets: "texts",
  expiredSecrets: "texts",
  certificates: "texts",
  appRoles: "texts",
  delegatedScopes: "texts",
  exposedScopes: "texts",
  identifierUris: "texts",
  redirectUris: "texts",
};

/** Users, app registrations and signing keys. */
export function addDirectoryRoutes(on: AddRoute, context: TenantContext, core: TenantCore): void {
  const { users, apps, random, journal } = context;
  const drawn = random.fork("directory");

  on("GET", "/users", () => ok({ value: users.map(({ password: _, ...shown }) => shown) }));
  on("POST", "/users", (request) => {
    const body = readUser(request);
    const name = stringOf(body, "userPrincipalName");
    const upn = name.includes("@") ? name : `${name}@${COMPANY_DOMAIN}`;
    if (users.some((user) => user.userPrincipalName === upn)) {
      throw new AdminRefusal(409, "Conflict", `There is a user ${upn} already.`);
    }
    const user: User = {
      id: drawn.uuid(),
      userPrincipalName: upn,
      displayName: String(body["displayName"] ?? upn.split("@")[0]),
      mail: upn,
      password: String(body["password"] ?? "Passw0rd!"),
      hasMailbox: body["hasMailbox"] !== false,
    };
    users.push(user);
    journal.record("user.created", { id: user.id, userPrincipalName: upn });
    return ok(user, 201);
  });

  on("PATCH", "/users/{id}", (request) => {
    const user = findPerson(users, request.params["id"]!);
    if (user === null) throw new AdminRefusal(404, "NotFound", "There is no such user.");
    const { id: _, ...changes } = readUser(request);
    return ok(Object.assign(user, changes));
  });

  on("GET", "/apps", () => ok({ value: apps }));
  on("POST", "/apps", (request) => {
    const app = createApp(readApp(request), drawn.uuid(), drawn.uuid());
    if (apps.some((known) => known.appId === app.appId)) {
      throw new AdminRefusal(409, "Conflict", `There is an app ${app.appId} already.`);
    }
    apps.push(app);
    journal.record("app.created", { appId: app.appId });
    return ok(app, 201);
  });
  on("PATCH", "/apps/{appId}", (request) => {
    const app = apps.find((known) => known.appId === request.params["appId"]);
    if (app === undefined) throw new AdminRefusal(404, "NotFound", "There is no such app.");
    const { appId: _, ...changes } = readApp(request);
    return ok(Object.assign(app, changes));
  });

  on("POST", "/keys/rotate", async (request) => {
    const key = await core.keys.rotate(readJson(request)["dropOld"] === true);
    // The key's own id differs between processes, so the journal records only that it happened.
    journal.record("keys.rotated", { published: core.keys.published().length });
    return ok({ kid: key.kid });
  });
}

function readUser(request: TenantRequest): Record<string, unknown> {
  const body = readJson(request);
  checkKinds(body, USER);
  const roles = body["appRoles"];
  if (roles === undefined) return body;
  if (!isObject(roles)) throw new AdminRefusal(400, "BadRequest", "'appRoles' must be an object.");
  checkKinds(roles, Object.fromEntries(Object.keys(roles).map((app) => [app, "texts" as const])));
  return body;
}

function readApp(request: TenantRequest): Record<string, unknown> {
  const body = readJson(request);
  checkKinds(body, APP);
  const version = body["accessTokenVersion"] ?? null;
  if ([1, 2, null].includes(version as number | null)) return body;
  throw new AdminRefusal(400, "BadRequest", "'accessTokenVersion' must be 1, 2 or null.");
}

function createApp(
  body: Record<string, unknown>,
  appId: string,
  servicePrincipalId: string,
): AppRegistration {
  return {
    appId,
    servicePrincipalId,
    secrets: [],
    expiredSecrets: [],
    certificates: [],
    appRoles: [],
    delegatedScopes: [],
    redirectUris: [],
    accessTokenVersion: null,
    ...(body as Partial<AppRegistration>),
    displayName: String(body["displayName"] ?? "App"),
  };
}
