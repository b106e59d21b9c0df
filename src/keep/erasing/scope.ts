/** What an erasure is about, and what legal holds keep of it. */
import type { Queryable, Transaction } from "../../store/database.ts";

export interface ErasedPerson {
  readonly address: string;
  /** Object IDs. */
  readonly ids: readonly string[];
  readonly mailboxes: readonly number[];
}

export interface Scope extends ErasedPerson {
  /** Under which trades and orders name the person. */
  readonly names: readonly string[];
  /** Why nothing of the person may be erased; null if nothing forbids it. */
  readonly hold: string | null;
  readonly trades: readonly { readonly id: string; readonly hold: string | null }[];
  readonly notes: readonly ScopeNote[];
  /** People and messages that are held, each with the reason. */
  readonly heldPeople: ReadonlyMap<string, string>;
  readonly heldMessages: ReadonlyMap<string, string>;
}

export interface ScopeNote {
  readonly id: string;
  readonly sha256: string;
  readonly emailKey: string;
  readonly messageId: string | null;
  readonly archivePath: string | null;
  readonly hold: string | null;
  /** It also reports a trade of somebody else. */
  readonly isOfOthers: boolean;
}

export async function collectScope(tx: Transaction, person: ErasedPerson): Promise<Scope> {
  const { address } = person;
  // Booking must not add to what is being erased.
  await tx.query("SELECT pg_advisory_xact_lock(7070020)");
  const heldPeople = await findHeldPeople(tx);
  const held = await findHeldThings(tx);
  const all = await findNames(tx, address);
  const names = all.filter(({ isShared }) => !isShared).map(({ name }) => name);
  const trades = (await findTrades(tx, address, names)).map((id) => ({
    id,
    hold: held.trade.get(id) ?? null,
  }));
  const found = await findNotes(
    tx,
    address,
    trades.map(({ id }) => id),
  );
  return {
    ...person,
    names,
    heldPeople,
    trades,
    hold: heldPeople.get(address) ?? null,
    notes: found.map((note) => ({ ...note, hold: held.note.get(note.id) ?? null })),
    heldMessages: await findHeldMessages(tx, held.note),
  };
}

async function findHeldPeople(on: Queryable): Promise<Map<string, string>> {
  const { rows } = await on.query<{ address: string; reason: string }>(
    `SELECT DISTINCT ON (subject) subject AS address, reason FROM postroom.legal_hold
      WHERE released_at IS NULL AND kind = 'person' ORDER BY subject, id`,
  );
  return new Map(rows.map(({ address, reason }) => [address, reason]));
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
 * Trades and notes that are held, each with the reason. A hold keeps what belongs together: a trade with the notes that
 * report it, a note with the trades that it reports, a correction with what it corrects. If a person is held, everything
 * of theirs is kept when somebody else is erased.
 */
async function findHeldThings(
  on: Queryable,
): Promise<Record<"trade" | "note", ReadonlyMap<string, string>>> {
  const { rows } = await on.query<{ kind: "trade" | "note"; id: string; reason: string }>(
    `WITH RECURSIVE hold AS (SELECT id, kind, subject, reason FROM postroom.legal_hold WHERE released_at IS NULL),
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
  const of = (kind: "trade" | "note") =>
    new Map(rows.filter((row) => row.kind === kind).map(({ id, reason }) => [id, reason]));
  return { trade: of("trade"), note: of("note") };
}

/** The messages of notes that are kept: their rows, journals and events prove how the notes became trades. */
async function findHeldMessages(
  on: Queryable,
  notes: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const { rows } = await on.query<{ messageId: string; reason: string }>(
    `SELECT d.message_id AS "messageId", min(h.reason) AS reason
       FROM unnest($1::uuid[], $2::text[]) AS h (id, reason) JOIN postroom.trade_document d ON d.id = h.id
      WHERE d.message_id IS NOT NULL GROUP BY d.message_id`,
    [[...notes.keys()], [...notes.values()]],
  );
  return new Map(rows.map(({ messageId, reason }) => [messageId, reason]));
}

async function findTrades(
  on: Queryable,
  address: string,
  names: readonly string[],
): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>(
    "SELECT id FROM postroom.trade WHERE username = ANY($2) OR lower(sender_email) = $1",
    [address, names],
  );
  return rows.map(({ id }) => id);
}

async function findNotes(
  on: Queryable,
  address: string,
  trades: readonly string[],
): Promise<Omit<ScopeNote, "hold">[]> {
  const { rows } = await on.query<Omit<ScopeNote, "hold">>(
    `SELECT d.id, d.sha256, d.email_key AS "emailKey", d.message_id AS "messageId", d.archive_path AS "archivePath",
            EXISTS (SELECT FROM postroom.trade_document_link l WHERE l.document_id = d.id
                     AND l.trade_id NOT IN (SELECT unnest($2::uuid[]))) AS "isOfOthers"
       FROM postroom.trade_document d
      WHERE lower(d.sender_email) = $1 OR lower(d.mailbox) = $1
         OR d.id IN (SELECT document_id FROM postroom.trade_document_link WHERE trade_id = ANY($2::uuid[]))`,
    [address, trades],
  );
  return rows;
}
