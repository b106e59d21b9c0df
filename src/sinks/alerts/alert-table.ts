/** Which conditions hold, and the lines that wait to be sent to people. */
import type { Queryable, Transaction } from "../../store/database.ts";
import { toStorableText } from "../../store/database.ts";

export interface StandingAlert {
  readonly name: string;
  readonly since: Date;
  readonly isTold: boolean;
  readonly position: number;
}

export async function findStanding(on: Queryable): Promise<StandingAlert[]> {
  const { rows } = await on.query<StandingAlert>(
    `SELECT name, since, is_told AS "isTold", position FROM postroom.alert ORDER BY name`,
  );
  return rows;
}

export async function putStanding(tx: Transaction, alert: StandingAlert): Promise<void> {
  await tx.query(
    `INSERT INTO postroom.alert (name, since, is_told, position) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name) DO UPDATE SET since = $2, is_told = $3, position = $4`,
    [alert.name, alert.since, alert.isTold, alert.position],
  );
}

export async function removeStanding(tx: Transaction, name: string): Promise<void> {
  await tx.query("DELETE FROM postroom.alert WHERE name = $1", [name]);
}

export async function addLine(
  tx: Transaction,
  channels: readonly string[],
  text: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO postroom.alert_line (channel, text, at, next_at)
     SELECT channel, $2, $3, $3 FROM unnest($1::text[]) AS channel`,
    [channels, text, now],
  );
}

/** Lines of a channel that are due, unless it was sent something less than `pauseMs` ago; oldest first. */
export async function findDueLines(
  on: Queryable,
  channel: string,
  look: { readonly now: Date; readonly pauseMs: number; readonly limit: number },
): Promise<{ readonly id: number; readonly text: string; readonly attempts: number }[]> {
  const { rows } = await on.query<{ id: number; text: string; attempts: number }>(
    `SELECT id, text, attempts FROM postroom.alert_line
      WHERE channel = $1 AND sent_at IS NULL AND next_at <= $2
        AND NOT EXISTS (SELECT FROM postroom.alert_line s WHERE s.channel = $1 AND s.sent_at > $3)
      ORDER BY id LIMIT $4`,
    [channel, look.now, new Date(look.now.getTime() - look.pauseMs), look.limit],
  );
  return rows;
}

export async function markSent(on: Queryable, ids: readonly number[], now: Date): Promise<void> {
  await on.query(
    "UPDATE postroom.alert_line SET sent_at = $2, last_error = NULL WHERE id = ANY($1::bigint[])",
    [ids, now],
  );
}

export async function delayLines(
  on: Queryable,
  ids: readonly number[],
  nextAt: Date,
  why: string,
): Promise<void> {
  await on.query(
    `UPDATE postroom.alert_line SET attempts = attempts + 1, next_at = $2, last_error = $3
      WHERE id = ANY($1::bigint[])`,
    [ids, nextAt, toStorableText(why, 500)],
  );
}

export async function removeLinesBefore(on: Queryable, before: Date): Promise<void> {
  await on.query("DELETE FROM postroom.alert_line WHERE at < $1", [before]);
}

export interface ChannelState {
  readonly channel: string;
  readonly waiting: number;
  readonly lastError: string | null;
}

export async function findChannelStates(on: Queryable): Promise<ChannelState[]> {
  const { rows } = await on.query<ChannelState>(
    `SELECT channel, count(*) FILTER (WHERE sent_at IS NULL) AS waiting,
            max(last_error) FILTER (WHERE sent_at IS NULL) AS "lastError"
       FROM postroom.alert_line GROUP BY channel`,
  );
  return rows;
}
