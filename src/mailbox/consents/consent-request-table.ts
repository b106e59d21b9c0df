/** The only SQL for sign-ins that have begun. Each can be used once, until it ends. */
import type { Queryable, Transaction } from "../../store/database.ts";

export interface ConsentRequest {
  readonly stateHash: string;
  /** The connection whose app asks. */
  readonly connection: string;
  /** The object id or the address of the person who must sign in. */
  readonly wanted: string;
  readonly sealedVerifier: Buffer;
  readonly askedBy: string;
}

export async function addConsentRequest(
  on: Queryable,
  request: ConsentRequest,
  seconds: number,
): Promise<void> {
  await on.query("DELETE FROM postroom.consent_request WHERE until < postroom.now()");
  await on.query(
    `INSERT INTO postroom.consent_request (state_hash, connection, wanted, sealed_verifier, asked_by, until)
     VALUES ($1, $2, $3, $4, $5, postroom.now() + $6 * interval '1 second')`,
    [
      request.stateHash,
      request.connection,
      request.wanted,
      request.sealedVerifier,
      request.askedBy,
      seconds,
    ],
  );
}

/** Null if there is none, or it was used, or it is too old. */
export async function takeConsentRequest(
  on: Queryable,
  stateHash: string,
): Promise<ConsentRequest | null> {
  const { rows } = await on.query<ConsentRequest & { isLate: boolean }>(
    `DELETE FROM postroom.consent_request WHERE state_hash = $1
     RETURNING state_hash AS "stateHash", connection, wanted, sealed_verifier AS "sealedVerifier",
       asked_by AS "askedBy", until < postroom.now() AS "isLate"`,
    [stateHash],
  );
  return rows[0] === undefined || rows[0].isLate ? null : rows[0];
}

export async function eraseConsentRequests(
  tx: Transaction,
  { address, ids }: { readonly address: string; readonly ids: readonly string[] },
): Promise<void> {
  await tx.query(
    "DELETE FROM postroom.consent_request WHERE lower(wanted) = $1 OR wanted = ANY($2)",
    [address, ids],
  );
}
