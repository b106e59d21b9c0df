import { createHash } from "node:crypto";
import type { TenantRequest } from "../http.ts";
import { missingParameter, noProof, proveClient } from "./client-proof.ts";
import { refuse } from "./entra-error.ts";
import type { Grants } from "./grants.ts";
import { checkPageCode } from "./origin-rules.ts";
import type { CodeGrant } from "./sessions.ts";
import { answerWithUserTokens } from "./user-tokens.ts";

/** Redeems the code from the sign-in page, once, for the client that has its verifier. */
export function grantCode(grants: Grants, request: TenantRequest, form: URLSearchParams): object {
  const { client, proof } = proveClient(grants.world, request, form);
  const code = form.get("code") ?? missingParameter("code");
  const kept = grants.memory.codes.get(code);
  if (kept === undefined || kept.clientId !== client.appId) {
    refuse({
      error: "invalid_grant",
      number: 9002313,
      message: "Invalid request. The code is not one of this client.",
    });
  }
  if (proof === 0 && (client.secrets.length > 0 || kept.challenge === null)) noProof(grants.world);
  checkPageCode(request, client);
  checkCode(grants, kept, form);
  kept.isUsed = true;
  grants.memory.withdrawn.delete(`${client.appId} ${kept.userId}`);
  const user = grants.users.find((each) => each.id === kept.userId)!;
  return answerWithUserTokens(grants, {
    kind: "authorization_code",
    client,
    proof,
    user,
    scope: form.get("scope") ?? kept.scope,
    isStrong: kept.isStrong,
    nonce: kept.nonce,
    form,
  });
}

function checkCode(grants: Grants, kept: CodeGrant, form: URLSearchParams): void {
  const no = (number: number, message: string): never =>
    refuse({ error: "invalid_grant", number, message });
  if (kept.isUsed)
    no(
      54005,
      "OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing refresh token.",
    );
  if (kept.expiresAtMs <= grants.world.clock.now())
    no(
      70008,
      "The provided authorization code or refresh token has expired due to inactivity. Send a new interactive authorization request for this user and resource.",
    );
  if (form.get("redirect_uri") !== kept.redirectUri)
    no(
      500112,
      "The redirect URI of the request does not match the one of the authorization request.",
    );
  if (kept.challenge === null) return;
  const verifier = form.get("code_verifier") ?? "";
  if (verifier === "") {
    no(
      50148,
      "The code_verifier does not match the code_challenge supplied in the authorization request for PKCE.",
    );
  }
  const shown =
    kept.challenge.method === "S256"
      ? createHash("sha256").update(verifier).digest("base64url")
      : verifier;
  if (shown !== kept.challenge.value)
    no(
      501481,
      "The Code_Verifier does not match the code_challenge supplied in the authorization request.",
    );
}
