import type { AppRegistration, User } from "../context.ts";
import type { TenantRequest } from "../http.ts";
import { missingParameter, noProof, proveClient } from "./client-proof.ts";
import { refuse } from "./entra-error.ts";
import type { Grants } from "./grants.ts";
import { type Claims, decodeJwt } from "./tokens/jwt.ts";
import { findResource } from "./tokens/resources.ts";
import { isWithinTime, verifyToken } from "./tokens/tokens.ts";
import { answerWithUserTokens } from "./user-tokens.ts";

/** An API exchanges its caller's token for one for another API, which it then calls as that user. */
export function grantOnBehalfOf(
  grants: Grants,
  request: TenantRequest,
  form: URLSearchParams,
): object {
  const { client, proof } = proveClient(grants.world, request, form);
  if (proof === 0) noProof(grants.world);
  if (form.get("requested_token_use") !== "on_behalf_of") missingParameter("requested_token_use");
  const assertion = form.get("assertion") ?? missingParameter("assertion");
  const scope = form.get("scope") ?? missingParameter("scope");
  const claims = checkAssertion(grants, client, assertion);
  return answerWithUserTokens(grants, {
    kind: "on_behalf_of",
    client,
    proof,
    user: findAsserted(grants, client, claims),
    scope,
    isStrong: Array.isArray(claims["acrs"]),
    nonce: null,
    form,
  });
}

function checkAssertion(grants: Grants, client: AppRegistration, assertion: string): Claims {
  const { world } = grants;
  if (decodeJwt(assertion) === null) {
    refuse({
      error: "invalid_request",
      number: 50027,
      message: "JWT token is invalid or malformed.",
    });
  }
  const claims = verifyToken(world, assertion);
  if (claims === null) {
    refuse({
      error: "invalid_grant",
      number: 50013,
      message: "Assertion failed signature validation. [Reason - The key was not found.]",
    });
  }
  if (findResource(world, String(claims["aud"]))?.id !== client.appId) {
    refuse({
      error: "invalid_grant",
      number: 500131,
      message: `Assertion audience does not match the Client app presenting the assertion. The audience in the assertion was '${String(claims["aud"])}' and the expected audience is '${client.appId}' or one of the Application Uris of this application.`,
    });
  }
  if (!isWithinTime(world, claims)) {
    refuse({
      error: "invalid_grant",
      number: 500133,
      message:
        "Assertion is not within its valid time range. Ensure that the access token is not expired before using it for user assertion, or request a new token.",
    });
  }
  return claims;
}

function findAsserted(grants: Grants, client: AppRegistration, claims: Claims): User {
  if (claims["idtyp"] === "app") {
    refuse({
      error: "unauthorized_client",
      number: 7000114,
      message: `Application '${client.appId}' is not allowed to make application on-behalf-of calls.`,
    });
  }
  const user = grants.users.find((each) => each.id === claims["oid"]);
  if (user) return user;
  return refuse({
    error: "invalid_grant",
    number: 50013,
    message: "Assertion failed validation. [Reason - The assertion names an unknown user.]",
  });
}
