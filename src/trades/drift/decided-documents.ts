/**
 * Documents that people decided on, as labelled examples: what was read, at which places, and what people made of it.
 * The file itself stays where the archive keeps it.
 */
import type { Queryable } from "../../store/database.ts";
import { POSTROOM } from "../decision-table.ts";
import type { TradeFacts } from "../trade.ts";

export interface DecidedLine {
  /** 0 to 1, as it was read. */
  readonly confidence: number;
  /** What the document was read to say; null if a person entered the line. */
  readonly read: TradeFacts | null;
  /** What a person or Postroom booked; null if it is not a trade. */
  readonly decided: TradeFacts | null;
  /** Where each value was read. */
  readonly places: Readonly<Record<string, unknown>>;
  readonly isByPerson: boolean;
}

export interface DecidedDocument {
  readonly documentId: string;
  readonly sender: string;
  readonly lines: readonly DecidedLine[];
}

export interface DecidedFilter {
  readonly after?: string | undefined;
  readonly limit: number;
  /** Only documents that arrived within this many weeks. */
  readonly weeks?: number;
}

/**
 * A line that its document's other lines contradict may still change, so documents with an open question are left out.
 * Lines that a person entered have no places; a decision that was undone does not count.
 */
export async function findDecided(
  on: Queryable,
  filter: DecidedFilter,
): Promise<DecidedDocument[]> {
  const { rows } = await on.query<DecidedDocument>(
    `WITH made AS (
       SELECT c.line_id, c.document_id, c.kind, c.before
         FROM postroom.trade_decision c
        WHERE c.actor <> $1 AND c.undone_by IS NULL
          AND c.kind IN ('confirm', 'amend', 'same', 'reject', 'not-a-note')),
     document AS (
       SELECT d.id, lower(d.sender_email) AS sender FROM postroom.trade_document d
        WHERE d.id IN (SELECT document_id FROM made)
          AND ($2::uuid IS NULL OR d.id > $2)
          AND ($4::int IS NULL OR d.received_at > postroom.now() - make_interval(weeks => $4))
          AND NOT EXISTS (
            SELECT FROM postroom.trade_line l WHERE l.document_id = d.id AND l.outcome = 'review')
        ORDER BY d.id LIMIT $3)
     SELECT document.id AS "documentId", document.sender,
            coalesce(jsonb_agg(jsonb_build_object(
              'confidence', l.confidence,
              'read', CASE WHEN l.evidence <> '{}' THEN coalesce(own.before -> 'facts', l.facts) END,
              'decided', CASE WHEN l.outcome <> 'rejected' THEN l.facts END,
              'places', l.evidence,
              'isByPerson', own.kind IS NOT NULL) ORDER BY l.position)
              FILTER (WHERE l.id IS NOT NULL AND l.outcome <> 'cancels'), '[]') AS lines
       FROM document
       LEFT JOIN postroom.trade_line l ON l.document_id = document.id
       LEFT JOIN LATERAL (
         SELECT m.kind, m.before FROM made m
          WHERE m.line_id = l.id
             OR (m.kind = 'not-a-note' AND m.document_id = document.id AND l.outcome = 'rejected')
          ORDER BY m.line_id NULLS LAST LIMIT 1) own ON true
      GROUP BY document.id, document.sender ORDER BY document.id`,
    [POSTROOM, filter.after ?? null, filter.limit, filter.weeks ?? null],
  );
  return rows;
}
