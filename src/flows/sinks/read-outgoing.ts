/** The events and changes of trades that a sink has not had yet, in order, and its position after each. */
import { findEventsToSend } from "../../mailbox/events/event-table.ts";
import type { SinkMessage } from "../../sinks/sink.ts";
import type { Place, SinkRow } from "../../sinks/sink-table.ts";
import type { Database } from "../../store/database.ts";
import { findTradeChanges, type TradeChange } from "../../trades/trade-change-table.ts";
import { getTrade } from "../../trades/trade-table.ts";
import { toViews } from "../../trades/trade-view.ts";

/** A message, and the sink's position once it has accepted the message. */
export interface Outgoing {
  readonly message: SinkMessage;
  readonly after: Place;
}

export const PAGE = 100;

export async function readOutgoing(
  database: Database,
  sink: Pick<SinkRow, "sendsEvents" | "sendsTrades" | keyof Place>,
): Promise<Outgoing[]> {
  const { eventPosition, tradePosition } = sink;
  const events = sink.sendsEvents ? await findEventsToSend(database, eventPosition, PAGE) : [];
  const sent = events.map(({ id, event }) => ({
    message: { id: `evt_${id}`, type: `mail.${event.eventType}`, at: event.seenAt, data: event },
    after: { eventPosition: event.seq, tradePosition },
  }));
  const last = events.at(-1)?.event.seq ?? eventPosition;
  const changes = sink.sendsTrades ? await findTradeChanges(database, tradePosition, PAGE) : [];
  const booked: Outgoing[] = [];
  for (const change of changes)
    booked.push({
      message: await toTradeMessage(database, change),
      after: { eventPosition: last, tradePosition: change.position },
    });
  return [...sent, ...booked];
}

/** The trade as it is now. One that was erased meanwhile has only its id. */
async function toTradeMessage(database: Database, change: TradeChange): Promise<SinkMessage> {
  const trade = await getTrade(database, change.trade);
  const [view] = trade === null ? [] : await toViews(database, [trade]);
  return {
    id: `trd_${change.id}`,
    type: `trade.${change.status}`,
    at: change.at,
    data: view ?? { id: change.trade },
  };
}
