import type { AccountInfo, ConfidentialClientApplication } from "@azure/msal-node";
import { Fault } from "../../lib/fault.ts";
import type { Secret } from "../../lib/redact.ts";
import { type AppIdentity, createClient, type TokenSource, toIdentityFault } from "./app-token.ts";

/**
 * Tokens for the person whose refresh token the settings hold. MSAL exchanges it once and keeps the ones
 * that follow; Graph lets such a token read that person's own mail and no other.
 */
export function createUserTokens(
  identity: AppIdentity & { readonly refreshToken: Secret },
  resource: string,
): TokenSource {
  const scopes = [`${resource}/.default`];
  let client: Promise<ConfidentialClientApplication> | null = null;
  let account: AccountInfo | null = null;
  return async (options = {}) => {
    client ??= createClient(identity);
    try {
      const msal = await client;
      const result =
        account === null
          ? await msal.acquireTokenByRefreshToken({
              scopes,
              refreshToken: identity.refreshToken.reveal(),
            })
          : await msal.acquireTokenSilent({
              scopes,
              account,
              forceRefresh: options.forceNew ?? false,
            });
      if (result === null) throw new Fault("identity.refused", "Entra gave no token");
      account = result.account;
      return result.accessToken;
    } catch (error) {
      throw toIdentityFault(error);
    }
  };
}
