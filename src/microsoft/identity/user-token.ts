import type { AuthenticationResult, ConfidentialClientApplication } from "@azure/msal-node";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import type { Secret } from "../../lib/redact.ts";
import type { TokenSource } from "../transport/transport.ts";
import { type AppIdentity, createClient, toIdentityFault } from "./app-token.ts";

/** Where the newest refresh token is kept. */
export interface KeptRefreshToken {
  load(): Promise<string | null>;
  save(token: string): Promise<void>;
}

/** A token is not used in its last minutes: Graph must still accept it on arrival. */
const MARGIN_MS = 5 * 60_000;

export interface UserTokenNeeds {
  readonly clock: Clock;
  readonly kept: KeptRefreshToken;
  /** Called when Entra gives no token. */
  onRefused?(fault: Fault): Promise<void>;
}

/**
 * Tokens for the user whose refresh token is kept, or else in the settings. With such a token, Graph gives access to
 * that user's own mail only. Entra answers with a new refresh token, which is kept: the old one expires some day.
 */
export function createUserTokens(
  identity: AppIdentity & { readonly refreshToken?: Secret },
  resource: string,
  { clock, kept, onRefused }: UserTokenNeeds,
): TokenSource {
  let client: Promise<ConfidentialClientApplication> | null = null;
  let held: AuthenticationResult | null = null;
  return async (options = {}) => {
    const endsMs = held?.expiresOn?.getTime() ?? 0;
    if (held !== null && !options.forceNew && endsMs - MARGIN_MS > clock.now())
      return held.accessToken;
    client ??= createClient(identity);
    const app = await client;
    const used = (await kept.load()) ?? identity.refreshToken?.reveal() ?? null;
    if (used === null)
      throw new Fault("identity.interaction", "its owner must connect this mailbox again");
    try {
      held = await app.acquireTokenByRefreshToken({
        scopes: [`${resource}/.default`],
        refreshToken: used,
        forceCache: true,
      });
    } catch (error) {
      const fault = toIdentityFault(error);
      held = null;
      await onRefused?.(fault);
      throw fault;
    }
    if (held === null) throw new Fault("identity.refused", "Entra gave no token");
    const refreshToken = newestRefreshToken(app);
    if (refreshToken !== null && refreshToken !== used) await kept.save(refreshToken);
    return held.accessToken;
  };
}

/** MSAL keeps the refresh token in its cache and gives it to nobody, except in the serialized form. */
export function newestRefreshToken(app: ConfidentialClientApplication): string | null {
  const cache = JSON.parse(app.getTokenCache().serialize()) as {
    readonly RefreshToken?: Readonly<Record<string, { readonly secret?: string }>>;
  };
  return Object.values(cache.RefreshToken ?? {}).at(-1)?.secret ?? null;
}
