/** The only SQL for filing rules: the folders of watched mailboxes whose mail is filed. */
import type { Queryable } from "../../store/database.ts";

/** Stands for every folder in which mail is kept. */
export const WHOLE_MAILBOX = "*";

export interface FilingRule {
  readonly folder: string;
  /** Like `sprk_matter:{id}`. */
  readonly parent: string | null;
  readonly containerId: string | null;
  /** Mail received earlier is filed only on request. */
  readonly since: Date;
}

const COLUMNS = `folder, parent, container_id AS "containerId", since`;

export async function findFilingRules(on: Queryable, mailbox: number): Promise<FilingRule[]> {
  const { rows } = await on.query<FilingRule>(
    `SELECT ${COLUMNS} FROM postroom.filing_rule WHERE mailbox = $1 ORDER BY folder`,
    [mailbox],
  );
  return rows;
}

export async function getFilingRule(
  on: Queryable,
  mailbox: number,
  folder: string,
): Promise<FilingRule | null> {
  const { rows } = await on.query<FilingRule>(
    `SELECT ${COLUMNS} FROM postroom.filing_rule WHERE mailbox = $1 AND folder = $2`,
    [mailbox, folder],
  );
  return rows[0] ?? null;
}

/** A changed rule keeps its date, so that no message falls between the old rule and the new one. */
export async function upsertFilingRule(
  on: Queryable,
  mailbox: number,
  rule: Omit<FilingRule, "since">,
): Promise<FilingRule> {
  const { rows } = await on.query<FilingRule>(
    `INSERT INTO postroom.filing_rule (mailbox, folder, parent, container_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (mailbox, folder) DO UPDATE SET parent = EXCLUDED.parent, container_id = EXCLUDED.container_id
     RETURNING ${COLUMNS}`,
    [mailbox, rule.folder, rule.parent, rule.containerId],
  );
  return rows[0]!;
}

/** False if there was none. */
export async function removeFilingRule(
  on: Queryable,
  mailbox: number,
  folder: string,
): Promise<boolean> {
  const { rowCount } = await on.query(
    "DELETE FROM postroom.filing_rule WHERE mailbox = $1 AND folder = $2",
    [mailbox, folder],
  );
  return rowCount === 1;
}
