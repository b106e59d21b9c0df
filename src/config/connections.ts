import { Secret } from "../lib/redact.ts";
import { whyUnsafeSecret, whyUnsafeUrl } from "./safe-values.ts";

/** The tenant and app, or the consent of a person, used to read mailboxes. */
export interface GraphConnection {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly graphOrigin: string;
  readonly authorityOrigin: string;
  /** If present, the app acts for the person who granted it and reaches only that person's mail. */
  readonly refreshToken?: Secret;
}

/**
 * The connections whose rows the people of the API's tenant see; null if all mailboxes belong to one tenant, so that
 * there is nothing to keep apart.
 */
export function reachOf(config: {
  readonly connections: Readonly<Record<string, GraphConnection>>;
  readonly api: { readonly tenantId: string } | null;
}): string[] | null {
  const all = Object.entries(config.connections);
  if (new Set(all.map(([, { tenantId }]) => tenantId.toLowerCase())).size < 2) return null;
  const own = config.api?.tenantId.toLowerCase();
  return all.filter(([, each]) => each.tenantId.toLowerCase() === own).map(([name]) => name);
}

const NAME = /^Connections__([A-Za-z0-9-]+)__(\w+)$/;
const FIELDS = ["TenantId", "ClientId", "ClientSecret", "RefreshToken", "GraphUrl", "Authority"];
const NEEDED = ["TenantId", "ClientId", "ClientSecret"];

export function isConnectionSecret(name: string): boolean {
  return /^Connections__[A-Za-z0-9-]+__(ClientSecret|RefreshToken)$/.test(name);
}

/** Reads `Connections__NAME__TenantId` and so on: tenants in addition to the first one. */
export function readConnections(
  values: Readonly<Record<string, string | undefined>>,
  origins: { readonly graphOrigin: string; readonly authorityOrigin: string },
): { connections: Record<string, GraphConnection>; problems: string[] } {
  const given = new Map<string, Map<string, string>>();
  const problems: string[] = [];
  for (const [setting, value] of Object.entries(values)) {
    const [, name, field] = NAME.exec(setting) ?? [];
    if (name === undefined || field === undefined || value === undefined) continue;
    if (!FIELDS.includes(field)) problems.push(`${setting}: unknown field`);
    else if (value === "") problems.push(`${setting}: must not be empty`);
    else given.set(name, (given.get(name) ?? new Map()).set(field, value));
  }
  const connections: Record<string, GraphConnection> = {};
  for (const [name, fields] of given) {
    problems.push(...problemsOf(name, fields));
    if (problems.length > 0) continue;
    const refreshToken = fields.get("RefreshToken");
    connections[name] = {
      tenantId: fields.get("TenantId")!,
      clientId: fields.get("ClientId")!,
      clientSecret: new Secret(fields.get("ClientSecret")!),
      graphOrigin: new URL(fields.get("GraphUrl") ?? origins.graphOrigin).origin,
      authorityOrigin: new URL(fields.get("Authority") ?? origins.authorityOrigin).origin,
      ...(refreshToken === undefined ? {} : { refreshToken: new Secret(refreshToken) }),
    };
  }
  return { connections, problems };
}

function problemsOf(name: string, fields: ReadonlyMap<string, string>): string[] {
  const missing = NEEDED.filter((field) => !fields.has(field)).map(
    (field) => `Connections__${name}__${field}: missing`,
  );
  const problemOf = (field: string, why: (value: string) => string | null): string[] => {
    const value = fields.get(field);
    const problem = value === undefined ? null : why(value);
    return problem === null ? [] : [`Connections__${name}__${field}: ${problem}`];
  };
  const wrong = [
    ...problemOf("GraphUrl", whyUnsafeUrl),
    ...problemOf("Authority", whyUnsafeUrl),
    ...problemOf("ClientSecret", whyUnsafeSecret),
  ];
  const taken =
    name === "default"
      ? ["Connections__default: use the GRAPH_… settings for the default connection"]
      : [];
  return [...missing, ...wrong, ...taken];
}
