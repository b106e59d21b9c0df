import type { Database, Queryable, Transaction } from "../../store/database.ts";
import type { Order } from "../order.ts";

export type NewOrder = Omit<Order, "id" | "status"> & { readonly status?: Order["status"] };

const COLUMNS = `id, reference, username, user_email AS "userEmail", holder_name AS "holderName", direction,
  ticker, isin, sedol, cusip, description, quantity::float8 AS quantity,
  limit_price::float8 AS "limitPrice", currency, to_char(placed_on, 'YYYY-MM-DD') AS "placedOn",
  to_char(valid_until, 'YYYY-MM-DD') AS "validUntil", status`;

/**
 * Writes an order under its reference. An executed order keeps its facts: a later file must not change what a trade
 * was matched with. Returns whether anything changed.
 */
export async function putOrder(
  on: Queryable,
  order: NewOrder,
): Promise<{ order: Order; change: "added" | "changed" | "unchanged" }> {
  const { rows } = await on.query<Order & { added: boolean }>(
    `INSERT INTO postroom.trade_order AS o (reference, username, user_email, holder_name, direction, ticker,
            isin, sedol, cusip, description, quantity, limit_price, currency, placed_on, valid_until, status)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
     ON CONFLICT (reference) DO UPDATE SET
        username = EXCLUDED.username, user_email = EXCLUDED.user_email, holder_name = EXCLUDED.holder_name,
        direction = EXCLUDED.direction, ticker = EXCLUDED.ticker, isin = EXCLUDED.isin,
        sedol = EXCLUDED.sedol, cusip = EXCLUDED.cusip, description = EXCLUDED.description,
        quantity = EXCLUDED.quantity, limit_price = EXCLUDED.limit_price, currency = EXCLUDED.currency,
        placed_on = EXCLUDED.placed_on, valid_until = EXCLUDED.valid_until, status = EXCLUDED.status,
        updated_at = postroom.now()
      WHERE o.status <> 'executed'
        AND (o.username, o.user_email, o.holder_name, o.direction, o.ticker, o.isin, o.sedol, o.cusip,
             o.description, o.quantity, o.limit_price, o.currency, o.placed_on, o.valid_until, o.status)
            IS DISTINCT FROM
            (EXCLUDED.username, EXCLUDED.user_email, EXCLUDED.holder_name, EXCLUDED.direction,
             EXCLUDED.ticker, EXCLUDED.isin, EXCLUDED.sedol, EXCLUDED.cusip, EXCLUDED.description,
             EXCLUDED.quantity, EXCLUDED.limit_price, EXCLUDED.currency, EXCLUDED.placed_on,
             EXCLUDED.valid_until, EXCLUDED.status)
     RETURNING ${COLUMNS}, (xmax = 0) AS added`,
    [
      order.reference,
      order.username.toLowerCase(),
      order.userEmail,
      order.holderName,
      order.direction,
      order.ticker,
      order.isin,
      order.sedol,
      order.cusip,
      order.description,
      order.quantity,
      order.limitPrice,
      order.currency,
      order.placedOn,
      order.validUntil,
      order.status ?? "open",
    ],
  );
  const written = rows[0];
  if (written === undefined) {
    return { order: (await getOrderByReference(on, order.reference))!, change: "unchanged" };
  }
  const { added, ...row } = written;
  return { order: row, change: added ? "added" : "changed" };
}

/** Writes all orders or none, so that a file can be imported again as a whole. */
export async function putOrders(
  database: Database,
  orders: readonly NewOrder[],
): Promise<Record<"added" | "changed" | "unchanged", number>> {
  const counts = { added: 0, changed: 0, unchanged: 0 };
  await database.transaction(async (tx) => {
    for (const order of orders) counts[(await putOrder(tx, order)).change] += 1;
  });
  return counts;
}

export interface OrderChange {
  readonly reference: string;
  readonly change: "added" | "changed" | "unchanged";
  /** What a changed order had before and would have. */
  readonly fields: readonly {
    readonly name: string;
    readonly from: string | null;
    readonly to: string | null;
  }[];
}

/** What `putOrders` would do: it does it, in a transaction that is rolled back. */
export async function previewOrders(
  database: Database,
  orders: readonly NewOrder[],
): Promise<OrderChange[]> {
  const changes: OrderChange[] = [];
  const undone = new Error("only a preview");
  await database
    .transaction(async (tx) => {
      for (const order of orders) {
        const before = await getOrderByReference(tx, order.reference);
        const { order: after, change } = await putOrder(tx, order);
        const fields = before === null ? [] : differencesOf(before, after);
        changes.push({ reference: order.reference, change, fields });
      }
      throw undone;
    })
    .catch((error) => {
      if (error !== undone) throw error;
    });
  return changes;
}

function differencesOf(before: Order, after: Order): OrderChange["fields"] {
  const textOf = (value: string | number | null) => (value === null ? null : String(value));
  return (Object.keys(after) as (keyof Order)[])
    .filter((name) => before[name] !== after[name])
    .map((name) => ({ name, from: textOf(before[name]), to: textOf(after[name]) }));
}

export async function getOrder(on: Queryable, id: number): Promise<Order | null> {
  const { rows } = await on.query<Order>(
    `SELECT ${COLUMNS} FROM postroom.trade_order WHERE id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

export async function getOrderByReference(on: Queryable, reference: string): Promise<Order | null> {
  const { rows } = await on.query<Order>(
    `SELECT ${COLUMNS} FROM postroom.trade_order WHERE reference = $1`,
    [reference],
  );
  return rows[0] ?? null;
}

export async function findOrders(
  on: Queryable,
  filter: { status?: Order["status"]; username?: string; after?: number; limit?: number } = {},
): Promise<Order[]> {
  const { rows } = await on.query<Order>(
    `SELECT ${COLUMNS} FROM postroom.trade_order
      WHERE ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR lower($2) IN (username, lower(user_email)))
        AND ($4::bigint IS NULL OR id > $4)
      ORDER BY id LIMIT $3`,
    [filter.status ?? null, filter.username ?? null, filter.limit ?? 500, filter.after ?? null],
  );
  return rows;
}

export async function setOrderStatus(
  on: Queryable,
  id: number,
  status: Order["status"],
): Promise<void> {
  await on.query(
    "UPDATE postroom.trade_order SET status = $2, updated_at = postroom.now() WHERE id = $1",
    [id, status],
  );
}

export async function hasOrders(on: Queryable): Promise<boolean> {
  const { rows } = await on.query("SELECT 1 FROM postroom.trade_order LIMIT 1");
  return rows.length > 0;
}

/** Erases the orders of a person that no trade and no decision refers to. Returns how many. */
export async function eraseOrders(
  tx: Transaction,
  { address, names }: { readonly address: string; readonly names: readonly string[] },
): Promise<number> {
  const { rowCount } = await tx.query(
    `DELETE FROM postroom.trade_order o WHERE (lower(o.user_email) = $1 OR o.username = ANY($2))
        AND NOT EXISTS (SELECT FROM postroom.trade t WHERE t.order_id = o.id)
        AND NOT EXISTS (SELECT FROM postroom.trade_decision d WHERE d.order_id = o.id)`,
    [address, names],
  );
  return rowCount;
}
