import type { Queryable } from "../store/database.ts";

export interface NoteCounts {
  /** Documents with a trade or with a question to a person; newsletters and the like are not notes. */
  readonly notes: number;
  /** Notes that were booked, matched, amended or cancelled without any question to a person. */
  readonly withoutPerson: number;
}

/** The contract notes that were processed and arrived since a moment. */
export async function countNotes(on: Queryable, since: Date): Promise<NoteCounts> {
  const { rows } = await on.query<NoteCounts>(
    `SELECT count(*) AS notes, count(*) FILTER (WHERE is_settled AND NOT was_asked) AS "withoutPerson"
       FROM (
         SELECT EXISTS (SELECT FROM postroom.trade_line l WHERE l.document_id = d.id) AS has_trade,
                EXISTS (SELECT FROM postroom.trade_line l
                         WHERE l.document_id = d.id AND l.outcome NOT IN ('review', 'rejected')) AS is_settled,
                EXISTS (SELECT FROM postroom.review r WHERE r.document_id = d.id)
                  OR EXISTS (SELECT FROM postroom.review r JOIN postroom.trade_line l ON l.id = r.line_id
                              WHERE l.document_id = d.id) AS was_asked
           FROM postroom.trade_document d
          WHERE d.created_at >= $1 AND d.status <> 'received') AS note
      WHERE has_trade OR was_asked`,
    [since],
  );
  return rows[0]!;
}
