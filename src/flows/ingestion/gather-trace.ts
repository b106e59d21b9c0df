import { placeEvents } from "../../mailbox/events/event-feed-table.ts";
import { findLocations, findMailSteps } from "../../mailbox/operating/trace-mail.ts";
import type { Database } from "../../store/database.ts";
import { findDecisionSteps, findSources, findWalkSteps } from "../../trades/trace-trades.ts";

/** `ownerId` is null for an operator, who sees every mailbox and, unlike others, trades. */
export interface Viewer {
  readonly ownerId: string | null;
}

/** Everything that is known about a message, a trade, a document or a file, in the order in which it happened. */
export async function gatherTrace(database: Database, id: string, { ownerId }: Viewer) {
  const isOperator = ownerId === null;
  const found = isOperator ? await findSources(database, id) : [];
  const named = found.length > 0 ? found : [id];
  const deliveries = await findLocations(database, named, ownerId);
  const messageIds = deliveries.map((location) => location.messageId);
  const sources = isOperator ? [...new Set([...named, ...messageIds])] : messageIds;
  await placeEvents(database);
  const steps = await Promise.all([
    findMailSteps(database, messageIds),
    findWalkSteps(database, sources),
    isOperator ? findDecisionSteps(database, sources) : [],
  ]);
  return { id, deliveries, steps: steps.flat().sort((a, b) => Number(a.at) - Number(b.at)) };
}
