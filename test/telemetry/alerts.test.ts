/** People are told about alerts and questions: by mail through the local tenant, and by webhooks on this machine. */

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { alertChecks, openAlertChannels } from "../../src/app/alerts.ts";
import { loadConfig } from "../../src/config.ts";
import { type TellNeeds, tellOnce } from "../../src/flows/sinks/tell-people.ts";
import { createManualClock, type ManualClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { ALERTS, holds, type Series } from "../../src/sinks/alerts/alert.ts";
import { findChannelStates } from "../../src/sinks/alerts/alert-table.ts";
import type { Channel } from "../../src/sinks/alerts/channels.ts";
import type { Tenant } from "../../tenant/index.ts";
import { aLog, anApp, aTenant, type TestApp } from "../helpers/app.ts";

const MINUTE = 60_000;
let tenant: Tenant;
let app: TestApp;
let receiver: Server;
let posted: { path: string; body: string }[] = [];
let status = 200;
let channels: Channel[];
let clock: ManualClock;
let metrics: Series[];
let questions = { count: 0, last: 0 };

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (text) => (body += text));
    request.on("end", () => {
      if (status === 200) posted.push({ path: request.url!, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((ready) => receiver.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  tenant = await aTenant();
  app = await anApp(
    tenant,
    {
      NOTIFY_MAIL_FROM: tenant.users[1]!.mail,
      NOTIFY_MAIL_TO: tenant.users[2]!.mail,
      NOTIFY_TEAMS_URL: `${url}/teams/a-secret-of-teams`,
      NOTIFY_SLACK_URL: `${url}/slack/a-secret-of-slack`,
    },
    { roles: ["api"] },
  );
  channels = openAlertChannels(app.config, app.connections);
});

afterAll(async () => {
  for (const channel of channels) await channel.close();
  receiver.closeAllConnections();
  await new Promise((closed) => receiver.close(closed));
});

beforeEach(async () => {
  await app.database.query("DELETE FROM postroom.alert_line");
  await app.database.query("DELETE FROM postroom.alert");
  clock = createManualClock(Date.parse("2026-11-16T10:00:00Z"));
  metrics = [];
  posted = [];
  status = 200;
  questions = { count: 0, last: 0 };
});

const needs = (): TellNeeds => ({
  ...{ database: app.database, clock, random: systemRandom, log: aLog().log, channels },
  metrics: async () => metrics,
  newQuestions: async (_, after) => (questions.last > after ? questions : { count: 0, last: 0 }),
});
const dead = (value: number): Series[] => [
  { name: "postroom_dead_letters", values: [{ value, labels: { queue: "mail-ingest" } }] },
];
const slack = () =>
  posted
    .filter(({ path }) => path.startsWith("/slack/"))
    .map(({ body }) => (JSON.parse(body) as { text: string }).text);
const look = async (minutes: number): Promise<void> => {
  clock.advance(minutes * MINUTE);
  await tellOnce(needs());
};

describe("an alert", () => {
  it("is told once on each channel when it has held for its time, and once when it is over", async () => {
    metrics = dead(2);
    await tellOnce(needs());
    await look(14);
    expect(posted).toEqual([]);
    await look(1);
    await look(5);
    expect(slack()).toEqual([
      "*Postroom*\nJobs have failed for good (since 2026-11-16 10:00 UTC). To do: postroom dlq causes groups them.",
    ]);
    const [card] = posted.filter(({ path }) => path.startsWith("/teams/"));
    expect(JSON.parse(card!.body).attachments[0].content.body[1].text).toMatch(/^Jobs have failed/);
    metrics = dead(0);
    await look(2);
    await look(2);
    expect(slack()).toHaveLength(2);
    expect(slack()[1]).toContain("Over: Jobs have failed for good");
    const mails = await mailOf(tenant.users[2]!.mail);
    expect(mails.map(({ bodyPreview }) => bodyPreview.trim().split(" ")[0]).sort()).toEqual([
      "Jobs",
      "Over:",
    ]);
  });

  it("that ends before its time is not told at all", async () => {
    metrics = dead(1);
    await tellOnce(needs());
    metrics = [];
    await look(14);
    metrics = dead(1);
    await look(14);
    await look(14);
    expect(posted).toEqual([]);
  });

  it("waits for a receiver that is down, and then arrives once with what came meanwhile", async () => {
    metrics = dead(1);
    await tellOnce(needs());
    status = 503;
    await look(15);
    const states = await findChannelStates(app.database);
    expect(states.find(({ channel }) => channel === "slack")).toMatchObject({
      lastError: "the receiver answered with 503",
      waiting: 1,
    });
    const doctor = await app.server.inject({
      url: "/api/doctor",
      headers: { authorization: `Bearer ${app.operatorKey}` },
    });
    const checks = doctor.json() as { name: string; status: string }[];
    expect(checks.find(({ name }) => name === "alerts")?.status).toBe("failed");
    expect(doctor.body).not.toContain("a-secret-of");
    const [check] = alertChecks(
      { ...app.config, notify: { ...app.config.notify!, slackUrl: null } },
      app.database,
    );
    expect(await check!.check()).toMatchObject({
      status: "failed",
      detail: expect.not.stringContaining("slack"),
    });
    status = 200;
    questions = { count: 3, last: 7 };
    await look(120);
    await look(120);
    expect(slack()).toHaveLength(1);
    expect(slack()[0]).toMatch(/2 messages.*\nJobs have failed[^\n]*\n3 new questions wait/);
  });

  it("a channel gets at most one message a minute", async () => {
    metrics = dead(1);
    await tellOnce(needs());
    await look(15);
    metrics = dead(0);
    await look(0.5);
    expect(slack()).toHaveLength(1);
    await look(1);
    expect(slack()).toHaveLength(2);
  });
});

describe("questions", () => {
  it("are counted and told once, and the next ones a quarter of an hour later", async () => {
    questions = { count: 1, last: 1 };
    await tellOnce(needs());
    await look(2);
    questions = { count: 4, last: 5 };
    await look(2);
    expect(slack()).toEqual([
      "*Postroom*\nOne new question waits for a reviewer. To do: postroom review list.",
    ]);
    await look(12);
    expect(slack()[1]).toContain("4 new questions wait");
  });
});

describe("the conditions", () => {
  it("are those of the rules for Prometheus, but for a process that is down", () => {
    const path = resolve(import.meta.dirname, "../../deploy/prometheus/rules.yaml");
    const { groups } = parse(readFileSync(path, "utf8")) as { groups: { rules: Rule[] }[] };
    const rules = groups.flatMap((group) => group.rules).slice(1);
    const minutes = (text: string) => Number.parseInt(text, 10) * (text.endsWith("h") ? 60 : 1);
    expect(ALERTS).toEqual(
      rules.map((rule) => ({
        ...{ name: rule.alert, expr: rule.expr, forMinutes: minutes(rule.for) },
        ...{ summary: rule.annotations.summary, todo: rule.annotations.description },
      })),
    );
  });

  it("hold by sum, by any series, below a limit, and only for the label that is named", () => {
    const series = (name: string, ...values: [number, Record<string, string>?][]): Series[] => [
      { name, values: values.map(([value, labels = {}]) => ({ value, labels })) },
    ];
    const named = (name: string) => ALERTS.find((each) => each.name === `Postroom${name}`)!;
    expect(holds(named("DiskFull"), series("postroom_disk_free_ratio", [0.5], [0.05]))).toBe(true);
    expect(holds(named("DiskFull"), series("postroom_disk_free_ratio", [0.5]))).toBe(false);
    expect(holds(named("DiskFull"), [])).toBe(false);
    const mailboxes = (status: string) => series("postroom_mailboxes", [1, { status }]);
    expect(holds(named("MailboxUnreachable"), mailboxes("active"))).toBe(false);
    expect(holds(named("MailboxUnreachable"), mailboxes("unreachable"))).toBe(true);
    expect(holds(named("JobsWait"), series("postroom_jobs_oldest_seconds", [1], [901]))).toBe(true);
  });
});

it("a webhook may not point into the network", () => {
  const config = loadConfig({ NOTIFY_SLACK_URL: "https://169.254.169.254/x" });
  expect(() => openAlertChannels(config, app.connections)).toThrow("NOTIFY_SLACK_URL: 169.254");
});

it("a receiver that cannot be reached is named without the path, which is its secret", async () => {
  const config = loadConfig({
    NOTIFY_SLACK_URL: "http://127.0.0.1:1/services/T0/a-secret-of-slack",
  });
  const [channel] = openAlertChannels(config, app.connections);
  const error: Error = await channel!.send("a test", []).then(
    () => new Error("it was taken"),
    (failed: Error) => failed,
  );
  await channel!.close();
  expect(error.message).toBe("the receiver cannot be reached: connect ECONNREFUSED 127.0.0.1:1");
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly annotations: { readonly summary: string; readonly description: string };
}

async function mailOf(address: string) {
  const graph = app.connections.graph("default");
  const path = `/users/${address}/mailFolders/inbox/messages?$select=bodyPreview&$orderby=receivedDateTime`;
  const { value } = await graph.call<{ value: { bodyPreview: string }[] }>({ path });
  return value;
}
