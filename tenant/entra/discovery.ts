import type { TenantContext } from "../context.ts";
import type { createRouter, TenantRequest } from "../http.ts";
import { EntraRefusal, entraErrorBody, entraErrorResponse, refuse } from "./entra-error.ts";
import { checkTenant } from "./tenant-name.ts";
import { issuerOf, type TokenWorld } from "./tokens/tokens.ts";

const MULTI_TENANT = new Set(["common", "organizations"]);
/** The tenant of all personal accounts, which has the name `consumers`. */
const CONSUMERS_ID = "9188040d-6c67-4c5b-b112-36a304b66dad";
const MICROSOFT_HOSTS = [
  "login.microsoftonline.com",
  "login.windows.net",
  "login.microsoft.com",
  "sts.windows.net",
];

/** OpenID documents, keys and instance discovery: what a client reads before it requests a token. */
export function addDiscoveryRoutes(
  router: ReturnType<typeof createRouter>,
  context: TenantContext,
  world: TokenWorld,
): void {
  const orRefusal = (error: string, read: (request: TenantRequest) => object) => {
    return (request: TenantRequest) => {
      try {
        return found(read(request));
      } catch (refusal) {
        if (!(refusal instanceof EntraRefusal)) throw refusal;
        const problem = { ...refusal.problem, error };
        const body = entraErrorBody(context, world.random.uuid(), request, problem);
        return entraErrorResponse(body, problem);
      }
    };
  };
  const forTenant = (show: (tenant: string) => object) =>
    orRefusal("invalid_tenant", ({ params }) => {
      const tenant = params["tenant"]!;
      if (tenant !== "consumers") checkTenant(context, tenant);
      return show(tenant);
    });
  const found = (body: object) => ({
    status: 200,
    headers: { "cache-control": "max-age=86400, private", "access-control-allow-origin": "*" },
    body,
  });
  router.on(
    "GET",
    "/common/discovery/instance",
    orRefusal("invalid_instance", (request) => {
      const endpoint = request.query.get("authorization_endpoint");
      if (endpoint !== null) checkInstance(world, endpoint);
      return instanceDocument(world);
    }),
  );
  router.on(
    "GET",
    "/{tenant}/v2.0/.well-known/openid-configuration",
    forTenant((tenant) => openIdDocument(world, tenant, 2)),
  );
  router.on(
    "GET",
    "/{tenant}/.well-known/openid-configuration",
    forTenant((tenant) => openIdDocument(world, tenant, 1)),
  );
  for (const path of ["/{tenant}/discovery/v2.0/keys", "/{tenant}/discovery/keys"]) {
    router.on(
      "GET",
      path,
      forTenant((tenant) => keysDocument(world, tenant)),
    );
  }
}

function openIdDocument(world: TokenWorld, tenant: string, version: 1 | 2): object {
  const base = `${world.origin()}/${tenant}`;
  const one = tenant === "consumers" ? CONSUMERS_ID : world.tenantId;
  const named = MULTI_TENANT.has(tenant) ? "{tenantid}" : one;
  const path = version === 2 ? "v2.0/" : "";
  return {
    token_endpoint: `${base}/oauth2/${path}token`,
    token_endpoint_auth_methods_supported: [
      "client_secret_post",
      "private_key_jwt",
      "client_secret_basic",
    ],
    jwks_uri: `${base}/discovery/${path}keys`,
    response_modes_supported: ["query", "fragment", "form_post"],
    subject_types_supported: ["pairwise"],
    id_token_signing_alg_values_supported: ["RS256"],
    response_types_supported: ["code"],
    scopes_supported: ["openid", "profile", "email", "offline_access"],
    issuer: issuerOf(named, version),
    request_uri_parameter_supported: false,
    userinfo_endpoint: `${world.origin()}/oidc/userinfo`,
    authorization_endpoint: `${base}/oauth2/${path}authorize`,
    device_authorization_endpoint: `${base}/oauth2/${path}devicecode`,
    http_logout_supported: true,
    frontchannel_logout_supported: true,
    end_session_endpoint: `${base}/oauth2/${path}logout`,
    claims_supported: [
      "sub",
      "iss",
      "aud",
      "exp",
      "iat",
      "nonce",
      "preferred_username",
      "name",
      "tid",
      "ver",
    ],
    kerberos_endpoint: `${base}/kerberos`,
    tenant_region_scope: "EU",
    cloud_instance_name: "microsoftonline.com",
    cloud_graph_host_name: "graph.windows.net",
    msgraph_host: "graph.microsoft.com",
    rbac_url: "https://pas.windows.net",
  };
}

/** In the multi-tenant document, keys also name the issuer that they belong to. */
function keysDocument(world: TokenWorld, tenant: string): object {
  const issuer = MULTI_TENANT.has(tenant) ? { issuer: issuerOf("{tenantid}", 2) } : {};
  return { keys: world.keys.published().map((key) => ({ ...key.jwk, ...issuer })) };
}

/** A client asks here whether an authority belongs to Microsoft before it sends a secret to it. */
function checkInstance(world: TokenWorld, endpoint: string): void {
  const host = URL.canParse(endpoint) ? new URL(endpoint).host : "";
  if (host === new URL(world.origin()).host || MICROSOFT_HOSTS.includes(host)) return;
  refuse({ error: "invalid_instance", number: 50049, message: "Unknown or invalid instance." });
}

function instanceDocument(world: TokenWorld): object {
  const host = new URL(world.origin()).host;
  return {
    tenant_discovery_endpoint: `${world.origin()}/${world.tenantId}/v2.0/.well-known/openid-configuration`,
    "api-version": "1.1",
    metadata: [
      { preferred_network: host, preferred_cache: host, aliases: [host] },
      {
        preferred_network: "login.microsoftonline.com",
        preferred_cache: "login.windows.net",
        aliases: MICROSOFT_HOSTS,
      },
    ],
  };
}
