import type { ConfidentialClientApplication } from "@azure/msal-node";
import { Fault } from "../../lib/fault.ts";
import type { Secret } from "../../lib/redact.ts";
import type { TokenSource } from "../transport/transport.ts";

export interface AppIdentity {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly authorityOrigin: string;
}

/** The app's own tokens, by client credentials. MSAL caches and refreshes them. */
export function createAppTokens(identity: AppIdentity, resource: string): TokenSource {
  const client = keepClient(identity);
  return async (options = {}) => {
    try {
      const answer = await (await client()).acquireTokenByClientCredential({
        scopes: [`${resource}/.default`],
        skipCache: options.forceNew ?? false,
      });
      if (answer === null) throw new Fault("identity.refused", "Entra gave no token");
      return answer.accessToken;
    } catch (error) {
      throw toIdentityFault(error);
    }
  };
}

/** One client, made again when the secret was renewed. */
export function keepClient(
  identity: AppIdentity,
  capabilities: readonly string[] = [],
): () => Promise<ConfidentialClientApplication> {
  let current: { secret: string; client: Promise<ConfidentialClientApplication> } | null = null;
  return () => {
    const secret = identity.clientSecret.reveal();
    if (current?.secret !== secret)
      current = { secret, client: createClient(identity, capabilities) };
    return current.client;
  };
}

/** The capability `CP1` tells Entra that we pass claims challenges on to the caller. */
export async function createClient(
  identity: AppIdentity,
  capabilities: readonly string[] = [],
): Promise<ConfidentialClientApplication> {
  // MSAL takes a tenth of a second to load, so a start that needs no token skips it.
  const { ConfidentialClientApplication: Client } = await import("@azure/msal-node");
  const { origin, protocol } = new URL(identity.authorityOrigin);
  const auth = {
    clientId: identity.clientId,
    clientSecret: identity.clientSecret.reveal(),
    authority: `${origin}/${identity.tenantId}`,
    knownAuthorities: [new URL(origin).host],
    clientCapabilities: [...capabilities],
  };
  if (protocol === "https:") return new Client({ auth });
  return new Client({ auth: { ...auth, ...loopbackAuthority(origin, identity.tenantId) } });
}

/** MSAL accepts only https authorities, so metadata points it to the local tenant on loopback. */
function loopbackAuthority(origin: string, tenantId: string) {
  const genuine = `https://login.microsoftonline.com/${tenantId}`;
  return {
    authority: genuine,
    knownAuthorities: [],
    authorityMetadata: JSON.stringify({
      authorization_endpoint: `${origin}/${tenantId}/oauth2/v2.0/authorize`,
      token_endpoint: `${origin}/${tenantId}/oauth2/v2.0/token`,
      issuer: `${genuine}/v2.0`,
      jwks_uri: `${origin}/${tenantId}/discovery/v2.0/keys`,
    }),
  };
}

/** Advice for common set-up errors, by AADSTS number. */
const ADVICE: Readonly<Record<string, string>> = {
  "7000215": "the client secret is wrong (use the secret's value, not its id)",
  "7000222": "the client secret has expired; create a new one and change the setting that holds it",
  "700016": "this tenant does not know the app; check GRAPH_CLIENT_ID and GRAPH_TENANT_ID",
  "90002": "the tenant does not exist; check GRAPH_TENANT_ID",
  "500011":
    "this tenant does not know the resource; for Dataverse, add an application user for this app to the environment",
  "65001": "nobody has consented to the app's permissions; ask an administrator to do so",
};

export function toIdentityFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const { errorCode = "", errorNo = "", errorMessage = "" } = error as Record<string, string>;
  const number = errorNo || (/AADSTS(\d+)/.exec(errorMessage)?.[1] ?? "");
  const refused = /^(invalid_|unauthorized_client|consent_|interaction_|access_denied)/.test(
    errorCode,
  );
  const text =
    ADVICE[number] ?? (refused ? `Entra refused (${errorCode})` : "Entra cannot be reached");
  return new Fault(refused ? "identity.refused" : "identity.unavailable", text, {
    cause: error,
    facts: { errorCode, aadsts: number },
  });
}

/** A token's claims, unchecked: the token is our own, straight from Entra, and is read only for messages. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const payload = token.split(".")[1] ?? "";
  return JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Record<string, unknown>;
}
