import type { TenantRequest } from "../http.ts";
import { missingParameter, noProof, proveClient } from "./client-proof.ts";
import { refuse } from "./entra-error.ts";
import type { Grants } from "./grants.ts";
import { answerWithUserTokens } from "./user-tokens.ts";

/** A refresh token works for any resource its client has consent for, not only the first one. */
export function grantRefresh(
  grants: Grants,
  request: TenantRequest,
  form: URLSearchParams,
): object {
  const { client, proof } = proveClient(grants.world, request, form);
  if (proof === 0 && client.secrets.length > 0) noProof(grants.world);
  const token = form.get("refresh_token") ?? missingParameter("refresh_token");
  const kept = grants.memory.refreshTokens.get(token);
  const user = grants.users.find((each) => each.id === kept?.userId);
  if (kept === undefined || user === undefined || kept.clientId !== client.appId) {
    refuse({
      error: "invalid_grant",
      number: 9002313,
      message:
        "Invalid request. Request is malformed or invalid: the refresh token is not one of this client.",
    });
  }
  if (kept.isRevoked) {
    refuse({
      error: "invalid_grant",
      number: 50173,
      suberror: "bad_token",
      message:
        "The provided grant has expired due to it being revoked, a fresh auth token is needed. The user might have changed or reset their password.",
    });
  }
  if (kept.expiresAtMs <= grants.world.clock.now()) {
    refuse({
      error: "invalid_grant",
      number: 700082,
      suberror: "bad_token",
      message: "The refresh token has expired due to inactivity.",
    });
  }
  if (grants.memory.withdrawn.has(`${client.appId} ${user.id}`)) {
    refuse({
      error: "invalid_grant",
      number: 65001,
      suberror: "consent_required",
      message: `The user or administrator has not consented to use the application with ID '${client.appId}' named '${client.displayName}'. Send an interactive authorization request for this user and resource.`,
    });
  }
  const scope = form.get("scope") ?? kept.scope;
  return answerWithUserTokens(grants, {
    kind: "refresh_token",
    client,
    proof,
    user,
    scope,
    isStrong: kept.isStrong,
    nonce: null,
    form,
  });
}
