/** Reads mail, notes, trades and questions by their words. The caller decides beforehand whose they may be. */
import type { Queryable } from "../store/database.ts";

export interface FoundRecord {
  readonly type: "mail" | "note" | "trade" | "review";
  readonly id: string;
  readonly title: string;
  readonly detail: string | null;
  readonly date: Date | null;
}

/** Older mail is not searched, because its subjects are compared one by one. */
const MAILS_MAX = 50_000;

/** Every word must occur in the text. */
const hasWords = (text: string): string =>
  `NOT EXISTS (SELECT FROM unnest($1::text[]) w(word) WHERE position(w.word IN lower(${text})) = 0)`;

/** Newest first. `ownerId` is null for somebody who may see every mailbox. */
export async function findMail(
  on: Queryable,
  words: readonly string[],
  ownerId: string | null,
  limit: number,
): Promise<FoundRecord[]> {
  const { rows } = await on.query<FoundRecord>(
    `SELECT 'mail' AS type, m.message_id AS id, coalesce(m.subject, '') AS title,
            concat_ws(' ', m.sender_name, m.sender_email, 'to', m.address) AS detail, m.received_at AS date
       FROM (SELECT m.*, b.address FROM postroom.message m JOIN postroom.mailbox b ON b.id = m.mailbox
              WHERE NOT m.is_deleted AND ($2::text IS NULL OR b.owner_id = $2)
              ORDER BY m.received_at DESC NULLS LAST LIMIT ${MAILS_MAX}) m
      WHERE ${hasWords("concat_ws(' ', m.subject, m.sender_name, m.sender_email)")}
      ORDER BY m.received_at DESC NULLS LAST LIMIT $3`,
    [words, ownerId, limit],
  );
  return rows;
}

export async function findNotes(
  on: Queryable,
  words: readonly string[],
  limit: number,
): Promise<FoundRecord[]> {
  const { rows } = await on.query<FoundRecord>(
    `SELECT 'note' AS type, d.id, d.filename AS title, concat_ws(' ', d.status, 'from', d.sender_email) AS detail,
            d.received_at AS date
       FROM postroom.trade_document d
      WHERE ${hasWords("concat_ws(' ', d.filename, d.sender_email, d.document_type)")}
      ORDER BY d.received_at DESC LIMIT $2`,
    [words, limit],
  );
  return rows;
}

export async function findTradesByWords(
  on: Queryable,
  words: readonly string[],
  limit: number,
): Promise<FoundRecord[]> {
  const { rows } = await on.query<FoundRecord>(
    `SELECT 'trade' AS type, t.id, t.trade_key AS title,
            concat_ws(' ', t.status, t.direction, t.quantity, t.facts->>'name', t.username) AS detail,
            t.trade_date::timestamptz AS date
       FROM postroom.trade t
      WHERE ${hasWords("concat_ws(' ', t.trade_key, t.isin, t.ticker, t.reference, t.username, t.sender_email, t.direction, t.facts->>'name')")}
      ORDER BY t.created_at DESC, t.id LIMIT $2`,
    [words, limit],
  );
  return rows;
}

export async function findReviewsByWords(
  on: Queryable,
  words: readonly string[],
  limit: number,
): Promise<FoundRecord[]> {
  const { rows } = await on.query<FoundRecord>(
    `SELECT 'review' AS type, r.id::text AS id, coalesce(d.filename, t.trade_key, r.subject) AS title,
            concat_ws(': ', r.status, r.reason) AS detail, r.opened_at AS date
       FROM postroom.review r
       LEFT JOIN postroom.trade_line l ON l.id = r.line_id
       LEFT JOIN postroom.trade t ON t.id = r.trade_id
       LEFT JOIN postroom.trade_document d ON d.id = coalesce(r.document_id, l.document_id)
      WHERE ${hasWords("concat_ws(' ', d.filename, d.sender_email, t.trade_key, r.reason, l.facts->>'isin', l.facts->>'name')")}
      ORDER BY r.opened_at DESC, r.id LIMIT $2`,
    [words, limit],
  );
  return rows;
}
