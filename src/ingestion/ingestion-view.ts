import type { Queryable } from "../store/database.ts";
import { countConflicts } from "./conflict-table.ts";
import { type ForeignLease, findForeignLeases } from "./foreign-lease-table.ts";
import { type GuardState, probeGuard } from "./guard.ts";
import type { IngestionTable } from "./ingestion-table.ts";
import { OWN_PREFIX } from "./worker-id.ts";

/** The state of ingestion, for an operator. */
export interface IngestionView {
  readonly schema: string;
  readonly appName: string;
  readonly guard: GuardState;
  readonly messages: Readonly<Record<string, number>>;
  /** Number of live claims, of all programs. */
  readonly liveClaims: number;
  readonly conflicts: number;
  readonly foreignLeases: readonly ForeignLease[];
}

/**
 * The shared table is not ours alone, so it has no policy that would hide another tenant's messages. The first condition
 * spares most installations a call for each row.
 */
const REACHED = "(postroom.is_wide() OR postroom.reaches_address(mailbox_email))";

export async function viewIngestion(on: Queryable, table: IngestionTable): Promise<IngestionView> {
  const counts = await on.query<{ status: string; n: number }>(
    `SELECT status, count(*) AS n FROM ${table.name} WHERE app_name = $1 AND ${REACHED} GROUP BY status`,
    [table.naming.appName],
  );
  const live = await on.query<{ n: number }>(
    `SELECT count(*) AS n FROM ${table.name} s WHERE app_name = $1 AND status = 'processing' AND ${REACHED}
        AND postroom.claim_is_live(s.app_name, s.message_id, s.worker_id, s.updated_at)`,
    [table.naming.appName],
  );
  return {
    schema: table.naming.schema,
    appName: table.naming.appName,
    guard: await probeGuard(on, table),
    messages: Object.fromEntries(counts.rows.map((row) => [row.status, row.n])),
    liveClaims: live.rows[0]!.n,
    conflicts: await countConflicts(on, table),
    foreignLeases: await findForeignLeases(on),
  };
}

export interface MailRow {
  readonly id: number;
  readonly messageId: string;
  readonly mailbox: string;
  readonly sender: string | null;
  readonly receivedAt: Date | null;
  readonly subject: string | null;
  readonly status: string;
  readonly error: string | null;
  readonly attachments: number;
  readonly trades: number;
  readonly archivePaths: readonly string[] | null;
  readonly worker: string | null;
  readonly updatedAt: Date;
}

/** Messages, newest first. */
export async function findMails(
  on: Queryable,
  table: IngestionTable,
  filter: { status?: string; messageId?: string; before?: number; limit?: number } = {},
): Promise<MailRow[]> {
  const { attachmentsColumn, archivePathsColumn, appName } = table.naming;
  const { rows } = await on.query<MailRow>(
    `SELECT id, message_id AS "messageId", mailbox_email AS mailbox, sender_email AS sender,
            received_at AS "receivedAt", subject, status, error_message AS error,
            ${attachmentsColumn} AS attachments, trades_extracted AS trades,
            ${archivePathsColumn} AS "archivePaths", worker_id AS worker, updated_at AS "updatedAt"
       FROM ${table.name}
      WHERE app_name = $1 AND ${REACHED} AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR message_id = $3)
        AND ($5::bigint IS NULL OR id < $5)
      ORDER BY id DESC LIMIT $4`,
    [
      appName,
      filter.status ?? null,
      filter.messageId ?? null,
      filter.limit ?? 100,
      filter.before ?? null,
    ],
  );
  return rows;
}

export interface ForeignMail {
  readonly rowId: number;
  readonly messageId: string;
  readonly mailbox: string;
}

/** The newest messages that other programs have worked on lately. */
export async function findForeignMails(
  on: Queryable,
  table: IngestionTable,
  limit: number,
): Promise<ForeignMail[]> {
  const { rows } = await on.query<ForeignMail>(
    `SELECT ${FOREIGN_MAIL} FROM ${table.name}
      WHERE app_name = $1 AND NOT starts_with(coalesce(worker_id, ''), $2)
        AND updated_at > postroom.now() - interval '30 days'
      ORDER BY updated_at DESC LIMIT $3`,
    [table.naming.appName, OWN_PREFIX, limit],
  );
  return rows;
}

/** The newest messages that other programs have inserted after this row, without those asked about before. */
export async function findNewForeignMails(
  on: Queryable,
  table: IngestionTable,
  look: { readonly after: number; readonly asked: readonly number[]; readonly limit: number },
): Promise<ForeignMail[]> {
  const { rows } = await on.query<ForeignMail>(
    `SELECT ${FOREIGN_MAIL} FROM ${table.name}
      WHERE id > $3 AND id <> ALL($4::bigint[])
        AND app_name = $1 AND NOT starts_with(coalesce(worker_id, ''), $2)
      ORDER BY id DESC LIMIT $5`,
    [table.naming.appName, OWN_PREFIX, look.after, look.asked, look.limit],
  );
  return rows;
}

/** The number of the newest row, of any program. */
export async function getLastRow(on: Queryable, table: IngestionTable): Promise<number> {
  const { rows } = await on.query<{ id: number }>(
    `SELECT coalesce(max(id), 0) AS id FROM ${table.name}`,
  );
  return rows[0]!.id;
}

const FOREIGN_MAIL = 'id AS "rowId", message_id AS "messageId", mailbox_email AS mailbox';

export interface OverwrittenMail {
  readonly messageId: string;
  readonly mailbox: string;
  readonly failedAt: Date;
}

/**
 * Messages that we looked at and that have failed without a lease of ours. Our own failures keep a lease, so another
 * program wrote these, over a result that was final.
 */
export async function findOverwritten(
  on: Queryable,
  table: IngestionTable,
  limit: number,
): Promise<OverwrittenMail[]> {
  const { rows } = await on.query<OverwrittenMail>(
    `SELECT s.message_id AS "messageId", s.mailbox_email AS mailbox, s.updated_at AS "failedAt"
       FROM ${table.name} s
      WHERE s.app_name = $1 AND s.status = 'failed'
        AND NOT EXISTS (SELECT FROM postroom.ingest_lease l WHERE l.app = $1 AND l.message_id = s.message_id)
        AND EXISTS (SELECT FROM postroom.ingest_trace t WHERE t.message_id = s.message_id)
      ORDER BY s.updated_at LIMIT $2`,
    [table.naming.appName, limit],
  );
  return rows;
}

/** Those of the given messages that the shared table does not know under any of their ids. */
export async function findUnaccounted(
  on: Queryable,
  table: IngestionTable,
  mailbox: string,
  messageIds: readonly string[],
): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT id FROM unnest($3::text[]) AS m (id)
      WHERE NOT EXISTS (SELECT FROM ${table.name} s WHERE s.app_name = $1 AND s.message_id = m.id)
        AND NOT EXISTS (SELECT FROM postroom.mail_alias a
              JOIN ${table.name} s ON s.app_name = $1 AND s.message_id = a.value
             WHERE a.mailbox = $2 AND a.message_id = m.id AND a.kind = 'default')`,
    [table.naming.appName, mailbox.toLowerCase(), messageIds],
  );
  return rows.map((row) => row.id);
}
