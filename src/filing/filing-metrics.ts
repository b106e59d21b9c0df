import { Gauge, type Registry } from "prom-client";
import type { Queryable } from "../store/database.ts";
import { countFilings } from "./filing-table.ts";

/** Filings by state, counted when the metrics are read. */
export function registerFilingMetrics(registry: Registry, database: Queryable): void {
  new Gauge({
    name: "postroom_filings",
    help: "Files on their way to a drive and a record; `refused` and `missing` need a person",
    labelNames: ["state", "source"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { state, source, count } of await countFilings(database))
        this.set({ state, source }, count);
    },
  });
}
