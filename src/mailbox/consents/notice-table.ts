/** The only SQL for notices: what a person has to know about their own mailbox. */
import type { Queryable, Transaction } from "../../store/database.ts";

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly at: Date;
  readonly seenAt: Date | null;
}

export async function addNotice(on: Queryable, personId: string, text: string): Promise<void> {
  await on.query("INSERT INTO postroom.notice (person_id, text) VALUES ($1, $2)", [personId, text]);
}

/** The newest first. */
export async function findNotices(
  on: Queryable,
  personId: string,
  page: { readonly before?: number | undefined; readonly limit: number },
): Promise<Notice[]> {
  const { rows } = await on.query<Notice>(
    `SELECT id, text, at, seen_at AS "seenAt" FROM postroom.notice
      WHERE person_id = $1 AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [personId, page.before ?? null, page.limit],
  );
  return rows;
}

/** Returns false if the person has no such notice. */
export async function markSeen(on: Queryable, personId: string, id: number): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE postroom.notice SET seen_at = coalesce(seen_at, postroom.now())
      WHERE person_id = $1 AND id = $2`,
    [personId, id],
  );
  return rowCount > 0;
}

export async function eraseNotices(tx: Transaction, personIds: readonly string[]): Promise<void> {
  await tx.query("DELETE FROM postroom.notice WHERE person_id = ANY($1)", [personIds]);
}
