/** Trades of a person and their notes, with lines, questions, decisions, files, journals and orders. */
import type { Transaction } from "../../store/database.ts";
import type { ErasedRow, Scope } from "./scope.ts";
import { erased, findOutside, run } from "./statements.ts";

/** From here on the temporary tables name only what goes. */
export async function leaveOutWhatIsKept(tx: Transaction): Promise<void> {
  await run(tx, "DELETE FROM erased_trade WHERE hold IS NOT NULL");
  await run(tx, "DELETE FROM erased_note WHERE hold IS NOT NULL OR is_of_others");
}

const OF_TRADES = `trade_id IN (SELECT id FROM erased_trade) OR document_id IN (SELECT id FROM erased_note)
  OR line_id IN (SELECT l.id FROM postroom.trade_line l WHERE l.document_id IN (SELECT id FROM erased_note))`;

/** The keys between the tables dictate the order. */
export async function eraseTrades(tx: Transaction): Promise<ErasedRow[]> {
  const questions = await erased(tx, "questions", `DELETE FROM postroom.review WHERE ${OF_TRADES}`);
  await eraseDecisions(tx);
  await run(
    tx,
    `DELETE FROM postroom.trade_document_link WHERE trade_id IN (SELECT id FROM erased_trade)
        OR document_id IN (SELECT id FROM erased_note)`,
  );
  await run(
    tx,
    "UPDATE postroom.trade_line SET trade_id = NULL WHERE trade_id IN (SELECT id FROM erased_trade)",
  );
  await run(
    tx,
    "DELETE FROM postroom.trade_line WHERE document_id IN (SELECT id FROM erased_note)",
  );
  await run(
    tx,
    "UPDATE postroom.trade SET corrects_id = NULL WHERE corrects_id IN (SELECT id FROM erased_trade)",
  );
  await run(tx, "DELETE FROM postroom.trade_change WHERE trade IN (SELECT id FROM erased_trade)");
  return [
    questions,
    await erased(
      tx,
      "trades",
      "DELETE FROM postroom.trade WHERE id IN (SELECT id FROM erased_trade)",
    ),
    await erased(
      tx,
      "notes",
      "DELETE FROM postroom.trade_document WHERE id IN (SELECT id FROM erased_note)",
    ),
  ];
}

async function eraseDecisions(tx: Transaction): Promise<void> {
  await run(
    tx,
    `CREATE TEMP TABLE erased_decision ON COMMIT DROP AS SELECT id FROM postroom.trade_decision WHERE ${OF_TRADES}`,
  );
  for (const column of ["undoes", "undone_by"])
    await run(
      tx,
      `UPDATE postroom.trade_decision SET ${column} = NULL WHERE ${column} IN (SELECT id FROM erased_decision)`,
    );
  await run(tx, "DELETE FROM postroom.trade_decision WHERE id IN (SELECT id FROM erased_decision)");
}

/** Returns what the caller has to remove. The same file may have come from somebody else too. */
export async function eraseFiles(tx: Transaction): Promise<ErasedRow[]> {
  const outside = await findOutside(
    tx,
    "file",
    `SELECT DISTINCT 'spool' AS place, sha256 AS item FROM erased_note e
      WHERE NOT EXISTS (SELECT FROM postroom.trade_document d WHERE d.sha256 = e.sha256)
     UNION ALL
     SELECT DISTINCT 'archive', archive_path FROM erased_note e WHERE archive_path IS NOT NULL
        AND NOT EXISTS (SELECT FROM postroom.trade_document d WHERE d.archive_path = e.archive_path)`,
  );
  await run(
    tx,
    `DELETE FROM postroom.spool_file f USING erased_note e WHERE f.sha256 = e.sha256
        AND NOT EXISTS (SELECT FROM postroom.trade_document d WHERE d.sha256 = f.sha256)`,
  );
  await run(
    tx,
    `DELETE FROM postroom.archive_pending p USING erased_note e
      WHERE (p.path = e.archive_path AND NOT EXISTS (SELECT FROM postroom.trade_document d WHERE d.archive_path = p.path))
         OR (p.sha256 = e.sha256 AND NOT EXISTS (SELECT FROM postroom.trade_document d WHERE d.sha256 = p.sha256))`,
  );
  return outside;
}

/** Mail of theirs of which no note is left, also mail that never had one. Its journal has the message for a file. */
export async function eraseJournals(
  tx: Transaction,
  { address }: Scope,
  state: string,
): Promise<ErasedRow[]> {
  await tx.query(
    `CREATE TEMP TABLE erased_mail ON COMMIT DROP AS
     SELECT message_id FROM erased_note WHERE message_id IS NOT NULL
     UNION SELECT message_id FROM ${state} WHERE $1 IN (lower(sender_email), lower(mailbox_email))`,
    [address],
  );
  await run(
    tx,
    `DELETE FROM erased_mail m USING postroom.trade_document d WHERE d.message_id = m.message_id`,
  );
  const ofNotes = "s.email_key = e.email_key AND s.attachment_sha256 = e.sha256";
  await run(tx, `DELETE FROM postroom.ingest_stage s USING erased_note e WHERE ${ofNotes}`);
  await run(tx, `DELETE FROM postroom.ingest_effect s USING erased_note e WHERE ${ofNotes}`);
  await run(
    tx,
    "DELETE FROM postroom.ingest_stage WHERE attachment_sha256 IN (SELECT message_id FROM erased_mail)",
  );
  return [
    await erased(
      tx,
      "traces of ingestion",
      "DELETE FROM postroom.ingest_trace WHERE message_id IN (SELECT message_id FROM erased_mail)",
    ),
  ];
}

export async function eraseOrders(
  tx: Transaction,
  { address, names }: Scope,
): Promise<ErasedRow[]> {
  return [
    await erased(
      tx,
      "orders",
      `DELETE FROM postroom.trade_order o WHERE (lower(o.user_email) = $1 OR o.username = ANY($2))
          AND NOT EXISTS (SELECT FROM postroom.trade t WHERE t.order_id = o.id)
          AND NOT EXISTS (SELECT FROM postroom.trade_decision d WHERE d.order_id = o.id)`,
      [address, names],
    ),
  ];
}
