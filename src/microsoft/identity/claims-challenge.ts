import { Fault } from "../../lib/fault.ts";
import { ApiError } from "../transport/api-error.ts";

/** The user must sign in again and satisfy these claims; only the caller can do that. */
export class ClaimsChallenge extends Fault {
  /** JSON, as Entra wrote it. */
  readonly claims: string;

  constructor(claims: string, cause?: unknown) {
    super("identity.interaction", "the user must sign in again to satisfy a policy", { cause });
    this.name = "ClaimsChallenge";
    this.claims = claims;
  }
}

/** What the caller has to satisfy: Entra asks during the on-behalf-of request; Graph and Dataverse may ask later. */
export function claimsWantedBy(error: unknown): string | null {
  if (error instanceof ClaimsChallenge) return error.claims;
  if (!(error instanceof ApiError) || error.status !== 401) return null;
  const encoded = /claims="([A-Za-z0-9+/=_-]+)"/.exec(
    error.answerHeaders["www-authenticate"] ?? "",
  )?.[1];
  return encoded === undefined ? null : Buffer.from(encoded, "base64").toString("utf8");
}

/** The header that sends a client back to sign in with the claims. */
export function toChallengeHeader(claims: string, authorityOrigin: string): string {
  const encoded = Buffer.from(claims).toString("base64");
  return `Bearer realm="", authorization_uri="${authorityOrigin}/common/oauth2/v2.0/authorize", error="insufficient_claims", claims="${encoded}"`;
}
