import type { AppRegistration } from "../../context.ts";

/** What a token can be for. The resource, not the endpoint, decides the format of the token. */
export interface Resource {
  /** `graph`, `dataverse`, `servicebus`, or the app id of an API of this tenant. */
  readonly id: string;
  readonly audience: string;
  readonly tokenVersion: 1 | 2;
  readonly api: AppRegistration | null;
}

export const GRAPH_AUDIENCE = "https://graph.microsoft.com";
const GRAPH_APP_ID = "00000003-0000-0000-c000-000000000000";
const DATAVERSE_APP_ID = "00000007-0000-0000-c000-000000000000";
const DATAVERSE_HOST = /^https:\/\/[^/]+\.crm\d*\.dynamics\.com$/i;
const SERVICE_BUS_AUDIENCES = new Set([
  "https://servicebus.azure.net",
  "https://servicebus.windows.net",
  "https://eventhubs.azure.net",
]);

export interface ResourceWorld {
  readonly apps: readonly AppRegistration[];
  origin(): string;
}

/**
 * The resource that a name refers to: a URL, `api://…` or an app id. The tenant's own origin is its Dataverse
 * environment, because a Dataverse token is requested by the environment's URL, while Graph's name is
 * `https://graph.microsoft.com` wherever Graph is reached.
 */
export function findResource(world: ResourceWorld, name: string): Resource | null {
  const wanted = name.replace(/\/+$/, "");
  if (wanted === GRAPH_AUDIENCE || wanted === GRAPH_APP_ID) {
    return { id: "graph", audience: GRAPH_AUDIENCE, tokenVersion: 1, api: null };
  }
  if (isHere(world, wanted) || wanted === DATAVERSE_APP_ID || DATAVERSE_HOST.test(wanted)) {
    return { id: "dataverse", audience: wanted, tokenVersion: 1, api: null };
  }
  if (SERVICE_BUS_AUDIENCES.has(wanted)) {
    return { id: "servicebus", audience: wanted, tokenVersion: 1, api: null };
  }
  const api = world.apps.find((app) => isNamed(app, wanted));
  if (api === undefined) return null;
  const tokenVersion = api.accessTokenVersion ?? 1;
  // A version-1 token repeats the name under which it was requested; version 2 always states the app id.
  return { id: api.appId, audience: tokenVersion === 2 ? api.appId : wanted, tokenVersion, api };
}

/** True for the tenant's own address, with any local host name and version path. */
function isHere(world: ResourceWorld, name: string): boolean {
  const origin = world.origin();
  if (name === origin) return true;
  if (!/^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(name)) return false;
  return new URL(name).port === new URL(origin).port;
}

function isNamed(app: AppRegistration, name: string): boolean {
  return (
    app.appId === name || `api://${app.appId}` === name || (app.identifierUris ?? []).includes(name)
  );
}

/** The permissions that an app or user has for one resource, out of a list for all of them. */
export function permissionsAt(resource: Resource, granted: readonly string[]): string[] {
  if (resource.id === "graph") return granted.filter((name) => !name.includes("/"));
  if (resource.id === "dataverse" && granted.includes("user_impersonation"))
    return ["user_impersonation"];
  const prefix = `${resource.id}/`;
  return granted.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}
