/** OpenID Connect's user info, which Graph's host serves. */
import type { TenantContext } from "../context.ts";
import type { createRouter, TenantRequest, TenantResponse } from "../http.ts";
import { GRAPH_AUDIENCE } from "./tokens/resources.ts";

export function addUserInfoRoutes(
  router: ReturnType<typeof createRouter>,
  context: TenantContext,
): void {
  const answer = (request: TenantRequest) => showUser(context, request);
  for (const method of ["GET", "POST"]) router.on(method, "/oidc/userinfo", answer);
}

/** An app has no user info: the token must be a person's. */
async function showUser(context: TenantContext, request: TenantRequest): Promise<TenantResponse> {
  const caller = await context.authenticate(request.headers["authorization"], GRAPH_AUDIENCE);
  const user = context.users.find(({ id }) => id === caller?.objectId);
  if (user === undefined) {
    return {
      status: 401,
      headers: { "www-authenticate": 'Bearer error="invalid_token"' },
      body: {
        error: {
          code: "InvalidAuthenticationToken",
          message: "Access token is empty, not valid, or not that of a user.",
        },
      },
    };
  }
  const [given_name, family_name] = user.displayName.split(/\s+(?=\S+$)/);
  return {
    status: 200,
    body: { sub: user.id, name: user.displayName, given_name, family_name, email: user.mail },
  };
}
