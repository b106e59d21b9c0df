import type { AuthenticationResult, ConfidentialClientApplication } from "@azure/msal-node";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import type { Secret } from "../../lib/redact.ts";
import type { TokenSource } from "../transport/transport.ts";
import { type AppIdentity, createClient, toIdentityFault } from "./app-token.ts";

/** A token is not used in its last minutes: Graph must still accept it on arrival. */
const MARGIN_MS = 5 * 60_000;

/**
 * Tokens for the user whose refresh token is in the settings. With such a token, Graph gives access to
 * that user's own mail only.
 */
export function createUserTokens(
  identity: AppIdentity & { readonly refreshToken: Secret },
  resource: string,
  clock: Clock,
): TokenSource {
  let client: Promise<ConfidentialClientApplication> | null = null;
  let held: AuthenticationResult | null = null;
  return async (options = {}) => {
    const endsMs = held?.expiresOn?.getTime() ?? 0;
    if (held !== null && !options.forceNew && endsMs - MARGIN_MS > clock.now())
      return held.accessToken;
    client ??= createClient(identity);
    try {
      held = await (await client).acquireTokenByRefreshToken({
        scopes: [`${resource}/.default`],
        refreshToken: identity.refreshToken.reveal(),
      });
      if (held === null) throw new Fault("identity.refused", "Entra gave no token");
      return held.accessToken;
    } catch (error) {
      throw toIdentityFault(error);
    }
  };
}
