import type { TenantContext } from "../context.ts";
import type { createRouter, TenantRequest } from "../http.ts";
import { EntraRefusal, entraErrorBody, entraErrorResponse } from "./entra-error.ts";
import { checkTenant } from "./tenant-name.ts";
import { issuerOf, type TokenWorld } from "./tokens/tokens.ts";

const MULTI_TENANT = new Set(["common", "organizations", "consumers"]);

/** OpenID documents, keys and instance discovery: what a client reads before it requests a token. */
export function addDiscoveryRoutes(
  router: ReturnType<typeof createRouter>,
  context: TenantContext,
  world: TokenWorld,
): void {
  const forTenant = (show: (tenant: string) => object) => (request: TenantRequest) => {
    const tenant = request.params["tenant"]!;
    try {
      if (tenant !== "consumers") checkTenant(context, tenant);
      return found(show(tenant));
    } catch (error) {
      if (!(error instanceof EntraRefusal)) throw error;
      const problem = { ...error.problem, error: "invalid_tenant" };
      const body = entraErrorBody(context, world.random.uuid(), request, problem);
      return entraErrorResponse(body, problem);
    }
  };
  const found = (body: object) => ({
    status: 200,
    headers: { "cache-control": "max-age=86400, private", "access-control-allow-origin": "*" },
    body,
  });
  router.on("GET", "/common/discovery/instance", () => found(instanceDocument(world)));
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
  const named = MULTI_TENANT.has(tenant) ? "{tenantid}" : world.tenantId;
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
    tenant_region_scope: "EU",
    cloud_instance_name: "microsoftonline.com",
    msgraph_host: "graph.microsoft.com",
  };
}

/** In the multi-tenant document, keys also name the issuer that they belong to. */
function keysDocument(world: TokenWorld, tenant: string): object {
  const issuer = MULTI_TENANT.has(tenant) ? { issuer: issuerOf("{tenantid}", 2) } : {};
  return { keys: world.keys.published().map((key) => ({ ...key.jwk, ...issuer })) };
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
        aliases: [
          "login.microsoftonline.com",
          "login.windows.net",
          "login.microsoft.com",
          "sts.windows.net",
        ],
      },
    ],
  };
}
