/** The rules for Prometheus and the dashboard for Grafana name only what a server reports. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { openReviews } from "../../src/review/review-table.ts";
import { anApp, aTenant, type TestApp, watch } from "../helpers/app.ts";

const DEPLOY = resolve(import.meta.dirname, "../../deploy");
const read = (path: string): string => readFileSync(`${DEPLOY}/${path}`, "utf8");

interface Rule {
  readonly alert: string;
  readonly expr: string;
}
const rules = (
  parse(read("prometheus/rules.yaml")) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const panels = (
  JSON.parse(read("grafana/postroom.json")) as {
    panels: { title: string; targets: { expr: string }[] }[];
  }
).panels;

let app: TestApp;
beforeAll(async () => {
  const tenant = await aTenant();
  app = await anApp(tenant);
  await watch(app, tenant, ["nina"]);
});

/** The names and labels that a server reports, with those that Prometheus derives from a histogram. */
async function reported(): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>([["up", ["job"]]]);
  for (const { name } of await app.metrics.getMetricsAsJSON()) {
    const { labelNames = [], constructor: made } = app.metrics.getSingleMetric(name) as unknown as {
      labelNames?: readonly string[];
      constructor: { name: string };
    };
    if (made.name === "Histogram") found.set(`${name}_bucket`, [...labelNames, "le"]);
    else found.set(name, labelNames);
  }
  return found;
}

const namesIn = (expr: string): string[] =>
  [...expr.matchAll(/\bpostroom_\w+|\bup\b/g)].map((match) => match[0]);
/** `{label="value"}` and `by (label)`. */
const labelsIn = (expr: string): string[] => [
  ...[...expr.matchAll(/(\w+)\s*=~?"/g)].map((match) => match[1]!),
  ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap((match) => match[1]!.split(", ")),
];

describe("what is watched", () => {
  it.each([
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ])("%s reads a metric that exists, by labels that it has [OPS-12]", async (_, expr) => {
    const known = await reported();
    const names = namesIn(expr);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    const labels = names.flatMap((name) => known.get(name)!);
    expect(labelsIn(expr).filter((label) => !labels.includes(label))).toEqual([]);
  });

  it("there is an alert for mailboxes, renewals, dead letters, reviews, drift and the disk", () => {
    const watched = rules.flatMap(({ expr }) => namesIn(expr));
    for (const name of [
      ...["mailbox_unread_seconds", "subscription_expiry_seconds", "dead_letters"],
      ...["review_oldest_seconds", "senders_drifting", "disk_free_ratio"],
    ])
      expect(watched).toContain(`postroom_${name}`);
  });
});

describe("the metrics for the alerts", () => {
  const measure = async (name: string) =>
    (await app.metrics.getSingleMetric(name)!.get()).values[0]?.value;

  it("tell how long a mailbox was not read and a question not answered, and how full the disk is", async () => {
    expect(await measure("postroom_review_oldest_seconds")).toBe(0);
    await app.database.transaction((tx) =>
      openReviews(tx, [
        { subject: "order", lineId: null, documentId: null, tradeId: null, reasons: ["test"] },
      ]),
    );
    await app.database.query(
      "UPDATE postroom.review SET opened_at = postroom.now() - interval '3 days'",
    );
    await app.database.query(
      "UPDATE postroom.mailbox SET last_delta_at = postroom.now() - interval '2 hours'",
    );
    expect(await measure("postroom_reviews_open")).toBe(1);
    expect(await measure("postroom_review_oldest_seconds")).toBeGreaterThan(172_800);
    expect(await measure("postroom_mailbox_unread_seconds")).toBeGreaterThan(3_600);
    await app.database.query("UPDATE postroom.mailbox SET status = 'paused'");
    expect(await measure("postroom_mailbox_unread_seconds")).toBe(0);
    expect(await measure("postroom_disk_free_ratio")).toBeGreaterThan(0);
    expect(await measure("postroom_disk_free_ratio")).toBeLessThanOrEqual(1);
  });
});
