/** The only SQL for the outbox that other programs read. */
import type { Queryable, Transaction } from "../store/database.ts";
import { toJson } from "../store/storable.ts";
import type { LocalSink } from "./sink.ts";

export function openOutboxSink(sink: string): LocalSink {
  return {
    async write(tx, messages) {
      for (const { id, type, at, data } of messages)
        await tx.query(
          `INSERT INTO postroom.sink_outbox (sink, id, type, at, data) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT DO NOTHING`,
          [sink, id, type, at, toJson(data)],
        );
    },
  };
}

/** Removes at most `limit` messages that nobody has read. */
export async function removeOutboxBefore(
  on: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await on.query(
    `DELETE FROM postroom.sink_outbox WHERE (sink, id) IN
       (SELECT sink, id FROM postroom.sink_outbox WHERE written_at < $1 LIMIT $2)`,
    [before, limit],
  );
  return rowCount;
}

export async function removeOutboxOf(on: Queryable, sink: string): Promise<void> {
  await on.query("DELETE FROM postroom.sink_outbox WHERE sink = $1", [sink]);
}

/** Erases the messages with one of these words in them. */
export async function eraseOutbox(tx: Transaction, words: readonly string[]): Promise<void> {
  await tx.query(
    `DELETE FROM postroom.sink_outbox WHERE EXISTS (
       SELECT FROM unnest($1::text[]) AS word WHERE strpos(lower(data::text), word) > 0)`,
    [words],
  );
}
