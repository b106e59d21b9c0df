/** Traces and metrics, from two processes with the unmodified SDKs to a receiver on this machine. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import type { Tenant } from "../../tenant/index.ts";
import { aTenant, settingsFor, until } from "../helpers/app.ts";
import { endWithUs } from "../helpers/end-with-us.ts";
import { installPackages } from "../servers/packages.ts";
import { type ReceivedSpan, startReceiver } from "./receiver.ts";

const BIN = resolve(import.meta.dirname, "../../bin/postroom.js");
const PACKAGES = resolve(import.meta.dirname, "../helpers/with-azure.mjs");
const CANARY = "zcanary5d1e";
const KEY = "a-key-of-the-receiver";
const WAIT_MS_MAX = 600_000;
vi.setConfig({ testTimeout: WAIT_MS_MAX + 60_000, hookTimeout: 2 * WAIT_MS_MAX });

const folder = mkdtempSync(join(tmpdir(), "postroom-telemetry-"));
const children: ChildProcess[] = [];
/** Those that must not end before the test. */
const working: ReturnType<typeof start>[] = [];
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let tenant: Tenant;
let settings: Record<string, string>;
let key: string;
let mail: string;
let messageId: string;
let unheard: ReturnType<typeof start>;

const start = (role: string, more: Record<string, string> = {}, hasSdk = true) => {
  const { PATH = "", HOME = "", CI = "" } = process.env;
  const env = { PATH, HOME, CI, ...settings, ...more };
  const args = [...(hasSdk ? ["--import", PACKAGES] : []), BIN, "serve", "--role", role];
  const child = endWithUs(spawn(process.execPath, args, { env }));
  children.push(child);
  let said = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (text) => (said += text));
  return { child, said: () => said };
};

/** Three processes share a machine that may be busy: only one that has ended, or the limit of the test, is a failure. */
const eventually = <T>(what: string, look: () => Promise<T | null | undefined | false>) =>
  until(
    what,
    async () => {
      for (const { child, said } of working)
        if (child.exitCode !== null) throw new Error(`a process ended: ${said()}`);
      return look();
    },
    WAIT_MS_MAX,
  );

const call = (path: string, body?: object) =>
  fetch(`${settings["GRAPH_WEBHOOK_URL"]}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

beforeAll(async () => {
  await installPackages();
  receiver = await startReceiver();
  writeFileSync(join(folder, "ca.pem"), receiver.ca);
  tenant = await aTenant();
  settings = await settingsFor(tenant, {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-key=${KEY}`,
    OTEL_METRIC_EXPORT_INTERVAL: "500",
    APPLICATIONINSIGHTS_CONNECTION_STRING: `InstrumentationKey=6f9b7f2e-0000-4000-8000-000000000000;IngestionEndpoint=${receiver.url}/`,
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
    APPLICATION_INSIGHTS_NO_STATSBEAT: "1",
    APPLICATIONINSIGHTS_STATSBEAT_DISABLED_ALL: "1",
  });
  const server = start("intake,api");
  working.push(server);
  const apart = await settingsFor(tenant, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
  unheard = start("worker", { ...apart, PORT: "0" });
  await eventually("the server is ready", async () => {
    const answer = await fetch(`${settings["GRAPH_WEBHOOK_URL"]}/readyz`).catch(() => null);
    return answer?.status === 200;
  });
  key = readFileSync(join(settings["POSTROOM_HOME"]!, "operator-key"), "utf8").trim();
  working.push(start("worker", { PORT: "0", OTEL_SERVICE_NAME: "postroom-worker" }));
  mail = tenant.users[1]!.mail;
  const added = await call("/api/mailboxes", { address: mail, ingestFolder: "Inbox" });
  expect(added.status, await added.text()).toBe(201);
  // The first reading would find the mail without a notification.
  await eventually("the first reading", async () => {
    const { lastDeltaAt } = (await (await call(`/api/mailboxes/${mail}`)).json()) as {
      lastDeltaAt: string | null;
    };
    return lastDeltaAt !== null && tenant.graph.admin.subscriptions().length > 0;
  });
});

afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null) continue;
    child.kill("SIGKILL");
    await new Promise((ended) => child.once("exit", ended));
  }
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** From a span to the request that began its trace. */
function pathTo(span: ReceivedSpan, all: readonly ReceivedSpan[]): ReceivedSpan[] {
  const above = all.find(({ spanId }) => spanId === span.parentSpanId);
  return above === undefined ? [span] : [...pathTo(above, all), span];
}

const effects = () => receiver.spans().filter(({ name }) => name === "effects of ingest-mail");

/** Sends a note and gives the way of its effect. */
async function followNote(seed: string): Promise<ReceivedSpan[]> {
  const note = await makeNote({ seed, kind: "buy", language: "en" });
  const before = new Set(effects().map(({ spanId }) => spanId));
  const [sent] = await tenant.graph.admin.sendMail({
    ...{ to: mail, from: `desk@${CANARY}.example`, subject: `${CANARY} subject` },
    attachments: [{ name: `${CANARY}.pdf`, bytes: note.pdf }],
  });
  messageId = sent!.immutableId;
  return eventually("the effect and what caused it", async () => {
    const effect = effects().find(({ spanId }) => !before.has(spanId));
    if (effect === undefined) return null;
    const path = pathTo(effect, receiver.spans());
    // Each process sends its own spans, so that the first may come last.
    return path[0]!.parentSpanId ? null : path;
  });
}

describe("a trace", () => {
  it("leads from the notification over the jobs and Graph to the effect, across processes", async () => {
    let ofTheMail = await followNote("traced");
    // A round of delta may be faster than a notification; then it is the cause.
    for (let count = 1; ofTheMail[0]!.name !== "POST /webhooks/graph" && count < 10; count++)
      ofTheMail = await followNote(`traced ${count}`);
    expect(ofTheMail.map(({ name, service }) => `${service}: ${name}`)).toEqual([
      "postroom: POST /webhooks/graph",
      "postroom-worker: job mail-changed",
      "postroom-worker: effects of mail-changed",
      "postroom-worker: job ingest-mail",
      "postroom-worker: effects of ingest-mail",
    ]);
    expect(new Set(ofTheMail.map(({ traceId }) => traceId)).size).toBe(1);
    const [first] = ofTheMail;
    const ofGraph = () =>
      receiver
        .spans()
        .filter(({ name, traceId }) => name.startsWith("Graph ") && traceId === first!.traceId);
    await eventually("the calls of Graph", async () => ofGraph().length > 1);
  });

  it("contains no address, subject, file name, secret or token, for either receiver, also after an erasure", async () => {
    const traced = () => call(`/api/trace/${encodeURIComponent(messageId)}`);
    expect(await (await traced()).text()).toContain(mail);
    const erased = await call("/api/erasures", { address: mail, dryRun: false });
    expect(await erased.json()).toMatchObject({ kept: [] });
    expect(await (await traced()).text()).not.toContain(mail);
    await eventually("both receivers got the erasure", async () =>
      ["/v1/traces", "/track"].every((of) =>
        receiver.bodies.some(
          ({ path, text }) => path.includes(of) && text.includes("/api/erasures"),
        ),
      ),
    );
    const text = receiver.bodies.map((each) => each.text).join("\n");
    const { mail: _, displayName, id } = tenant.users[1]!;
    for (const secret of [CANARY, mail, displayName, id, tenant.clientSecret, key, KEY, "eyJ"])
      expect(text.includes(secret), secret).toBe(false);
    const otlp = receiver.bodies.filter(({ path }) => path.startsWith("/v1/"));
    expect(otlp.every(({ headers }) => headers["x-key"] === KEY)).toBe(true);
  });
});

describe("metrics", () => {
  it("are those that /metrics shows", async () => {
    const shown = (await (await call("/metrics")).text()).matchAll(/^# TYPE (postroom_\w+)/gm);
    const names = [...shown].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(10);
    const text = await (await call("/metrics")).text();
    const filled = names.filter((name) =>
      new RegExp(`^${name}[\\w]*(?:\\{.*\\})? `, "m").test(text),
    );
    await eventually("each of them", async () => {
      const sent = receiver.metricNames();
      return filled.every((name) => sent.has(name));
    });
  });
});

it("a receiver that is down is said in the log, and neither the work nor the end needs it", async () => {
  const { child, said } = unheard;
  await eventually("the log says it", async () =>
    said().includes("were not accepted and are lost"),
  );
  expect(said()).toMatch(/"receiver":"OTEL_EXPORTER_OTLP_ENDPOINT".*ECONNREFUSED/);
  expect(said()).not.toContain(KEY);
  child.kill("SIGTERM");
  await new Promise((ended) => child.once("exit", ended));
  expect(child.exitCode).toBe(0);
});

it("without its packages, a receiver stops the start with a line that says what to install", async () => {
  const { child, said } = start("worker", { PORT: "0" }, false);
  await new Promise((ended) => child.once("exit", ended));
  expect(child.exitCode).toBe(2);
  expect(said()).toMatch(/npm install .*@opentelemetry\/sdk-trace-base@/);
});
