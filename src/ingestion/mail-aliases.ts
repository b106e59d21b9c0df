/**
 * One message under several ids. We store immutable ids; a program that stores the default ones would
 * never collide with us on the shared table, so what is known of both is kept side by side.
 */
import type { Queryable } from "../store/database.ts";
import type { IngestionTable } from "./ingestion-table.ts";

export interface MailIds {
  readonly mailbox: string;
  /** The id under which we work. */
  readonly messageId: string;
  /** The id that changes on a move, when it is known. */
  readonly defaultId?: string | undefined;
  readonly internetMessageId?: string | undefined;
}

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
 * The other id under which this very message has been finished, or null. A shared internet message id is
 * not enough: two different messages may carry one.
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

/** The internet message id of a message that was read before, without its brackets; null when none was. */
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

/**
 * The name of a mail for its effects: the internet message id is the same in every folder and under every
 * kind of id. A mail without one is known by its id alone.
 */
export function emailKeyOf(ids: MailIds): string {
  const name =
    ids.internetMessageId === undefined
      ? `id:${ids.messageId}`
      : normalInternetId(ids.internetMessageId);
  return `${ids.mailbox.toLowerCase()}|${name}`;
}

/** Some writers leave the angle brackets out. */
function normalInternetId(internetMessageId: string): string {
  return internetMessageId.trim().replace(/^<|>$/g, "");
}
