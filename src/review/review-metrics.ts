import { Gauge, type Registry } from "prom-client";
import type { Queryable } from "../store/database.ts";
import { measureOpen } from "./review-table.ts";

/** The questions that wait for a person, queried whenever the metrics are read. */
export function registerReviewMetrics(registry: Registry, database: Queryable): void {
  const registers = [registry];
  new Gauge({
    name: "postroom_reviews_open",
    help: "Questions that wait for a reviewer",
    registers,
    async collect() {
      this.set((await measureOpen(database)).open);
    },
  });
  new Gauge({
    name: "postroom_review_oldest_seconds",
    help: "How long the oldest open question has waited for a reviewer; 0 if there is none",
    registers,
    async collect() {
      this.set((await measureOpen(database)).oldestSeconds);
    },
  });
}
