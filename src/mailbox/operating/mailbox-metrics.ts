import { Gauge, type Registry } from "prom-client";
import type { Queryable } from "../../store/database.ts";

/** The state of the mailboxes, queried whenever the metrics are read. */
export function registerMailboxMetrics(registry: Registry, database: Queryable): void {
  const registers = [registry];
  new Gauge({
    name: "postroom_mailboxes",
    help: "Watched mailboxes by state and by how their mail reaches us; `poll` means that notifications are silent",
    labelNames: ["status", "delivery"],
    registers,
    async collect() {
      this.reset();
      const { rows } = await database.query<{ status: string; delivery: string; n: number }>(
        "SELECT status, delivery, count(*) AS n FROM postroom.mailbox GROUP BY 1, 2",
      );
      for (const { status, delivery, n } of rows) this.set({ status, delivery }, n);
    },
  });
  new Gauge({
    name: "postroom_subscription_expiry_seconds",
    help: "Time until the first active subscription runs out",
    registers,
    async collect() {
      const { rows } = await database.query<{ seconds: number | null }>(
        "SELECT extract(epoch FROM min(expires_at) - postroom.now())::float8 AS seconds FROM postroom.subscription WHERE status = 'active'",
      );
      if (rows[0]?.seconds != null) this.set(rows[0].seconds);
    },
  });
  new Gauge({
    name: "postroom_mailbox_unread_seconds",
    help: "Time since the active mailbox that has waited longest was last read; 0 if there is none",
    registers,
    async collect() {
      const { rows } = await database.query<{ seconds: number | null }>(
        `SELECT extract(epoch FROM postroom.now() - min(coalesce(last_delta_at, ingest_since)))::float8 AS seconds
           FROM postroom.mailbox WHERE status = 'active'`,
      );
      this.set(Math.max(0, rows[0]?.seconds ?? 0));
    },
  });
  new Gauge({
    name: "postroom_delta_resets",
    help: "How often Graph had forgotten our place, over all folders",
    registers,
    async collect() {
      const { rows } = await database.query<{ n: number }>(
        "SELECT coalesce(sum(resets), 0) AS n FROM postroom.folder",
      );
      this.set(rows[0]!.n);
    },
  });
}
