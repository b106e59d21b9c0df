/** The pages that a running audit has listed. After a restart the audit continues behind the last of them. */
import type { Queryable, Transaction } from "../../store/database.ts";
import { toJson } from "../../store/storable.ts";
import type { MessageState } from "../messages/message.ts";

/** What an audit compares. */
export type ListedMessage = Pick<
  MessageState,
  "messageId" | "folderId" | "isRead" | "flag" | "categories" | "subject"
>;

export interface AuditPage {
  readonly folderId: string;
  /** Where the listing of the folder continues; null at its end. */
  readonly next: string | null;
  readonly messages: readonly ListedMessage[];
}

export async function findAuditPages(on: Queryable, jobId: string): Promise<AuditPage[]> {
  const { rows } = await on.query<AuditPage>(
    `SELECT folder_id AS "folderId", next, messages FROM postroom.audit_page WHERE job_id = $1 ORDER BY page`,
    [jobId],
  );
  return rows;
}

export async function keepAuditPage(on: Queryable, jobId: string, page: AuditPage): Promise<void> {
  await on.query(
    `INSERT INTO postroom.audit_page (job_id, page, folder_id, next, messages)
     SELECT $1, coalesce(max(page), 0) + 1, $2, $3, $4 FROM postroom.audit_page WHERE job_id = $1`,
    [jobId, page.folderId, page.next, toJson(page.messages)],
  );
}

/** Of a folder whose listing has to begin again. */
export async function removeAuditPagesOf(
  on: Queryable,
  jobId: string,
  folderId: string,
): Promise<void> {
  await on.query("DELETE FROM postroom.audit_page WHERE job_id = $1 AND folder_id = $2", [
    jobId,
    folderId,
  ]);
}

export async function removeAuditPages(on: Queryable, jobId: string): Promise<void> {
  await on.query("DELETE FROM postroom.audit_page WHERE job_id = $1", [jobId]);
}

/** Pages of audits that were interrupted. */
export async function removeAuditPagesBefore(
  on: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await on.query(
    `DELETE FROM postroom.audit_page WHERE (job_id, page) IN (
       SELECT job_id, page FROM postroom.audit_page WHERE saved_at < $1 LIMIT $2)`,
    [before, limit],
  );
  return rowCount;
}

/** Erases what names a person, and the audits of their mailboxes. */
export async function eraseAuditPages(
  tx: Transaction,
  { address, mailboxes }: { readonly address: string; readonly mailboxes: readonly number[] },
): Promise<void> {
  await tx.query(
    `DELETE FROM postroom.audit_page WHERE strpos(lower(messages::text), $2) > 0
        OR job_id IN (SELECT id FROM postroom.job WHERE payload->>'mailbox' = ANY($1))`,
    [mailboxes.map(String), address],
  );
}
