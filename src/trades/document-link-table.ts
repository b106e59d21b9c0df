/** Which documents report which trade. */
import type { Queryable, Transaction } from "../store/database.ts";

/** The first document of a trade is its primary one. */
export async function linkDocument(
  on: Queryable,
  tradeId: string,
  documentId: string,
): Promise<void> {
  await on.query(
    `INSERT INTO postroom.trade_document_link (trade_id, document_id, is_primary)
     VALUES ($1, $2, NOT EXISTS (
       SELECT FROM postroom.trade_document_link WHERE trade_id = $1 AND is_primary))
     ON CONFLICT DO NOTHING`,
    [tradeId, documentId],
  );
}

/** Removes the link that one trade line made, unless it is the primary one or another line needs it too. */
export async function unlinkTradeLine(
  on: Queryable,
  link: { tradeId: string | null; documentId: string | null; lineId: string | null },
): Promise<void> {
  await on.query(
    `DELETE FROM postroom.trade_document_link l
      WHERE l.trade_id = $1 AND l.document_id = $2 AND NOT l.is_primary
        AND NOT EXISTS (SELECT FROM postroom.trade_line o
                         WHERE o.trade_id = $1 AND o.document_id = $2 AND o.id <> $3)`,
    [link.tradeId, link.documentId, link.lineId],
  );
}

export interface TradeDocumentLink {
  readonly documentId: string;
  readonly isPrimary: boolean;
  readonly filename: string;
  readonly archivePath: string | null;
  readonly messageId: string | null;
  readonly receivedAt: Date;
}

export async function findLinks(on: Queryable, tradeId: string): Promise<TradeDocumentLink[]> {
  return (await findLinksOf(on, [tradeId])).get(tradeId) ?? [];
}

/** The documents of many trades, each list with its primary document first. */
export async function findLinksOf(
  on: Queryable,
  tradeIds: readonly string[],
): Promise<Map<string, TradeDocumentLink[]>> {
  const { rows } = await on.query<TradeDocumentLink & { tradeId: string }>(
    `SELECT l.trade_id AS "tradeId", l.document_id AS "documentId", l.is_primary AS "isPrimary", d.filename,
            d.archive_path AS "archivePath", d.message_id AS "messageId", d.received_at AS "receivedAt"
       FROM postroom.trade_document_link l JOIN postroom.trade_document d ON d.id = l.document_id
      WHERE l.trade_id = ANY($1::uuid[]) ORDER BY l.is_primary DESC, d.created_at`,
    [tradeIds],
  );
  const byTrade = new Map<string, TradeDocumentLink[]>();
  for (const { tradeId, ...link } of rows) {
    byTrade.set(tradeId, [...(byTrade.get(tradeId) ?? []), link]);
  }
  return byTrade;
}

export async function eraseLinks(
  tx: Transaction,
  of: { readonly trades: readonly string[]; readonly documents: readonly string[] },
): Promise<void> {
  await tx.query(
    `DELETE FROM postroom.trade_document_link
      WHERE trade_id = ANY($1::uuid[]) OR document_id = ANY($2::uuid[])`,
    [of.trades, of.documents],
  );
}
