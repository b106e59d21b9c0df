import { countEventsAfter } from "../../mailbox/events/event-feed-table.ts";
import { findSinks } from "../../sinks/sink-table.ts";
import type { Database } from "../../store/database.ts";
import { countTradeChangesAfter } from "../../trades/trade-change-table.ts";

/** How many messages each sink has not accepted yet, by its name. */
export async function findWaiting(database: Database): Promise<Map<string, number>> {
  const waiting = new Map<string, number>();
  for (const sink of await findSinks(database)) {
    const { sendsEvents, sendsTrades, eventPosition, tradePosition } = sink;
    const events = sendsEvents ? await countEventsAfter(database, eventPosition) : 0;
    const changes = sendsTrades ? await countTradeChangesAfter(database, tradePosition) : 0;
    waiting.set(sink.name, events + changes);
  }
  return waiting;
}
