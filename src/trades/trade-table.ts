import { isUuid } from "../lib/hash.ts";
import type { Queryable } from "../store/database.ts";
import type { MatrixLine } from "./match-order.ts";
import type { DocumentKind, KnownTrade } from "./place-line.ts";
import type { TradeFacts } from "./trade.ts";

export type OrderState = "linked" | "unmatched" | "in-review" | "no-orders";

export interface Trade {
  readonly id: string;
  readonly tradeKey: string;
  readonly fingerprint: string;
  readonly referenceKey: string | null;
  readonly economicKey: string;
  readonly occurrence: number;
  readonly status: KnownTrade["status"];
  /** `postroom`, or the person who confirmed it. */
  readonly confirmedBy: string;
  readonly needsAudit: boolean;
  readonly username: string;
  readonly senderEmail: string;
  readonly confidence: number;
  readonly facts: TradeFacts;
  readonly correctsId: string | null;
  readonly orderId: number | null;
  readonly orderState: OrderState;
  readonly matchMatrix: readonly MatrixLine[];
  readonly createdAt: Date;
}

export type NewTrade = Omit<Trade, "createdAt" | "status">;

const COLUMNS = `t.id, t.trade_key AS "tradeKey", t.fingerprint, t.reference_key AS "referenceKey",
  t.economic_key AS "economicKey", t.occurrence, t.status, t.confirmed_by AS "confirmedBy",
  t.needs_audit AS "needsAudit", t.username, t.sender_email AS "senderEmail",
  t.confidence::float8 AS confidence, t.facts, t.corrects_id AS "correctsId", t.order_id AS "orderId",
  t.order_state AS "orderState", t.match_matrix AS "matchMatrix", t.created_at AS "createdAt"`;

export async function insertTrade(on: Queryable, trade: NewTrade): Promise<void> {
  const { facts } = trade;
  await on.query(
    `INSERT INTO postroom.trade (id, trade_key, fingerprint, reference_key, economic_key, occurrence, status,
            confirmed_by, needs_audit, username, sender_email, direction, quantity, price, price_currency,
            currency, gross, fees, taxes, net, trade_date, isin, ticker, reference, confidence, facts,
            corrects_id, order_id, order_state, match_matrix)
     VALUES ($1, $2, $3, $4, $5, $6, 'confirmed', $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
             $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29)`,
    [
      trade.id,
      trade.tradeKey,
      trade.fingerprint,
      trade.referenceKey,
      trade.economicKey,
      trade.occurrence,
      trade.confirmedBy,
      trade.needsAudit,
      trade.username,
      trade.senderEmail,
      facts.direction,
      facts.quantity,
      facts.price,
      facts.priceCurrency,
      facts.currency,
      facts.gross,
      facts.fees,
      facts.taxes,
      facts.net,
      facts.tradeDate,
      facts.isin,
      facts.ticker,
      facts.reference,
      trade.confidence,
      JSON.stringify(facts),
      trade.correctsId,
      trade.orderId,
      trade.orderState,
      JSON.stringify(trade.matchMatrix),
    ],
  );
}

export async function setTradeStatus(
  on: Queryable,
  id: string,
  status: Trade["status"],
): Promise<void> {
  await on.query(
    "UPDATE postroom.trade SET status = $2, updated_at = postroom.now() WHERE id = $1",
    [id, status],
  );
}

export async function setTradeOrder(
  on: Queryable,
  id: string,
  link: { orderId: number | null; orderState: OrderState },
): Promise<void> {
  await on.query(
    "UPDATE postroom.trade SET order_id = $2, order_state = $3, updated_at = postroom.now() WHERE id = $1",
    [id, link.orderId, link.orderState],
  );
}

/** By its id, or by its key; of several trades of one key the first. */
export async function getTrade(on: Queryable, idOrKey: string): Promise<Trade | null> {
  const column = isUuid(idOrKey) ? "id" : "trade_key";
  const { rows } = await on.query<Trade>(
    `SELECT ${COLUMNS} FROM postroom.trade t WHERE t.${column} = $1 ORDER BY t.occurrence LIMIT 1`,
    [idOrKey],
  );
  return rows[0] ?? null;
}

export interface TradeFilter {
  readonly status?: Trade["status"];
  readonly username?: string;
  readonly messageId?: string;
  readonly needsAudit?: boolean;
  readonly since?: Date;
  readonly limit?: number;
}

export async function findTrades(on: Queryable, filter: TradeFilter = {}): Promise<Trade[]> {
  const { rows } = await on.query<Trade>(
    `SELECT ${COLUMNS} FROM postroom.trade t
      WHERE ($1::text IS NULL OR t.status = $1) AND ($2::text IS NULL OR t.username = $2)
        AND ($3::boolean IS NULL OR t.needs_audit = $3) AND ($4::timestamptz IS NULL OR t.created_at >= $4)
        AND ($5::text IS NULL OR EXISTS (
              SELECT FROM postroom.trade_document_link l JOIN postroom.trade_document d ON d.id = l.document_id
               WHERE l.trade_id = t.id AND d.message_id = $5))
      ORDER BY t.created_at DESC, t.id LIMIT $6`,
    [
      filter.status ?? null,
      filter.username ?? null,
      filter.needsAudit ?? null,
      filter.since ?? null,
      filter.messageId ?? null,
      filter.limit ?? 200,
    ],
  );
  return rows;
}

/** Every trade that a line might be about: by reference, by the reference it speaks of, by its figures. */
export async function findKnownTrades(
  on: Queryable,
  line: { referenceKeys: readonly string[]; facts: TradeFacts },
): Promise<KnownTrade[]> {
  const { rows } = await on.query<KnownTrade & { kinds: DocumentKind[]; hashes: string[] }>(
    `SELECT t.id, t.status, t.reference_key AS "referenceKey", t.facts,
            coalesce((SELECT json_agg(json_build_object('kind',
                        CASE WHEN d.document_type LIKE '%statement' THEN 'statement' ELSE 'note' END,
                        'textHash', d.text_sha256))
                        FROM postroom.trade_document_link l
                        JOIN postroom.trade_document d ON d.id = l.document_id
                       WHERE l.trade_id = t.id), '[]') AS "seenIn"
       FROM postroom.trade t
      WHERE t.reference_key = ANY($1::text[])
         OR (t.trade_date = $2::date AND t.direction = $3 AND t.quantity = $4::numeric)
      ORDER BY t.occurrence, t.created_at, t.id`,
    [line.referenceKeys, line.facts.tradeDate, line.facts.direction, line.facts.quantity],
  );
  return rows;
}

/** Trades by their references as letters and digits alone. */
export async function findByPlainReference(
  on: Queryable,
  references: readonly string[],
): Promise<Trade[]> {
  const { rows } = await on.query<Trade>(
    `SELECT ${COLUMNS} FROM postroom.trade t
      WHERE t.reference IS NOT NULL AND t.status = 'confirmed'
        AND upper(regexp_replace(t.reference, '[^[:alnum:]]', '', 'g')) = ANY($1::text[])`,
    [references],
  );
  return rows;
}

/** How many trades hold this key already, withdrawn ones included: their fingerprints stay taken. */
export async function countByFingerprint(on: Queryable, stem: string): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    "SELECT count(*) AS n FROM postroom.trade WHERE fingerprint = $1 OR fingerprint LIKE $1 || '#%'",
    [stem],
  );
  return rows[0]!.n;
}

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

/** The documents of many trades, each list with its primary one first. */
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
