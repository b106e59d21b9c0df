import { isUuid } from "../lib/hash.ts";
import type { TraceStep } from "../mailbox/operating/trace-mail.ts";
import type { Queryable } from "../store/database.ts";

/**
 * Finds the messages behind a trade (id or key), a document or a file hash; for a file that did not come by
 * mail, its hash.
 */
export async function findSources(on: Queryable, id: string): Promise<string[]> {
  const { rows } = await on.query<{ source: string }>(
    `SELECT coalesce(d.message_id, d.sha256) AS source
       FROM postroom.trade_document d WHERE d.id = $1 OR d.sha256 = $2
     UNION
     SELECT coalesce(d.message_id, d.sha256)
       FROM postroom.trade t JOIN postroom.trade_document_link k ON k.trade_id = t.id
       JOIN postroom.trade_document d ON d.id = k.document_id
      WHERE t.id = $1 OR t.trade_key = $2`,
    [isUuid(id) ? id : null, id],
  );
  return rows.map((row) => row.source);
}

/** The stages that these messages or files passed. */
export async function findWalkSteps(
  on: Queryable,
  sources: readonly string[],
): Promise<TraceStep[]> {
  const { rows } = await on.query<TraceStep>(
    `SELECT at, 'ingestion' AS kind, step || ' ' || name AS what, NULL AS mailbox, detail AS facts
       FROM postroom.ingest_trace WHERE message_id = ANY($1) ORDER BY id`,
    [sources],
  );
  return rows;
}

/** The decisions about the trades that these messages or files report. */
export async function findDecisionSteps(
  on: Queryable,
  sources: readonly string[],
): Promise<TraceStep[]> {
  const { rows } = await on.query<TraceStep>(
    `WITH document AS (
       SELECT id FROM postroom.trade_document WHERE message_id = ANY($1)
       UNION SELECT id FROM postroom.trade_document WHERE message_id IS NULL AND sha256 = ANY($1)),
     line AS (SELECT id, trade_id FROM postroom.trade_line WHERE document_id IN (SELECT id FROM document))
     SELECT c.at, 'decision' AS kind, c.kind AS what, NULL AS mailbox,
            jsonb_build_object('trade', t.trade_key, 'tradeId', t.id, 'by', c.actor, 'why', c.explanation,
                               'takenBackBy', c.undone_by) AS facts
       FROM postroom.trade_decision c LEFT JOIN postroom.trade t ON t.id = c.trade_id
      WHERE c.document_id IN (SELECT id FROM document) OR c.line_id IN (SELECT id FROM line)
         OR c.trade_id IN (SELECT trade_id FROM line)
      ORDER BY c.id`,
    [sources],
  );
  return rows;
}
