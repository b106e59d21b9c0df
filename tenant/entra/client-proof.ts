import type { AppRegistration } from "../context.ts";
import type { TenantRequest } from "../http.ts";
import { checkAssertionOf } from "./client-assertion.ts";
import { refuse } from "./entra-error.ts";
import { checkOrigin } from "./origin-rules.ts";
import type { TokenWorld } from "./tokens/tokens.ts";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

export interface ProvenClient {
  readonly client: AppRegistration;
  /** 0 without a proof, 1 for a secret, 2 for a signed assertion; the number that `azpacr` of a token has. */
  readonly proof: 0 | 1 | 2;
}

/** Who requests a token, from the form or from HTTP Basic, not yet authenticated. */
function readClient(request: TenantRequest, form: URLSearchParams) {
  const basic = /^Basic (\S+)$/i.exec(request.headers["authorization"] ?? "")?.[1];
  if (basic !== undefined) {
    const [id = "", secret = ""] = Buffer.from(basic, "base64").toString().split(/:(.*)/s);
    return { id: decodePart(id), secret: decodePart(secret) };
  }
  return { id: form.get("client_id"), secret: form.get("client_secret") };
}

function decodePart(text: string): string {
  return new URLSearchParams(`v=${text}`).get("v") ?? "";
}

/** Proof 0 means that the client gave none, as a public client may. */
export function proveClient(
  world: TokenWorld,
  request: TenantRequest,
  form: URLSearchParams,
): ProvenClient {
  const { id, secret } = readClient(request, form);
  const client = findClient(world, id);
  checkOrigin(request, client);
  if (secret) {
    checkSecret(world, client, secret);
    return { client, proof: 1 };
  }
  const assertion = form.get("client_assertion");
  if (!assertion) return { client, proof: 0 };
  if (form.get("client_assertion_type") !== ASSERTION_TYPE)
    missingParameter("client_assertion_type");
  checkAssertionOf(world, client, assertion);
  return { client, proof: 2 };
}

export function findClient(world: TokenWorld, id: string | null): AppRegistration {
  if (!id) missingParameter("client_id");
  const client = world.apps.find((app) => app.appId === id);
  if (client?.hasPrincipal === false) {
    return refuse({
      error: "unauthorized_client",
      number: 7000229,
      message: `The client application ${id} is missing service principal in the tenant ${world.tenantId}. See instructions here: https://go.microsoft.com/fwlink/?linkid=2225119`,
    });
  }
  if (client) return client;
  return refuse({
    error: "unauthorized_client",
    number: 700016,
    message: `Application with identifier '${id}' was not found in the directory '${world.tenantId}'.`,
  });
}

export function missingParameter(name: string): never {
  return refuse({
    error: "invalid_request",
    number: 900144,
    message: `The request body must contain the following parameter: '${name}'.`,
  });
}

function checkSecret(world: TokenWorld, client: AppRegistration, secret: string): void {
  if (client.secrets.includes(secret)) return;
  const status = world.switches.invalidClientStatus;
  if (client.secrets.length === 0 && !client.certificates?.length && !client.expiredSecrets) {
    refuse({
      error: "invalid_client",
      number: 700025,
      status,
      message:
        "Client is public so neither 'client_assertion' nor 'client_secret' should be presented.",
    });
  }
  if (client.expiredSecrets?.includes(secret)) {
    refuse({
      error: "invalid_client",
      number: 7000222,
      status,
      message: `The provided client secret keys for app '${client.appId}' are expired.`,
    });
  }
  refuse({
    error: "invalid_client",
    number: 7000215,
    status,
    message: `Invalid client secret provided. Ensure the secret being sent is the client secret value, not the client secret ID, for a secret added to app '${client.appId}'.`,
  });
}

export function noProof(world: TokenWorld): never {
  return refuse({
    error: "invalid_client",
    number: 7000218,
    status: world.switches.invalidClientStatus,
    message:
      "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
  });
}
