import type { TenantRequest } from "../http.ts";
import { missingParameter, noProof, proveClient } from "./client-proof.ts";
import { readCapabilities } from "./conditional-access.ts";
import { refuse } from "./entra-error.ts";
import { type Grants, loadResource, readScopes, tokenResponse } from "./grants.ts";
import type { Resource } from "./tokens/resources.ts";
import { mintAccessToken } from "./tokens/tokens.ts";

/**
 * Issues a token for the app itself. The response has no `scope`: MSAL finds its cached token by the scope it
 * requested, and any other list would make it request a new one every time.
 */
export function grantClientCredentials(
  grants: Grants,
  request: TenantRequest,
  form: URLSearchParams,
): object {
  const { client, proof } = proveClient(grants.world, request, form);
  if (proof === 0) noProof(grants.world);
  const resource = readResource(grants, form);
  const minted = mintAccessToken(grants.world, {
    client,
    resource,
    user: null,
    scopes: [],
    clientProof: proof,
    capabilities: readCapabilities(form.get("claims")),
  });
  return tokenResponse(minted);
}

function readResource(grants: Grants, form: URLSearchParams): Resource {
  const named = form.get("resource"); // the version-1 endpoint names the resource itself
  if (named) return loadResource(grants.world, named);
  const scope = form.get("scope") ?? missingParameter("scope");
  const { resource, permissions, signIn } = readScopes(grants.world, scope);
  const isDefault = permissions.length === 1 && permissions[0] === ".default";
  // An app signs in no person and gets no refresh token, so scopes such as offline_access are wrong here.
  if (isDefault && signIn.size === 0) return resource;
  return refuse({
    error: "invalid_scope",
    number: 1002012,
    message: `The provided value for scope ${scope} is not valid. Client credential flows must have a scope value with /.default suffixed to the resource identifier (application ID URI).`,
  });
}
