/** The only SQL for the feed of trades. Triggers add to it, whichever version of the program books. */
import type { Queryable, Transaction } from "../store/database.ts";
import type { TradeStatus } from "./trade-table.ts";

export interface TradeChange {
  readonly position: number;
  /** The same for the same change, even after a restore. */
  readonly id: string;
  readonly trade: string;
  readonly status: TradeStatus;
  readonly at: Date;
}

export async function findTradeChanges(
  on: Queryable,
  after: number,
  limit: number,
): Promise<TradeChange[]> {
  const { rows } = await on.query<TradeChange>(
    `SELECT position, id, trade, status, at FROM postroom.trade_change
      WHERE position > $1 ORDER BY position LIMIT $2`,
    [after, limit],
  );
  return rows;
}

/** 0 if nothing was booked yet. */
export async function getLastTradePosition(on: Queryable): Promise<number> {
  const { rows } = await on.query<{ position: number }>(
    "SELECT coalesce(max(position), 0) AS position FROM postroom.trade_change",
  );
  return rows[0]!.position;
}

export async function countTradeChangesAfter(on: Queryable, position: number): Promise<number> {
  const { rows } = await on.query<{ count: number }>(
    "SELECT count(*) FROM postroom.trade_change WHERE position > $1",
    [position],
  );
  return rows[0]!.count;
}

export async function eraseTradeChanges(tx: Transaction, trades: readonly string[]): Promise<void> {
  await tx.query("DELETE FROM postroom.trade_change WHERE trade = ANY($1::uuid[])", [trades]);
}
