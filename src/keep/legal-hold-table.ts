/** The only SQL for legal holds: what must not be erased, and why. */
import type { Queryable } from "../store/database.ts";

export const HOLD_KINDS = ["person", "trade", "note"] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];

export interface LegalHold {
  readonly id: number;
  readonly kind: HoldKind;
  readonly subject: string;
  readonly reason: string;
  readonly setBy: string;
  readonly setAt: Date;
}

const COLUMNS = `id, kind, subject, reason, set_by AS "setBy", set_at AS "setAt"`;

export async function setHold(
  on: Queryable,
  hold: Omit<LegalHold, "id" | "setAt">,
): Promise<LegalHold> {
  const { rows } = await on.query<LegalHold>(
    `INSERT INTO postroom.legal_hold (kind, subject, reason, set_by) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`,
    [hold.kind, hold.subject, hold.reason, hold.setBy],
  );
  return rows[0]!;
}

/** Those that still hold. */
export async function findHolds(on: Queryable): Promise<LegalHold[]> {
  const { rows } = await on.query<LegalHold>(
    `SELECT ${COLUMNS} FROM postroom.legal_hold WHERE released_at IS NULL ORDER BY id`,
  );
  return rows;
}

/** Returns false if there is no such hold. */
export async function releaseHold(on: Queryable, id: number, by: string): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE postroom.legal_hold SET released_by = $2, released_at = postroom.now()
      WHERE id = $1 AND released_at IS NULL`,
    [id, by],
  );
  return rowCount > 0;
}
