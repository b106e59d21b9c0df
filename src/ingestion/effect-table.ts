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

export async function eraseEffects(
  tx: Transaction,
  files: readonly Pick<Effect, "emailKey" | "sha256">[],
): Promise<void> {
  await tx.query(
    `DELETE FROM postroom.ingest_effect s USING unnest($1::text[], $2::text[]) AS f (email_key, sha256)
      WHERE s.email_key = f.email_key AND s.attachment_sha256 = f.sha256`,
    [files.map(({ emailKey }) => emailKey), files.map(({ sha256 }) => sha256)],
  );
}
