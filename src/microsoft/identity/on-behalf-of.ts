/**
 * Tokens with which we act as the user who called us. The cache key is user, resource and presented token,
 * so that nobody gets a token that was exchanged for somebody else. MSAL's own cache is emptied after each
 * exchange, since it would grow with every presented token.
 */
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { key16 } from "../../lib/hash.ts";
import type { TokenSource } from "../transport/transport.ts";
import { type AppIdentity, keepClient, toIdentityFault } from "./app-token.ts";
import { ClaimsChallenge } from "./claims-challenge.ts";

/** A caller whose token for our API has been verified. */
export interface SignedInUser {
  /** Object id. */
  readonly id: string;
  readonly token: string;
}

export interface OnBehalfOf {
  /** This user's tokens for one resource. There is no shared state that could mix users up. */
  tokensFor(user: SignedInUser, resource: string): TokenSource;
}

/** A token is not used in its last minutes: the resource must still accept it on arrival. */
const MARGIN_MS = 5 * 60_000;
const KEPT_MAX = 5_000;

interface Kept {
  readonly token: Promise<string>;
  endsMs: number;
}

export function createOnBehalfOf(identity: AppIdentity, clock: Clock): OnBehalfOf {
  const client = keepClient(identity, ["CP1"]);
  const kept = new Map<string, Kept>();

  const exchange = async (user: SignedInUser, resource: string, entry: { endsMs: number }) => {
    const msal = await client();
    try {
      const answer = await msal.acquireTokenOnBehalfOf({
        oboAssertion: user.token,
        scopes: [`${resource}/.default`],
        skipCache: true,
      });
      if (answer === null) throw new Fault("identity.refused", "Entra gave no token");
      entry.endsMs = (answer.expiresOn?.getTime() ?? 0) - MARGIN_MS;
      return answer.accessToken;
    } catch (error) {
      throw toUserFault(error);
    } finally {
      msal.clearCache();
    }
  };

  const begin = (key: string, user: SignedInUser, resource: string): Promise<string> => {
    // Concurrent callers share the exchange.
    const entry = { endsMs: Number.POSITIVE_INFINITY };
    const token = exchange(user, resource, entry);
    const added: Kept = Object.assign(entry, { token });
    kept.set(key, added);
    token.catch(() => {
      if (kept.get(key) === added) kept.delete(key);
    });
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
    return token;
  };

  return {
    tokensFor(user, resource) {
      const key = key16(identity.tenantId, user.id, resource, user.token);
      return async (options = {}) => {
        const known = kept.get(key);
        const isGood = known !== undefined && !options.forceNew && known.endsMs > clock.now();
        return isGood ? known.token : begin(key, user, resource);
      };
    },
  };
}

/** Only the caller can fix a refused user token, by signing in with the claims that Entra wants. */
function toUserFault(error: unknown): Fault {
  const { claims, errorCode, subError } = error as Record<string, unknown>;
  if (typeof claims === "string" && claims !== "") return new ClaimsChallenge(claims, error);
  if (errorCode !== "invalid_grant" || subError === "consent_required")
    return toIdentityFault(error);
  const text = "Entra does not accept the caller's token; sign in again";
  return new Fault("identity.interaction", text, { cause: error });
}
