import type { Transaction } from "../store/database.ts";

export interface Effect {
  readonly emailKey: string;
  readonly sha256: string;
  /** Identifies the effect among those of one file of one message. */
  readonly fingerprint: string;
  readonly worker: string;
}

/**
 * Writes the unique key of an effect. Returns false if the effect was recorded before; do not repeat it then.
 */
export async function recordEffect(tx: Transaction, effect: Effect): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO postroom.ingest_effect (email_key, attachment_sha256, fingerprint, worker)
     VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [effect.emailKey, effect.sha256, effect.fingerprint, effect.worker],
  );
  return rowCount > 0;
}
