import { Gauge, type Registry } from "prom-client";
import type { Queryable } from "../store/database.ts";

/** The questions that wait for a person, queried whenever the metrics are read. */
export function registerReviewMetrics(registry: Registry, database: Queryable): void {
  const registers = [registry];
  new Gauge({
    name: "postroom_reviews_open",
    help: "Questions that wait for a reviewer",
    registers,
    async collect() {
      const { rows } = await database.query<{ open: number }>(
        "SELECT count(*) AS open FROM postroom.review WHERE status = 'open'",
      );
      this.set(rows[0]!.open);
    },
  });
  new Gauge({
    name: "postroom_review_oldest_seconds",
    help: "How long the oldest open question has waited for a reviewer; 0 if there is none",
    registers,
    async collect() {
      const { rows } = await database.query<{ seconds: number | null }>(
        `SELECT extract(epoch FROM postroom.now() - min(opened_at))::float8 AS seconds
           FROM postroom.review WHERE status = 'open'`,
      );
      this.set(rows[0]?.seconds ?? 0);
    },
  });
}
