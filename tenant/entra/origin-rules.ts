/**
 * Who may redeem from a browser: only single-page applications send `Origin`, and their codes cannot be
 * redeemed without it (docs: "Redirect URI best practices", SPA redirect type).
 */
import type { AppRegistration } from "../context.ts";
import type { TenantRequest } from "../http.ts";
import { refuse } from "./entra-error.ts";

function isPage(client: AppRegistration): boolean {
  const hasProof = client.secrets.length > 0 || (client.certificates ?? []).length > 0;
  return !hasProof && client.isPublicClient !== true;
}

/** A confidential client's credentials do not belong in a browser. */
export function checkOrigin(request: TenantRequest, client: AppRegistration): void {
  const origin = request.headers["origin"];
  if (origin === undefined || isPage(client)) return;
  refuse({
    error: "invalid_request",
    number: 9002326,
    message: `Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type. Request origin: '${origin}'.`,
  });
}

export function checkPageCode(request: TenantRequest, client: AppRegistration): void {
  if (request.headers["origin"] !== undefined || !isPage(client)) return;
  refuse({
    error: "invalid_request",
    number: 9002327,
    message:
      "Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests.",
  });
}
