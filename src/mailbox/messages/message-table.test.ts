import { describe, expect, it } from "vitest";
import { freshDatabase } from "../../../test/helpers/database.ts";
import type { Transaction } from "../../store/database.ts";
import { findGoneByInternetId, findMessages, findTwins } from "./message-table.ts";

const MESSAGES = 5_000;
const PAGE = 500;
const database = await freshDatabase({ connections: 1 });

/** A mailbox in the middle of its first round: many rows, and the database has no statistics yet. */
async function fillMailbox(): Promise<number> {
  const { rows } = await database.query<{ id: number }>(
    `INSERT INTO postroom.mailbox (address, graph_user_id, owner_id, delivery)
     VALUES ('first@contoso.example', 'u', 'u', 'delta') RETURNING id`,
  );
  await database.query(
    `INSERT INTO postroom.message (mailbox, message_id, folder_id, is_read, is_draft, flag, categories, change_key,
       modified_at, looked_at, internet_message_id, importance, has_attachments, has_list_unsubscribe, is_automated)
     SELECT $1, 'known-' || n, 'inbox', false, false, 'notFlagged', '{}', 'k', now(), now(), 'mail-' || n || '@example',
       'normal', false, false, false FROM generate_series(1, $2::int) n`,
    [rows[0]!.id, MESSAGES],
  );
  return rows[0]!.id;
}

/** Number of rows of the table that this transaction has read, whatever the query plan. */
async function rowsRead(tx: Transaction): Promise<number> {
  const { rows } = await tx.query<{ read: number }>(
    `SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS read
       FROM pg_stat_xact_user_tables WHERE schemaname = 'postroom' AND relname = 'message'`,
  );
  return rows[0]!.read;
}

describe("the lookup for each page of a delta round", () => {
  it("the lookup reads only the messages that the page names, even before the table has statistics", async () => {
    const mailbox = await fillMailbox();
    const page = Array.from({ length: PAGE }, (_, index) => ({
      messageId: `new-${index}`,
      internetMessageId: `new-${index}@example`,
    }));
    const ids = page.map((one) => one.messageId);
    const read = await database.transaction(async (tx) => {
      await findMessages(tx, mailbox, ids);
      await findGoneByInternetId(
        tx,
        mailbox,
        page.map((one) => one.internetMessageId),
      );
      await findTwins(tx, mailbox, page, ids);
      return rowsRead(tx);
    });
    expect(read).toBeLessThanOrEqual(PAGE);
  });
});
