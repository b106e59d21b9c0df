import type { TenantRequest } from "../http.ts";
import { missingParameter, noProof, proveClient } from "./client-proof.ts";
import { refuse } from "./entra-error.ts";
import type { Grants } from "./grants.ts";
import { findPerson } from "./sessions.ts";
import { answerWithUserTokens } from "./user-tokens.ts";

/** Name and password without a browser: how a script gets a user's token. */
export function grantPassword(
  grants: Grants,
  request: TenantRequest,
  form: URLSearchParams,
): object {
  const { client, proof } = proveClient(grants.world, request, form);
  if (proof === 0 && client.secrets.length > 0) noProof(grants.world);
  const name = form.get("username") ?? missingParameter("username");
  const password = form.get("password") ?? missingParameter("password");
  const user = findPerson(grants.users, name);
  if (user === null) {
    refuse({
      error: "invalid_grant",
      number: 50034,
      message: `The user account ${name} does not exist in the ${grants.world.tenantId} directory.`,
    });
  }
  if (user.password !== password) {
    refuse({
      error: "invalid_grant",
      number: 50126,
      message: "Error validating credentials due to invalid username or password.",
    });
  }
  const scope = form.get("scope") ?? missingParameter("scope");
  return answerWithUserTokens(grants, {
    kind: "password",
    client,
    proof,
    user,
    scope,
    isStrong: false,
    nonce: null,
    form,
  });
}
