/** Mailboxes of a person, with events, notifications and consent; and what tells others of mail that they sent. */
import type { Transaction } from "../../store/database.ts";
import type { ErasedRow, Scope } from "./scope.ts";
import { erased, redacted, run } from "./statements.ts";

const IS_HELD = "(SELECT message_id FROM held_message)";

/**
 * The shared table keeps the message by its id, so that it is not ingested again from the mailbox that it is in. Paths in
 * the archive name the sender and the file; they stay with a note that stays.
 */
export async function redactShared(
  tx: Transaction,
  { address }: Scope,
  state: string,
  pathsColumn: string,
): Promise<ErasedRow[]> {
  // The guard of the table keeps finished messages as they are.
  await tx.query("SET LOCAL postroom.ingest_override = 'on'");
  const isTheirs = `$1 IN (lower(sender_email), lower(mailbox_email)) AND message_id NOT IN ${IS_HELD}`;
  await run(
    tx,
    `UPDATE ${state} s SET ${pathsColumn} = DEFAULT WHERE ${isTheirs}
        AND NOT EXISTS (SELECT FROM postroom.trade_document d WHERE d.message_id = s.message_id)`,
    [address],
  );
  return [
    await redacted(
      tx,
      "rows of the shared table",
      `UPDATE ${state} SET sender_email = NULL, subject = NULL, error_message = NULL,
              mailbox_email = CASE WHEN lower(mailbox_email) = $1 THEN 'erased' ELSE mailbox_email END
        WHERE ${isTheirs}`,
      [address],
    ),
  ];
}

export async function eraseEvents(
  tx: Transaction,
  { address, ids, mailboxes }: Scope,
): Promise<ErasedRow[]> {
  await tx.query(
    `CREATE TEMP TABLE erased_event ON COMMIT DROP AS SELECT seq FROM postroom.event
      WHERE (user_id = ANY($1) OR mailbox = ANY($2)) AND message_id NOT IN ${IS_HELD}
        AND (sender_email IS NULL OR lower(sender_email) NOT IN (SELECT address FROM held_person))`,
    [ids, mailboxes],
  );
  await run(tx, "DELETE FROM postroom.event_feed WHERE event IN (SELECT seq FROM erased_event)");
  const events = await erased(
    tx,
    "events",
    "DELETE FROM postroom.event WHERE seq IN (SELECT seq FROM erased_event)",
  );
  const blank = `SET sender_name = NULL, sender_email = NULL, subject = NULL
    WHERE lower(sender_email) = $1 AND message_id NOT IN ${IS_HELD}`;
  const sent = await redacted(
    tx,
    "events of mail that they sent to others",
    `UPDATE postroom.event ${blank}`,
    [address],
  );
  await run(tx, `UPDATE postroom.message ${blank}`, [address]);
  return [events, sent];
}

/** Rows about subscriptions name no mailbox once it is removed; those of subscriptions that are gone go too. */
const NOTIFIED = `subscription IN (SELECT id FROM postroom.subscription WHERE mailbox = ANY($1))
  OR NOT EXISTS (SELECT FROM postroom.subscription s WHERE s.id = subscription)`;

export async function eraseMailboxes(tx: Transaction, scope: Scope): Promise<ErasedRow[]> {
  const { address, ids, mailboxes } = scope;
  await run(
    tx,
    `DELETE FROM postroom.snapshot WHERE strpos(lower(message::text), $2) > 0 OR notification IN (
       SELECT key FROM postroom.notification WHERE ${NOTIFIED})`,
    [mailboxes, address],
  );
  await run(
    tx,
    `DELETE FROM postroom.notification WHERE (${NOTIFIED}) AND message_id NOT IN ${IS_HELD}`,
    [mailboxes],
  );
  await run(
    tx,
    `DELETE FROM postroom.audit_page WHERE strpos(lower(messages::text), $2) > 0 OR job_id IN (
       SELECT id FROM postroom.job WHERE payload->>'mailbox' = ANY($1))`,
    [mailboxes.map(String), address],
  );
  await run(
    tx,
    `DELETE FROM postroom.mail_alias WHERE lower(mailbox) = $1 AND message_id NOT IN ${IS_HELD}`,
    [address],
  );
  // Graph's resource is a user's path.
  await run(
    tx,
    `DELETE FROM padealing.graph_subscription_state g
      WHERE EXISTS (SELECT FROM unnest($1::text[]) AS name WHERE strpos(lower(g.resource), lower(name)) > 0)`,
    [[address, encodeURIComponent(address), ...ids]],
  );
  const boxes = await erased(tx, "mailboxes", "DELETE FROM postroom.mailbox WHERE id = ANY($1)", [
    mailboxes,
  ]);
  await eraseConsents(tx, scope);
  return [boxes];
}

async function eraseConsents(tx: Transaction, { address, ids }: Scope): Promise<void> {
  await run(tx, "DELETE FROM postroom.consent WHERE person_id = ANY($2) OR lower(address) = $1", [
    ...[address, ids],
  ]);
  await run(
    tx,
    "DELETE FROM postroom.consent_request WHERE lower(wanted) = $1 OR wanted = ANY($2)",
    [address, ids],
  );
  await run(tx, "DELETE FROM postroom.notice WHERE person_id = ANY($1)", [ids]);
}
