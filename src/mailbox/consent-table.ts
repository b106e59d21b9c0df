/** The only SQL for consents. The refresh token is stored encrypted and replaced whenever Entra gives a new one. */
import type { Seal } from "../lib/seal.ts";
import type { KeptRefreshToken } from "../microsoft/identity/user-token.ts";
import type { Queryable, Transaction } from "../store/database.ts";
import type { ConsentState, Ending } from "./consent.ts";

export interface Consent {
  readonly connection: string;
  readonly personId: string;
  readonly address: string;
  readonly state: ConsentState;
  readonly stateReason: string | null;
  readonly connectedAt: Date;
  readonly changedAt: Date;
}

const COLUMNS = `connection, person_id AS "personId", address, state, state_reason AS "stateReason",
  connected_at AS "connectedAt", changed_at AS "changedAt"`;

export async function getConsent(on: Queryable, connection: string): Promise<Consent | null> {
  const { rows } = await on.query<Consent>(
    `SELECT ${COLUMNS} FROM postroom.consent WHERE connection = $1`,
    [connection],
  );
  return rows[0] ?? null;
}

export async function putConsent(
  on: Queryable,
  consent: Pick<Consent, "connection" | "personId" | "address">,
  sealed: Buffer,
): Promise<void> {
  await on.query(
    `INSERT INTO postroom.consent (connection, person_id, address, sealed, state)
     VALUES ($1, $2, $3, $4, 'connected')
     ON CONFLICT (connection) DO UPDATE SET address = EXCLUDED.address, sealed = EXCLUDED.sealed,
       state = 'connected', state_reason = NULL, connected_at = postroom.now(), changed_at = postroom.now()`,
    [consent.connection, consent.personId, consent.address, sealed],
  );
}

/** The newest refresh token of a connection. A token that was replaced meanwhile is not written back. */
export function keptTokenOf(on: Queryable, seal: Seal, connection: string): KeptRefreshToken {
  return {
    async load() {
      const { rows } = await on.query<{ sealed: Buffer | null }>(
        "SELECT sealed FROM postroom.consent WHERE connection = $1",
        [connection],
      );
      const sealed = rows[0]?.sealed ?? null;
      return sealed === null ? null : seal.open(sealed);
    },
    async save(token) {
      await on.query(
        `UPDATE postroom.consent SET sealed = $2, changed_at = postroom.now()
          WHERE connection = $1 AND state = 'connected'`,
        [connection, seal.close(token)],
      );
    },
  };
}

/** Returns the consent if it was still alive; the token is useless now and is removed. */
export async function endConsent(
  on: Queryable,
  connection: string,
  { state, reason }: Ending,
): Promise<Consent | null> {
  const { rows } = await on.query<Consent>(
    `UPDATE postroom.consent SET state = $2, state_reason = $3, sealed = NULL, changed_at = postroom.now()
      WHERE connection = $1 AND state = 'connected' RETURNING ${COLUMNS}`,
    [connection, state, reason],
  );
  return rows[0] ?? null;
}

export async function removeConsent(on: Queryable, connection: string): Promise<void> {
  await on.query("DELETE FROM postroom.consent WHERE connection = $1", [connection]);
}

export async function eraseConsents(
  tx: Transaction,
  { address, ids }: { readonly address: string; readonly ids: readonly string[] },
): Promise<void> {
  await tx.query("DELETE FROM postroom.consent WHERE person_id = ANY($2) OR lower(address) = $1", [
    address,
    ids,
  ]);
}
