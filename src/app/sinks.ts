/** Wires the sinks: other programs that get events and trades. */
import { Counter } from "prom-client";
import type { SinkRoutesNeeds } from "../api/sinks/sink-routes.ts";
import { startSinks } from "../flows/sinks/deliver-to-sinks.ts";
import { findWaiting } from "../flows/sinks/find-waiting.ts";
import { getLastPosition } from "../mailbox/events/event-feed-table.ts";
import { registerSinkMetrics } from "../sinks/sink-metrics.ts";
import { getLastTradePosition } from "../trades/trade-change-table.ts";
import type { Foundation } from "./foundation.ts";

export interface Sinks {
  readonly needs: SinkRoutesNeeds;
  /** Begins to deliver; the returned function ends it. */
  begin(): () => Promise<void>;
}

export function createSinks(base: Foundation): Sinks {
  const { database, clock, random, log, seal, metrics, config } = base;
  const needs = { database, clock, random, log, seal, privateHosts: config.sinkPrivateHosts };
  const sent = new Counter({
    name: "postroom_sink_messages_total",
    help: "Messages that a sink has accepted",
    labelNames: ["sink"],
    registers: [metrics],
  });
  const waiting = () => findWaiting(database);
  registerSinkMetrics(metrics, { database, waiting });
  return {
    needs: {
      ...needs,
      waiting,
      newest: async () => ({
        eventPosition: await getLastPosition(database),
        tradePosition: await getLastTradePosition(database),
      }),
    },
    begin: () => startSinks({ ...needs, onSent: (sink, count) => sent.inc({ sink }, count) }),
  };
}
