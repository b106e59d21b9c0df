/**
 * The other ids of a message. We store immutable ids; the rows of a program that stores default ids would
 * never match ours on the shared table, so we keep both kinds side by side.
 */
import type { Queryable, Transaction } from "../store/database.ts";
import type { IngestionTable } from "./ingestion-table.ts";
import { type MailIds, normalInternetId } from "./mail-key.ts";

export async function recordAliases(on: Queryable, ids: MailIds): Promise<void> {
  const aliases: [string, string][] = [["immutable", ids.messageId]];
  if (ids.defaultId !== undefined) aliases.push(["default", ids.defaultId]);
  if (ids.internetMessageId !== undefined) {
    aliases.push(["internet", normalInternetId(ids.internetMessageId)]);
  }
  await on.query(
    `INSERT INTO postroom.mail_alias (mailbox, kind, value, message_id)
     SELECT $1, kind, value, $2 FROM unnest($3::text[], $4::text[]) AS a (kind, value)
     ON CONFLICT DO NOTHING`,
    [
      ids.mailbox.toLowerCase(),
      ids.messageId,
      aliases.map(([kind]) => kind),
      aliases.map(([, value]) => value),
    ],
  );
}

/**
 * The other id under which this message has been finished, or null. A shared internet message id does not count:
 * two different messages can have the same one.
 */
export async function findDoneAlias(
  on: Queryable,
  table: IngestionTable,
  ids: { mailbox: string; messageId: string },
): Promise<string | null> {
  const { rows } = await on.query<{ message_id: string }>(
    `SELECT s.message_id FROM postroom.mail_alias a
       JOIN ${table.name} s ON s.app_name = $1 AND s.message_id = a.value AND s.status = 'success'
      WHERE a.mailbox = $2 AND a.message_id = $3 AND a.kind = 'default' AND a.value <> $3 LIMIT 1`,
    [table.naming.appName, ids.mailbox.toLowerCase(), ids.messageId],
  );
  return rows[0]?.message_id ?? null;
}

/** The internet message id, without brackets, of a message that was read before; null if unknown. */
export async function findInternetId(
  on: Queryable,
  ids: { mailbox: string; messageId: string },
): Promise<string | null> {
  const { rows } = await on.query<{ id: string }>(
    `SELECT value AS id FROM postroom.mail_alias
      WHERE mailbox = $1 AND message_id = $2 AND kind = 'internet' LIMIT 1`,
    [ids.mailbox.toLowerCase(), ids.messageId],
  );
  return rows[0]?.id ?? null;
}

export async function eraseAliases(
  tx: Transaction,
  { address, heldMessages }: { readonly address: string; readonly heldMessages: readonly string[] },
): Promise<void> {
  await tx.query(
    "DELETE FROM postroom.mail_alias WHERE lower(mailbox) = $1 AND message_id <> ALL($2)",
    [address, heldMessages],
  );
}
