import type { Queryable } from "../../store/database.ts";
import type { ApprovedSender } from "./sender.ts";

const COLUMNS = `pattern, approved_by AS "approvedBy", approved_at AS "approvedAt",
  to_char(until, 'YYYY-MM-DD') AS until`;

/** Approves a sender; a second approval replaces who approved it and until when. */
export async function approveSender(
  on: Queryable,
  approval: { pattern: string; by: string; until: string | null },
): Promise<ApprovedSender> {
  const { rows } = await on.query<ApprovedSender>(
    `INSERT INTO postroom.approved_sender (pattern, approved_by, until) VALUES ($1, $2, $3)
     ON CONFLICT (pattern) DO UPDATE SET approved_by = EXCLUDED.approved_by, until = EXCLUDED.until,
        approved_at = postroom.now()
     RETURNING ${COLUMNS}`,
    [approval.pattern, approval.by, approval.until],
  );
  return rows[0]!;
}

/** False if nobody had approved it. */
export async function revokeSender(on: Queryable, pattern: string): Promise<boolean> {
  const { rowCount } = await on.query("DELETE FROM postroom.approved_sender WHERE pattern = $1", [
    pattern,
  ]);
  return rowCount > 0;
}

export async function findApprovedSenders(on: Queryable): Promise<ApprovedSender[]> {
  const { rows } = await on.query<ApprovedSender>(
    `SELECT ${COLUMNS} FROM postroom.approved_sender ORDER BY pattern`,
  );
  return rows;
}
