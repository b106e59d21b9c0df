import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Clock } from "../lib/clock.ts";
import type { IntakeMetrics } from "./graph-notifications.ts";
import { createSlowShare } from "./slow-share.ts";

/** Graph considers an endpoint slow if a tenth of its responses take more than three seconds. */
const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 3, 10];

export function createIntakeMetrics(
  registry: Registry,
  clock: Clock,
): IntakeMetrics & { repeated(count: number): void; slowShare(): number } {
  const registers = [registry];
  const slow = createSlowShare(clock);
  new Gauge({
    name: "postroom_intake_slow_share",
    help: "Share of the responses of the last ten minutes that took more than 10 s",
    registers,
    collect() {
      this.set(slow.share());
    },
  });
  const seconds = new Histogram({
    name: "postroom_intake_seconds",
    help: "How long Graph waited for our response; over 3 s counts as slow, over 10 s as dropped",
    labelNames: ["status"],
    buckets: SECONDS,
    registers,
  });
  const items = new Counter({
    name: "postroom_notifications_total",
    help: "Notifications by whether they proved where they come from",
    labelNames: ["outcome"],
    registers,
  });
  const repeated = new Counter({
    name: "postroom_notifications_repeated_total",
    help: "Notifications that had been accepted before; Graph repeats itself by design",
    registers,
  });
  const refused = new Counter({
    name: "postroom_intake_refused_total",
    help: "Deliveries answered 503 because they could not be stored",
    registers,
  });
  return {
    answered(status, took) {
      seconds.observe({ status: String(status) }, took);
      slow.note(took);
      if (status === 503) refused.inc();
    },
    items: (outcome, count) => items.inc({ outcome }, count),
    repeated: (count) => repeated.inc(count),
    slowShare: slow.share,
  };
}
