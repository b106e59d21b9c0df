import { isUuid } from "../lib/hash.ts";
import type { Queryable, Transaction } from "../store/database.ts";
import { toJson } from "../store/storable.ts";
import type { DocumentKind } from "./document-content.ts";
import type { MatrixRow, OrderState } from "./order.ts";
import type { TradeFacts } from "./trade.ts";

export type TradeStatus = "confirmed" | "cancelled" | "amended" | "withdrawn";

export interface Trade {
  readonly id: string;
  readonly tradeKey: string;
  readonly fingerprint: string;
  readonly referenceKey: string | null;
  readonly economicKey: string;
  readonly occurrence: number;
  readonly status: TradeStatus;
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
  readonly matchMatrix: readonly MatrixRow[];
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
      toJson(facts),
      trade.correctsId,
      trade.orderId,
      trade.orderState,
      toJson(trade.matchMatrix),
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

export async function setTradeMatch(
  on: Queryable,
  id: string,
  match: { orderState: OrderState; matrix: readonly MatrixRow[] },
): Promise<void> {
  await on.query("UPDATE postroom.trade SET order_state = $2, match_matrix = $3 WHERE id = $1", [
    id,
    match.orderState,
    toJson(match.matrix),
  ]);
}

const BOOKING_LOCK = 7_070_020;

/**
 * Serialises booking across workers until the end of the transaction: two copies of a note that arrive at the
 * same moment must see each other.
 */
export async function lockBooking(tx: Transaction): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock($1)", [BOOKING_LOCK]);
}

export async function getTrade(on: Queryable, id: string): Promise<Trade | null> {
  const { rows } = await on.query<Trade>(
    `SELECT ${COLUMNS} FROM postroom.trade t WHERE t.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

export type NamedTrade =
  | { readonly kind: "found"; readonly trade: Trade }
  | { readonly kind: "refused"; readonly isAmbiguous: boolean; readonly why: string };

/** By what people type: an id, or a key or reference if only one trade has it. */
export async function findTradeNamed(on: Queryable, name: string): Promise<NamedTrade> {
  const { rows } = await on.query<Trade>(
    `SELECT ${COLUMNS} FROM postroom.trade t WHERE t.id = $1 OR t.trade_key = $2 OR t.reference = $2
      ORDER BY t.created_at, t.id LIMIT 20`,
    [isUuid(name) ? name : null, name],
  );
  const [trade] = rows;
  if (trade === undefined)
    return {
      kind: "refused",
      isAmbiguous: false,
      why: `there is no trade ${name}; postroom trades list shows the newest`,
    };
  if (rows.length === 1) return { kind: "found", trade };
  const candidates = rows.map(
    (each) => `${each.id} (${each.status}, reference ${each.facts.reference ?? "none"})`,
  );
  const why = `${rows.length} trades are called ${name}; use the ID of one: ${candidates.join(", ")}`;
  return { kind: "refused", isAmbiguous: true, why };
}

export interface TradeFilter {
  readonly status?: Trade["status"];
  readonly usernames?: readonly string[];
  readonly messageId?: string;
  readonly needsAudit?: boolean;
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
  readonly isin?: string;
  /** Continues after the trade of this id. */
  readonly after?: string;
  readonly limit?: number;
}

/** Newest first. */
export async function findTrades(on: Queryable, filter: TradeFilter = {}): Promise<Trade[]> {
  const { rows } = await on.query<Trade>(
    `SELECT ${COLUMNS} FROM postroom.trade t
      WHERE ($1::text IS NULL OR t.status = $1) AND ($2::text[] IS NULL OR t.username = ANY($2))
        AND ($3::boolean IS NULL OR t.needs_audit = $3) AND ($4::timestamptz IS NULL OR t.created_at >= $4)
        AND ($5::text IS NULL OR EXISTS (
              SELECT FROM postroom.trade_document_link l JOIN postroom.trade_document d ON d.id = l.document_id
               WHERE l.trade_id = t.id AND d.message_id = $5))
        AND ($7::timestamptz IS NULL OR t.created_at < $7) AND ($8::text IS NULL OR t.isin = $8)
        AND ($9::uuid IS NULL
             OR (t.created_at, t.id) < (SELECT c.created_at, c.id FROM postroom.trade c WHERE c.id = $9))
      ORDER BY t.created_at DESC, t.id DESC LIMIT $6`,
    [
      filter.status ?? null,
      filter.usernames ?? null,
      filter.needsAudit ?? null,
      filter.since ?? null,
      filter.messageId ?? null,
      filter.limit ?? 200,
      filter.until ?? null,
      filter.isin?.toUpperCase() ?? null,
      filter.after ?? null,
    ],
  );
  return rows;
}

/** The trades that replaced others, by the id of the replaced one. */
export async function findSuccessors(
  on: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await on.query<{ id: string; correctsId: string }>(
    `SELECT id, corrects_id AS "correctsId" FROM postroom.trade
      WHERE corrects_id = ANY($1::uuid[]) AND status <> 'withdrawn' ORDER BY created_at`,
    [ids],
  );
  return new Map(rows.map(({ id, correctsId }) => [correctsId, id]));
}

/** What routing compares a trade line with. */
export interface KnownTrade {
  readonly id: string;
  readonly status: TradeStatus;
  readonly referenceKey: string | null;
  readonly facts: TradeFacts;
  /** The documents that report it. */
  readonly seenIn: readonly { kind: DocumentKind; textHash: string }[];
}

/** Every trade that a trade line might be about: by its reference, the reference it names, or its figures. */
export async function findKnownTrades(
  on: Queryable,
  line: { referenceKeys: readonly (string | null)[]; facts: TradeFacts },
): Promise<KnownTrade[]> {
  const { rows } = await on.query<KnownTrade>(
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

/** Trades by their references, compared by letters and digits only. */
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

/** How many trades have this key, including withdrawn ones: their fingerprints stay taken. */
export async function countByFingerprint(on: Queryable, baseFingerprint: string): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    "SELECT count(*) AS n FROM postroom.trade WHERE fingerprint = $1 OR fingerprint LIKE $1 || '#%'",
    [baseFingerprint],
  );
  return rows[0]!.n;
}

export interface TradeCounts {
  readonly booked: number;
  readonly needsAudit: number;
}

/** Trades that were booked since a moment, and how many of them somebody should look at. */
export async function countTrades(on: Queryable, since: Date): Promise<TradeCounts> {
  const { rows } = await on.query<TradeCounts>(
    `SELECT count(*) AS booked, count(*) FILTER (WHERE needs_audit) AS "needsAudit"
       FROM postroom.trade WHERE created_at >= $1`,
    [since],
  );
  return rows[0]!;
}

/** A trade that corrects an erased one stays without it. Returns how many were erased. */
export async function eraseTrades(tx: Transaction, ids: readonly string[]): Promise<number> {
  await tx.query(
    "UPDATE postroom.trade SET corrects_id = NULL WHERE corrects_id = ANY($1::uuid[])",
    [ids],
  );
  const sql = "DELETE FROM postroom.trade WHERE id = ANY($1::uuid[])";
  return (await tx.query(sql, [ids])).rowCount;
}
