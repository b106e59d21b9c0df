/** What both sides of the intake benchmark share. */
import { sha256 } from "../src/lib/hash.ts";
import type { Queryable } from "../src/store/database.ts";

export const SUBSCRIPTION = "7f105c7d-2dc5-4530-97cd-4e7ae6534c07";
export const CLIENT_STATE = "a-secret-of-forty-three-characters-like-ours";
export const GRAPH_USER = "622eaaff-0683-4862-9de4-f2ec83c2bd98";
export const TENANT = "84bd8158-6d4d-4958-8b9f-9d6445542f95";
export const ADDRESS = "nina@contoso.example";

/** Adds one mailbox with its inbox and its subscription; returns the mailbox's number. */
export async function addMailbox(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ id: number }>(
    `INSERT INTO postroom.mailbox (address, graph_user_id, owner_id, delivery)
     VALUES ($1, $2, $2, 'push') RETURNING id`,
    [ADDRESS, GRAPH_USER],
  );
  await database.query(
    `INSERT INTO postroom.subscription (mailbox, subscription_id, resource, change_type, secret_hash, status)
     VALUES ($1, $2, $3, 'created,updated,deleted', $4, 'active')`,
    [rows[0]!.id, SUBSCRIPTION, `users/${GRAPH_USER}/messages`, sha256(CLIENT_STATE)],
  );
  await database.query(
    `INSERT INTO postroom.folder (mailbox, folder_id, display_name, well_known)
     VALUES ($1, 'inbox-folder', 'Inbox', 'inbox')`,
    [rows[0]!.id],
  );
  return rows[0]!.id;
}
