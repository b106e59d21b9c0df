/** The only SQL for refresh tokens. Entra replaces a token when it is used, and the old one expires some day. */
import { sha256Hex } from "../lib/hash.ts";
import type { Random } from "../lib/random.ts";
import type { Secret } from "../lib/redact.ts";
import { createSeal } from "../lib/seal.ts";
import type { KeptRefreshToken } from "../microsoft/identity/user-token.ts";
import type { Queryable } from "../store/database.ts";

/**
 * Keeps the newest token that descends from the one in the settings. Sealed with the app's secret, so that the
 * database alone gives nobody access to the mailbox.
 */
export function keepRefreshTokens(
  on: Queryable,
  random: Random,
  of: { readonly connection: string; readonly clientSecret: Secret; readonly refreshToken: Secret },
): KeptRefreshToken {
  const seal = createSeal(of.clientSecret.reveal(), random);
  const originHash = sha256Hex(`refresh-token:${of.refreshToken.reveal()}`);
  return {
    async load() {
      const { rows } = await on.query<{ sealed: Buffer }>(
        "SELECT sealed FROM postroom.refresh_token WHERE connection = $1 AND origin_hash = $2",
        [of.connection, originHash],
      );
      return rows[0] === undefined ? null : seal.open(rows[0].sealed);
    },
    async save(token) {
      await on.query(
        `INSERT INTO postroom.refresh_token (connection, origin_hash, sealed) VALUES ($1, $2, $3)
         ON CONFLICT (connection) DO UPDATE SET origin_hash = EXCLUDED.origin_hash,
           sealed = EXCLUDED.sealed, changed_at = postroom.now()`,
        [of.connection, originHash, seal.close(token)],
      );
    },
  };
}
