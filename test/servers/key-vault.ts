/**
 * Stands in for Azure Key Vault and keeps its REST contract: a challenge for whoever has no token, a version of the
 * API in every call, tokens of the tenant for the vault's own audience, rights by app, versions, and its errors.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Tenant } from "../../tenant/index.ts";
import { createLocalTls } from "../../tenant/tls.ts";

const AUDIENCE = "https://vault.azure.net";
const API_VERSION = /^(?:7\.\d|2025-07-01)$/;

interface StoredSecret {
  /** The newest is last. */
  readonly versions: readonly { readonly id: string; readonly value: string }[];
  readonly isDisabled?: boolean;
}

export interface VaultServer {
  readonly url: string;
  readonly secrets: Map<string, StoredSecret>;
  /** Apps that may read secrets. */
  readonly readers: Set<string>;
  /** What it answered, in order, such as `401 /secrets/name/`. */
  readonly answers: string[];
  close(): Promise<void>;
}

export async function startKeyVault(tenant: Tenant): Promise<VaultServer> {
  tenant.apps.push({
    ...{ appId: "cfa8b339-82a2-471a-a3c9-0fc0be7a4093", displayName: "Azure Key Vault" },
    ...{ servicePrincipalId: "1c1cf5a2-7e62-4a21-9a7d-6a5a5bd5e5a3", secrets: [], appRoles: [] },
    ...{ delegatedScopes: [], redirectUris: [], accessTokenVersion: 1 },
    identifierUris: [AUDIENCE],
  });
  const secrets = new Map<string, StoredSecret>();
  const readers = new Set<string>();
  const answers: string[] = [];
  const { key, cert } = await createLocalTls();
  const server = createServer({ key, cert }, (request, response) => {
    void judge(request, { tenant, secrets, readers, origin: originOf() }).then((answer) => {
      answers.push(`${answer.status} ${request.url?.split("?")[0]}`);
      send(response, answer);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const originOf = () => `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url: originOf(), secrets, readers, answers },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly challenge?: string;
}

const refusal = (status: number, code: string, message: string, challenge?: string): Answer => ({
  status,
  body: { error: { code, message } },
  ...(challenge === undefined ? {} : { challenge }),
});

async function judge(
  request: IncomingMessage,
  world: Pick<VaultServer, "secrets" | "readers"> & { tenant: Tenant; origin: string },
): Promise<Answer> {
  const { tenant, secrets, readers, origin } = world;
  const url = new URL(request.url ?? "/", origin);
  if (!API_VERSION.test(url.searchParams.get("api-version") ?? ""))
    return refusal(400, "BadParameter", "The specified api-version is missing or unknown.");
  const caller = await tenant.context.authenticate(request.headers.authorization, AUDIENCE);
  if (caller === null)
    return refusal(
      401,
      "Unauthorized",
      "AKV10000: Request is missing a Bearer or PoP token.",
      `Bearer authorization="${tenant.addresses.entra}/${tenant.tenantId}", resource="${AUDIENCE}"`,
    );
  const [, name = "", version = ""] = /^\/secrets\/([^/]+)(?:\/([^/]*))?$/.exec(url.pathname) ?? [];
  if (!readers.has(caller.appId))
    return refusal(403, "Forbidden", "Caller is not authorized to perform action on resource.");
  const secret = secrets.get(name);
  const found =
    version === "" ? secret?.versions.at(-1) : secret?.versions.find(({ id }) => id === version);
  if (secret === undefined || found === undefined)
    return refusal(
      404,
      "SecretNotFound",
      `A secret with (name/id) ${name}/${version} was not found in this key vault.`,
    );
  if (secret.isDisabled)
    return refusal(403, "Forbidden", "Operation get is not allowed on a disabled secret.");
  const body = {
    ...{ value: found.value, id: `${origin}/secrets/${name}/${found.id}` },
    attributes: { enabled: true, created: 1, updated: 1, recoveryLevel: "Recoverable" },
  };
  return { status: 200, body };
}

function send(response: ServerResponse, { status, body, challenge }: Answer): void {
  response
    .writeHead(status, {
      "content-type": "application/json; charset=utf-8",
      ...(challenge === undefined ? {} : { "www-authenticate": challenge }),
    })
    .end(JSON.stringify(body));
}
