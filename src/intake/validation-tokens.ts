import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import * as z from "zod";

/** Microsoft's change tracking, the only caller that may send notifications with resource data. */
const CHANGE_TRACKING_APP = "0bf30f3b-4a52-48df-9a82-234910c4a086";
const LEEWAY_SECONDS = 60;

/** An app of ours in its tenant. */
export interface TokenAudience {
  readonly tenantId: string;
  readonly clientId: string;
  readonly authorityOrigin: string;
}

/** The tenants that the tokens of a delivery vouch for; empty if any token is invalid. */
export type TokenCheck = (tokens: unknown) => Promise<ReadonlySet<string>>;

const Tokens = z.array(z.string()).max(50);

export function createTokenCheck(audiences: readonly TokenAudience[]): TokenCheck {
  const keys = new Map<string, JWTVerifyGetKey>();
  for (const origin of new Set(audiences.map(({ authorityOrigin }) => authorityOrigin))) {
    const url = new URL(`${origin}/common/discovery/v2.0/keys`);
    keys.set(origin, createRemoteJWKSet(url, { cooldownDuration: 300_000 }));
  }
  return async (given) => {
    const tokens = Tokens.safeParse(given);
    if (!tokens.success) return new Set();
    const tenants = new Set<string>();
    for (const token of tokens.data) {
      const tenant = await tenantOf(token, audiences, keys);
      if (tenant === null) return new Set();
      tenants.add(tenant);
    }
    return tenants;
  };
}

async function tenantOf(
  token: string,
  audiences: readonly TokenAudience[],
  keys: ReadonlyMap<string, JWTVerifyGetKey>,
): Promise<string | null> {
  for (const audience of audiences) {
    try {
      const { payload } = await jwtVerify(token, keys.get(audience.authorityOrigin)!, {
        algorithms: ["RS256"],
        audience: audience.clientId,
        clockTolerance: LEEWAY_SECONDS,
      });
      if (isFromGraph(payload, audience.tenantId)) return audience.tenantId;
    } catch {
      // Not for this app, expired or forged; it may be for another of our apps.
    }
  }
  return null;
}

/** The issuer and the caller's claim differ between token versions. */
function isFromGraph(payload: JWTPayload, tenantId: string): boolean {
  const { ver, tid, iss, azp, appid } = payload as Record<string, unknown>;
  if (tid !== tenantId) return false;
  if (ver === "2.0")
    return (
      azp === CHANGE_TRACKING_APP && iss === `https://login.microsoftonline.com/${tenantId}/v2.0`
    );
  return (
    ver === "1.0" && appid === CHANGE_TRACKING_APP && iss === `https://sts.windows.net/${tenantId}/`
  );
}
