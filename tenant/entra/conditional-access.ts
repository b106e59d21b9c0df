import type { User } from "../context.ts";
import { refuse } from "./entra-error.ts";
import type { Grants } from "./grants.ts";

const MESSAGES: Readonly<Record<number, string>> = {
  50076:
    "Due to a configuration change made by your administrator, or because you moved to a new location, you must use multi-factor authentication to access the resource.",
  50079:
    "Due to a configuration change made by your administrator, or because you moved to a new location, you must enroll in multi-factor authentication to access the resource.",
  53003:
    "Access has been blocked by Conditional Access policies. The access policy does not allow token issuance.",
  700020: "The client must ask the user to interact to satisfy the requirements of the resource.",
};

/**
 * A conditional-access policy is an armed fault of kind `interaction-required`; its facts are `user`
 * (principal name), `resource` (`graph`, `dataverse` or an app id) and `grant`. A user who signed in
 * with the claims of the challenge has satisfied it.
 */
export function requireAccess(
  grants: Grants,
  facts: { user: User; resource: string; grant: string; isStrong: boolean },
): void {
  if (facts.isStrong) return;
  const fault = grants.faults.strike("interaction-required", {
    user: facts.user.userPrincipalName,
    resource: facts.resource,
    grant: facts.grant,
  });
  if (fault === null) return;
  const number = Number(fault.options["number"] ?? 50079);
  refuse({
    error: "interaction_required",
    number,
    message: MESSAGES[number] ?? "The user must sign in again.",
    suberror: number === 53003 ? "message_only" : "basic_action",
    claims: String(fault.options["claims"] ?? challengeClaims(facts.resource)),
  });
}

function challengeClaims(resource: string): string {
  return JSON.stringify({
    access_token: { capolids: { essential: true, values: [`policy-${resource}`] } },
  });
}

/** Whether a sign-in with these claims satisfies a challenge, that is, requests the second factor. */
export function asksForStrongSignIn(claims: string | null): boolean {
  const wanted = readAccessTokenClaims(claims);
  return "capolids" in wanted || "acrs" in wanted || "nbf" in wanted;
}

/** The capabilities (`cp1`) that a client declares inside the `claims` parameter. */
export function readCapabilities(claims: string | null): string[] {
  const values = (readAccessTokenClaims(claims)["xms_cc"] as { values?: unknown } | undefined)
    ?.values;
  return Array.isArray(values) ? values.map((value) => String(value).toLowerCase()) : [];
}

function readAccessTokenClaims(claims: string | null): Record<string, unknown> {
  if (!claims) return {};
  try {
    const parsed = JSON.parse(claims) as { access_token?: unknown };
    return typeof parsed.access_token === "object" && parsed.access_token !== null
      ? (parsed.access_token as Record<string, unknown>)
      : {};
  } catch {
    return refuse({
      error: "invalid_request",
      number: 900235,
      message: "The 'claims' parameter is not valid JSON.",
    });
  }
}

/** The header with which an API sends a client back to sign in with more claims. */
export function claimsChallengeHeader(origin: string, claims: string): string {
  const encoded = Buffer.from(claims).toString("base64");
  return `Bearer realm="", authorization_uri="${origin}/common/oauth2/authorize", client_id="00000003-0000-0000-c000-000000000000", error="insufficient_claims", claims="${encoded}"`;
}
