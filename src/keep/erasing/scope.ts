/**
 * What an erasure is about and what legal holds keep of it, in temporary tables that the other files here read:
 * `held_person`, `held` (trades and notes), `held_message`, `erased_trade` and `erased_note`.
 */
import type { Queryable, Transaction } from "../../store/database.ts";

export interface ErasedPerson {
  readonly address: string;
  /** Object ids. */
  readonly ids: readonly string[];
  readonly mailboxes: readonly number[];
}

/** One thing that an erasure did, kept, or leaves to its caller: `index` and `file` are outside these tables. */
export interface ErasedRow {
  readonly action: "erased" | "redacted" | "kept" | "file" | "index";
  readonly place: string;
  readonly item: string | null;
  readonly count: number;
  readonly reason: string | null;
}

export interface Scope extends ErasedPerson {
  /** Under which trades and orders name the person. */
  readonly names: readonly string[];
  /** Why nothing of the person may be erased; null if nothing forbids it. */
  readonly hold: string | null;
}

export async function collectScope(tx: Transaction, person: ErasedPerson): Promise<Scope> {
  // Booking must not add to what is being erased.
  await tx.query("SELECT pg_advisory_xact_lock(7070020)");
  await collectHolds(tx);
  const all = await findNames(tx, person.address);
  const names = all.filter(({ isShared }) => !isShared).map(({ name }) => name);
  await collectTrades(tx, person.address, names);
  await collectNotes(tx, person.address);
  const { rows } = await tx.query<{ reason: string }>(
    "SELECT reason FROM held_person WHERE address = $1",
    [person.address],
  );
  return { ...person, names, hold: rows[0]?.reason ?? null };
}

/** A name that another person has too says nothing about whose trade it is. */
async function findNames(
  on: Queryable,
  address: string,
): Promise<{ readonly name: string; readonly isShared: boolean }[]> {
  const { rows } = await on.query<{ name: string; isShared: boolean }>(
    `WITH known AS (SELECT username, email FROM postroom.person
                    UNION SELECT username, lower(user_email) FROM postroom.trade_order)
     SELECT DISTINCT k.username AS name, EXISTS (
              SELECT FROM known o WHERE o.username = k.username AND o.email <> k.email) AS "isShared"
       FROM known k WHERE k.email = $1`,
    [address],
  );
  return rows;
}

/**
 * A hold keeps what belongs together: a trade with the notes that report it, a note with the trades that it reports, a
 * correction with what it corrects. A person who is held keeps theirs also where somebody else is erased.
 */
async function collectHolds(tx: Transaction): Promise<void> {
  await tx.query(
    `CREATE TEMP TABLE held_person ON COMMIT DROP AS
     SELECT DISTINCT ON (subject) subject AS address, reason FROM postroom.legal_hold
      WHERE released_at IS NULL AND kind = 'person' ORDER BY subject, id`,
  );
  await tx.query(
    `CREATE TEMP TABLE held ON COMMIT DROP AS
     WITH RECURSIVE hold AS (SELECT id, kind, subject, reason FROM postroom.legal_hold WHERE released_at IS NULL),
       name AS (SELECT username, email FROM postroom.person
                UNION SELECT username, lower(user_email) FROM postroom.trade_order),
       report (trade, note) AS (SELECT trade_id, document_id FROM postroom.trade_document_link
                UNION SELECT trade_id, document_id FROM postroom.trade_line WHERE trade_id IS NOT NULL),
       beside (kind, id, next_kind, next_id) AS (
         SELECT 'trade', trade, 'note', note FROM report
         UNION ALL SELECT 'note', note, 'trade', trade FROM report
         UNION ALL SELECT 'trade', id, 'trade', corrects_id FROM postroom.trade WHERE corrects_id IS NOT NULL
         UNION ALL SELECT 'trade', corrects_id, 'trade', id FROM postroom.trade WHERE corrects_id IS NOT NULL),
       found (kind, id, hold) AS (
         (SELECT 'trade', t.id, h.id FROM postroom.trade t JOIN hold h ON CASE h.kind
              WHEN 'trade' THEN h.subject = t.id::text
              WHEN 'person' THEN h.subject = lower(t.sender_email)
                OR EXISTS (SELECT FROM name n WHERE n.email = h.subject AND n.username = t.username) END
          UNION SELECT 'note', d.id, h.id FROM postroom.trade_document d JOIN hold h ON CASE h.kind
              WHEN 'note' THEN h.subject = d.id::text
              WHEN 'person' THEN h.subject IN (lower(d.sender_email), lower(d.mailbox)) END)
         UNION SELECT b.next_kind, b.next_id, f.hold FROM found f JOIN beside b ON b.kind = f.kind AND b.id = f.id)
     SELECT DISTINCT ON (f.kind, f.id) f.kind, f.id, h.reason FROM found f JOIN hold h ON h.id = f.hold
      ORDER BY f.kind, f.id, h.id`,
  );
  // The message of a note that is kept: its row, its journal and its events prove how the note became trades.
  await tx.query(
    `CREATE TEMP TABLE held_message ON COMMIT DROP AS
     SELECT DISTINCT ON (d.message_id) d.message_id, h.reason FROM held h JOIN postroom.trade_document d ON d.id = h.id
      WHERE h.kind = 'note' AND d.message_id IS NOT NULL ORDER BY d.message_id, h.reason`,
  );
}

async function collectTrades(
  tx: Transaction,
  address: string,
  names: readonly string[],
): Promise<void> {
  await tx.query(
    `CREATE TEMP TABLE erased_trade ON COMMIT DROP AS
     SELECT t.id, h.reason AS hold FROM postroom.trade t LEFT JOIN held h ON h.kind = 'trade' AND h.id = t.id
      WHERE t.username = ANY($2) OR lower(t.sender_email) = $1`,
    [address, names],
  );
}

async function collectNotes(tx: Transaction, address: string): Promise<void> {
  await tx.query(
    `CREATE TEMP TABLE erased_note ON COMMIT DROP AS
     SELECT d.id, d.sha256, d.email_key, d.message_id, d.archive_path, h.reason AS hold,
            EXISTS (SELECT FROM postroom.trade_document_link l WHERE l.document_id = d.id
                     AND l.trade_id NOT IN (SELECT id FROM erased_trade)) AS is_of_others
       FROM postroom.trade_document d LEFT JOIN held h ON h.kind = 'note' AND h.id = d.id
      WHERE lower(d.sender_email) = $1 OR lower(d.mailbox) = $1
         OR EXISTS (SELECT FROM postroom.trade_document_link l JOIN erased_trade t ON t.id = l.trade_id
                     WHERE l.document_id = d.id)`,
    [address],
  );
}
