import { Gauge, type Registry } from "prom-client";
import type { Queryable } from "../store/database.ts";
import { findSinks } from "./sink-table.ts";

/** How the sinks are doing, queried whenever the metrics are read. */
export function registerSinkMetrics(
  registry: Registry,
  needs: { readonly database: Queryable; waiting(): Promise<ReadonlyMap<string, number>> },
): void {
  const registers = [registry];
  const labelNames = ["sink"];
  new Gauge({
    name: "postroom_sink_waiting",
    help: "Messages that a sink has not accepted yet",
    labelNames,
    registers,
    async collect() {
      this.reset();
      for (const [sink, count] of await needs.waiting()) this.set({ sink }, count);
    },
  });
  new Gauge({
    name: "postroom_sink_failures",
    help: "Failures of a sink since it last accepted a message",
    labelNames,
    registers,
    async collect() {
      this.reset();
      for (const { name: sink, failures } of await findSinks(needs.database))
        this.set({ sink }, failures);
    },
  });
}
