/** The only SQL for sinks: what they are, their positions and their last errors. */
import type { Queryable } from "../store/database.ts";
import { toStorableText } from "../store/database.ts";
import type { SinkKind } from "./sink.ts";

export interface SinkRow {
  readonly id: number;
  readonly name: string;
  readonly kind: SinkKind;
  readonly address: string | null;
  readonly sealed: Buffer | null;
  readonly sendsEvents: boolean;
  readonly sendsTrades: boolean;
  readonly eventPosition: number;
  readonly tradePosition: number;
  readonly sent: number;
  readonly lastSentAt: Date | null;
  readonly failures: number;
  readonly lastError: string | null;
  readonly nextAt: Date | null;
  readonly addedBy: string;
  readonly addedAt: Date;
}

export type NewSink = Pick<
  SinkRow,
  | "name"
  | "kind"
  | "address"
  | "sealed"
  | "sendsEvents"
  | "sendsTrades"
  | "eventPosition"
  | "tradePosition"
  | "addedBy"
>;

export interface Place {
  readonly eventPosition: number;
  readonly tradePosition: number;
}

const COLUMNS = `id, name, kind, address, sealed, sends_events AS "sendsEvents", sends_trades AS "sendsTrades",
  event_position AS "eventPosition", trade_position AS "tradePosition", sent, last_sent_at AS "lastSentAt",
  failures, last_error AS "lastError", next_at AS "nextAt", added_by AS "addedBy", added_at AS "addedAt"`;

/** Null if the name is taken. */
export async function addSink(on: Queryable, sink: NewSink): Promise<SinkRow | null> {
  const { rows } = await on.query<SinkRow>(
    `INSERT INTO postroom.sink (name, kind, address, sealed, sends_events, sends_trades, event_position,
            trade_position, added_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (name) DO NOTHING RETURNING ${COLUMNS}`,
    [
      sink.name,
      sink.kind,
      sink.address,
      sink.sealed,
      sink.sendsEvents,
      sink.sendsTrades,
      sink.eventPosition,
      sink.tradePosition,
      sink.addedBy,
    ],
  );
  return rows[0] ?? null;
}

export async function findSinks(on: Queryable): Promise<SinkRow[]> {
  const { rows } = await on.query<SinkRow>(`SELECT ${COLUMNS} FROM postroom.sink ORDER BY name`);
  return rows;
}

export async function findDueSinks(on: Queryable): Promise<SinkRow[]> {
  const { rows } = await on.query<SinkRow>(
    `SELECT ${COLUMNS} FROM postroom.sink WHERE next_at IS NULL OR next_at <= postroom.now() ORDER BY id`,
  );
  return rows;
}

export async function getSink(on: Queryable, name: string): Promise<SinkRow | null> {
  const { rows } = await on.query<SinkRow>(`SELECT ${COLUMNS} FROM postroom.sink WHERE name = $1`, [
    name,
  ]);
  return rows[0] ?? null;
}

export async function removeSink(on: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await on.query("DELETE FROM postroom.sink WHERE name = $1", [name]);
  return rowCount > 0;
}

/** Moves a sink on, unless somebody else has moved it or it was removed; returns whether it did. */
export async function moveSink(
  on: Queryable,
  id: number,
  from: Place,
  to: Place & { readonly count: number },
): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE postroom.sink SET event_position = $4, trade_position = $5, sent = sent + $6,
            last_sent_at = CASE WHEN $6 > 0 THEN postroom.now() ELSE last_sent_at END,
            failures = 0, last_error = NULL, next_at = NULL
      WHERE id = $1 AND event_position = $2 AND trade_position = $3`,
    [id, from.eventPosition, from.tradePosition, to.eventPosition, to.tradePosition, to.count],
  );
  return rowCount > 0;
}

export async function delaySink(
  on: Queryable,
  id: number,
  delay: { readonly error: string; readonly waitMs: number },
): Promise<void> {
  await on.query(
    `UPDATE postroom.sink SET failures = failures + 1, last_error = $2,
            next_at = postroom.now() + $3 * interval '1 millisecond' WHERE id = $1`,
    [id, toStorableText(delay.error, 500), delay.waitMs],
  );
}
