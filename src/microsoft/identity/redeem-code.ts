import { Fault } from "../../lib/fault.ts";
import { type AppIdentity, createClient, toIdentityFault } from "./app-token.ts";
import { newestRefreshToken } from "./user-token.ts";

/** Who signed in, as Entra says, and the token with which the app may act for them. */
export interface CodeGrant {
  readonly personId: string;
  /** Addresses of the person; the first is the one that they sign in with. */
  readonly names: readonly string[];
  readonly refreshToken: string;
}

/** Exchanges the code of a sign-in. Entra checks that the verifier belongs to it. */
export async function redeemCode(
  identity: AppIdentity,
  given: {
    readonly code: string;
    readonly verifier: string;
    readonly scopes: readonly string[];
    readonly redirectUri: string;
  },
): Promise<CodeGrant> {
  const client = await createClient(identity);
  const answer = await client
    .acquireTokenByCode({
      code: given.code,
      codeVerifier: given.verifier,
      scopes: [...given.scopes],
      redirectUri: given.redirectUri,
    })
    .catch((error: unknown) => {
      throw toIdentityFault(error);
    });
  const refreshToken = newestRefreshToken(client);
  const personId = answer.account?.localAccountId ?? "";
  const username = answer.account?.username ?? "";
  if (refreshToken === null || personId === "" || username === "")
    throw new Fault(
      "identity.refused",
      "Entra did not say who signed in, or gave no refresh token",
    );
  return { personId, names: [username], refreshToken };
}
