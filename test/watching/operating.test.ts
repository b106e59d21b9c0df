import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CommandError } from "../../src/cli/base/exit.ts";
import { createOutput, type Output } from "../../src/cli/base/output.ts";
import { auditCommand } from "../../src/cli/mail/audit.ts";
import { createGraphSubscriptionCommand } from "../../src/cli/mail/create-graph-subscription.ts";
import { eventsCommand } from "../../src/cli/mail/events.ts";
import { mailboxCommand } from "../../src/cli/mail/mailbox.ts";
import { subscriptionsCommand } from "../../src/cli/mail/subscriptions.ts";
import { buildCli } from "../../src/cli/main.ts";
import { doctorCommand } from "../../src/cli/server/doctor.ts";
import { traceCommand } from "../../src/cli/trades/trace.ts";
import { answerOf } from "../../src/client/index.ts";
import { auditMailboxes, ensureSubscriptionsJob } from "../../src/flows/specs/watching.ts";
import { findEvents } from "../../src/mailbox/events/event-table.ts";
import type { Tenant } from "../../tenant/index.ts";
import { anApp, aTenant, type TestApp, until, watch } from "../helpers/app.ts";
import { clientFor } from "../helpers/client.ts";

let tenant: Tenant;
let app: TestApp;
let nina: { id: string; mail: string };

beforeAll(async () => {
  tenant = await aTenant();
  const [, person] = tenant.users;
  nina = person!;
  const refresh = await refreshTokenOf(tenant, nina.mail);
  const api = tenant.apps.find((one) => one.displayName !== "Postroom" && one.secrets.length > 0)!;
  app = await anApp(tenant, {
    GRAPH_CLIENT_STATE: "a shared secret of thirty-two characters",
    TENANT_ID: tenant.tenantId,
    API_APP_ID: api.appId,
    API_CLIENT_SECRET: api.secrets[0]!,
    Connections__personal__TenantId: tenant.tenantId,
    Connections__personal__ClientId: tenant.clientId,
    Connections__personal__ClientSecret: tenant.clientSecret,
    Connections__personal__RefreshToken: refresh,
  });
  await watch(app, tenant, ["nina"]);
  process.env["POSTROOM_HOME"] = app.home;
  process.env["PORT"] = String(app.port);
});
const before = { home: process.env["POSTROOM_HOME"], port: process.env["PORT"] };
afterAll(() => {
  restore("POSTROOM_HOME", before.home);
  restore("PORT", before.port);
});

describe("postroom mailbox", () => {
  it.each([
    ["lobby.kiosk@ashdown.example", "no licence, or it is on premises"],
    ["nobody@ashdown.example", "no such user"],
    ["guest_x.example#EXT#@ashdown.example", "guest of this tenant"],
  ])("mailbox add %s is refused with the reason in words [R23]", async (address, words) => {
    const { exitCode, error } = await run(mailboxCommand, "add", address);
    expect(exitCode).toBe(1);
    expect(error).toContain(words);
  });

  it("a connection with one person's consent reads only that person's mailbox [R19] [GRA-06]", async () => {
    const other = await run(
      mailboxCommand,
      "add",
      "operations@ashdown.example",
      "--connection",
      "personal",
    );
    expect(other).toMatchObject({ exitCode: 1, error: expect.stringContaining("one person") });
    expect(await app.connections.personOf("personal")).toBe(nina.id);
    expect(await app.connections.getAccessTokenForMailbox({ connection: "personal" })).not.toBe(
      await app.connections.getAccessTokenForMailbox({ connection: "default" }),
    );
  });

  it("mailbox list, verify, pause, resume, resync, exclude, include and folders say what they did", async () => {
    expect((await run(mailboxCommand, "list", "--json")).json[0]).toMatchObject({
      address: nina.mail,
      delivery: "push",
    });
    expect((await run(mailboxCommand, "verify", nina.mail)).text).toContain("readable");
    expect((await run(mailboxCommand, "pause", nina.mail, "--dry-run")).exitCode).toBe(0);
    expect((await run(mailboxCommand, "pause", nina.mail, "--json")).json).toEqual([
      { address: nina.mail, status: "paused" },
    ]);
    await run(mailboxCommand, "resume", nina.mail);
    expect((await run(mailboxCommand, "exclude", nina.mail, "Junk Email")).exitCode).toBe(0);
    const folders = (await run(mailboxCommand, "folders", nina.mail, "--json")).json;
    expect(folders.find((folder) => folder["wellKnown"] === "junkemail")).toMatchObject({
      isExcluded: true,
    });
    expect((await run(mailboxCommand, "include", nina.mail, "Junk Email")).exitCode).toBe(0);
    expect((await run(mailboxCommand, "exclude", nina.mail, "No such")).exitCode).toBe(1);
    expect((await run(mailboxCommand, "resync", nina.mail)).exitCode).toBe(0);
    await app.jobs.workUntilIdle();
  });

  it("mailbox verify names a policy that blocks us, and the mailbox shows it until it is lifted [R23]", async () => {
    tenant.graph.admin.restrictApp(tenant.clientId, ["operations@ashdown.example"]);
    const refused = await run(mailboxCommand, "verify", nina.mail);
    expect(refused).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining("application access policy"),
    });
    const [view] = (await run(mailboxCommand, "list", "--json")).json;
    expect(view).toMatchObject({
      status: "unreachable",
      statusReason: expect.stringContaining("policy"),
    });
    const { exitCode, text } = await run(doctorCommand, "--outside", "settlements@ashdown.example");
    expect(exitCode).toBe(1);
    expect(text).toContain("outside settlements@ashdown.example: out of reach");
    tenant.graph.admin.restrictApp(tenant.clientId, null);
    expect((await run(mailboxCommand, "verify", nina.mail)).exitCode).toBe(0);
  });
});

describe("postroom sub", () => {
  it("sub list, ensure, rotate and orphans say what they did", async () => {
    const [old] = (await run(subscriptionsCommand, "list", "--json")).json.filter(
      (row) => row["status"] === "active",
    );
    const listed = (await run(subscriptionsCommand, "list")).text.split("\n");
    expect(listed.find((line) => line.includes(String(old!["subscriptionId"])))).toMatch(
      /^\S+@ashdown\.example +/,
    );
    expect((await run(subscriptionsCommand, "ensure", "--json")).json[0]).toMatchObject({
      result: "kept",
    });
    expect(
      (await run(subscriptionsCommand, "rotate", "--mailbox", nina.mail, "--json")).json,
    ).toMatchObject([{ result: "recreated" }]);
    expect(tenant.graph.admin.subscriptions().map((one) => one.id)).not.toContain(
      old!["subscriptionId"],
    );
    expect((await run(subscriptionsCommand, "orphans", "--delete")).exitCode).toBe(0);
    expect((await run(subscriptionsCommand, "rotate", "--certificate")).exitCode).toBe(2);
  });

  it("create-graph-subscription lists missing settings, creates the first subscription and keeps it [SUB-32] [SUB-33]", async () => {
    const bare = await run(createGraphSubscriptionCommand);
    expect(bare.exitCode).toBe(2);
    for (const name of ["GRAPH_TENANT_ID", "GRAPH_MAILBOX_EMAIL", "GRAPH_CLIENT_STATE"])
      expect(bare.error).toContain(name);
    const settings = {
      GRAPH_TENANT_ID: tenant.tenantId,
      GRAPH_CLIENT_ID: tenant.clientId,
      GRAPH_CLIENT_SECRET: tenant.clientSecret,
      GRAPH_MAILBOX_EMAIL: "operations@ashdown.example",
      GRAPH_CLIENT_STATE: "a shared secret of thirty-two characters",
      GRAPH_WEBHOOK_URL: `http://127.0.0.1:${app.port}`,
    };
    Object.assign(process.env, settings);
    try {
      const first = await run(createGraphSubscriptionCommand, "--json");
      expect(first.json).toMatchObject([
        { result: "created", mailbox: "operations@ashdown.example" },
      ]);
      const count = tenant.graph.admin.subscriptions().length;
      const second = await run(createGraphSubscriptionCommand);
      expect(second).toMatchObject({ exitCode: 0, text: expect.stringContaining("already") });
      expect(tenant.graph.admin.subscriptions()).toHaveLength(count);
      const { rows } = await app.database.query(
        "SELECT resource FROM padealing.graph_subscription_state WHERE status = 'active' AND resource LIKE '%mailFolders/Inbox%'",
      );
      expect(rows).toHaveLength(1);
    } finally {
      for (const name of Object.keys(settings)) delete process.env[name];
    }
  });

  it("subscriptions are checked every two hours and daily at nine, with one schedule however often it is registered [SUB-19] [SUB-22] [DLT-01] [JOB-23]", async () => {
    const { rows } = await app.database.query<{ name: string; rule: string }>(
      "SELECT name, rule FROM postroom.job_schedule ORDER BY name",
    );
    const rules = Object.fromEntries(rows.map((row) => [row.name, row.rule]));
    expect(rules).toMatchObject({
      graph_subscription_renewal: "0 9 * * * UTC",
      "subscription-renewal": "0 */2 * * *",
      delta: "every 15m",
    });
    expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
  });
});

describe("jobs and metrics", () => {
  it("the renewal job leaves its result with the jobs and in the log [OPS-14] [SUB-20]", async () => {
    await app.database.transaction((tx) =>
      app.jobs.queue.add(tx, ensureSubscriptionsJob, [
        { subjectId: "all", idempotencyKey: "renewal-test", payload: { reason: "daily" } },
      ]),
    );
    await app.jobs.workUntilIdle();
    const { rows } = await app.database.query<{ note: string; state: string }>(
      "SELECT note, state FROM postroom.job WHERE key LIKE '%renewal-test'",
    );
    expect(rows).toMatchObject([{ state: "Completed", note: expect.stringMatching(/\d kept/) }]);
    const line = app.logLines.findLast((one) => one["job"] === "graph_subscription_renewal");
    expect(line).toMatchObject({ level: "info", reason: "daily" });
  });

  it("resets, repeats and events are counted without raising an alarm [OPS-12]", async () => {
    const text = await app.metrics.metrics();
    for (const name of [
      "postroom_delta_resets_total",
      "postroom_notifications_repeated_total",
      "postroom_events_total",
      'postroom_mailboxes{status="active",delivery="push"}',
      "postroom_subscription_expiry_seconds",
    ])
      expect(text).toContain(name);
    expect(app.logLines.filter((line) => line["level"] === "error")).toEqual([]);
  });
});

describe("postroom events, trace and audit", () => {
  beforeAll(async () => {
    for (const [index, from] of ["a@one.example", "b@one.example", "c@two.example"].entries())
      await tenant.graph.admin.sendMail({
        to: [nina.mail, "operations@ashdown.example"],
        subject: `Note ${index}`,
        internetMessageId: `<note-${index}@brokers.example>`,
        from,
      });
    await until(
      "six events",
      async () => (await findEvents(app.database, { text: "Note" })).length === 6,
    );
  });

  it("events are listed with filters and pages, by sender and by day [X-15]", async () => {
    const list = await run(
      eventsCommand,
      "list",
      "--mailbox",
      nina.mail,
      "--sender-domain",
      "one.example",
      "--json",
    );
    expect(list.json.map((event) => event["subject"]).sort()).toEqual(["Note 0", "Note 1"]);
    const get = (url: string) => call("GET", url, app.operatorKey);
    expect((await get("/api/events?limit=201")).statusCode).toBe(400);
    const page = (await get(`/api/events?limit=2&mailbox=${nina.mail}&text=Note`)).json();
    expect(page.events).toHaveLength(2);
    const rest = (
      await get(`/api/events?limit=2&mailbox=${nina.mail}&text=Note&cursor=${page.next}`)
    ).json();
    expect(rest).toMatchObject({ events: [{ mailbox: nina.mail }], next: null });
    const senders = (await get(`/api/events/senders?mailbox=${nina.mail}&text=Note`)).json();
    expect(senders.map((row: { email: string }) => row.email)).toEqual([
      "a@one.example",
      "b@one.example",
      "c@two.example",
    ]);
    const {
      days: [day],
    } = (await get(`/api/events/timeline?mailbox=${nina.mail}&type=arrived`)).json();
    expect(day).toMatchObject({ eventType: "arrived" });
    expect((await get("/api/events?since=yesterday")).statusCode).toBe(400);
  });

  it("a person sees only their own mailboxes [OBS-19] [H-10]", async () => {
    const api = app.config.api!;
    const token = (user: string) =>
      tenant.tokenFor({
        user,
        app: tenant.apps.at(-1)!.appId,
        scope: `api://${api.appId}/user_impersonation`,
      });
    const own = (await call("GET", "/api/events?limit=200", token(nina.mail))).json();
    expect(new Set(own.events.map((event: { mailbox: string }) => event.mailbox))).toEqual(
      new Set([nina.mail]),
    );
    const stranger = token("omar.haddad@ashdown.example");
    expect((await call("GET", "/api/events", stranger)).json().events).toEqual([]);
    expect((await call("GET", `/api/mailboxes/${nina.mail}`, stranger)).statusCode).toBe(404);
    expect((await call("POST", `/api/mailboxes/${nina.mail}/audit`, stranger)).statusCode).toBe(
      404,
    );
    expect((await call("POST", "/api/mailboxes", stranger)).statusCode).toBe(403);
    expect((await call("GET", "/api/subscriptions", stranger)).statusCode).toBe(403);
    expect((await call("GET", "/api/doctor", stranger)).statusCode).toBe(403);
    expect((await call("GET", "/api/events", "")).statusCode).toBe(401);
  });

  it("trace shows one message in two mailboxes as one message with two deliveries", async () => {
    const [event] = await findEvents(app.database, { mailbox: nina.mail, text: "Note 2" });
    const { json } = await run(traceCommand, event!.internetMessageId!, "--json");
    expect(json[0]).toMatchObject({
      deliveries: [{ mailbox: nina.mail }, { mailbox: "operations@ashdown.example" }],
    });
    const kinds = (json[0]!["steps"] as { kind: string }[]).map((step) => step.kind);
    expect(kinds).toEqual(expect.arrayContaining(["notification", "job", "event"]));
  });

  it("audit names exactly the rows that were deleted from the log, and repairs them", async () => {
    await app.jobs.workUntilIdle();
    expect((await run(auditCommand, "--mailbox", nina.mail)).exitCode).toBe(0);
    const victims = await app.database.query<{ id: string }>(
      "DELETE FROM postroom.event WHERE subject IN ('Note 0', 'Note 2') AND mailbox = (SELECT id FROM postroom.mailbox WHERE address = $1) RETURNING message_id AS id",
      [nina.mail],
    );
    const found = await run(auditCommand, "--mailbox", nina.mail, "--json");
    expect(found.exitCode).toBe(1);
    const findings = found.json[0]!["findings"] as {
      messageId: string;
      kind: string;
      cause: string;
    }[];
    expect(findings.map((finding) => finding.messageId).sort()).toEqual(
      victims.rows.map((row) => row.id).sort(),
    );
    expect(findings[0]).toMatchObject({ kind: "missing", cause: "the log has no event of it" });
    const repaired = await run(auditCommand, "--mailbox", nina.mail, "--repair", "--json");
    expect(repaired).toMatchObject({ exitCode: 0, json: [{ repaired: 2 }] });
    expect((await run(auditCommand, "--mailbox", nina.mail)).text).toContain("equal");
    const [back] = await findEvents(app.database, { mailbox: nina.mail, text: "Note 0" });
    expect(back).toMatchObject({ eventType: "arrived", seenBy: "audit" });
    const answer = await call("POST", `/api/mailboxes/${nina.mail}/audit`, app.operatorKey);
    expect(answer.json()).toMatchObject({ findings: [], mailbox: nina.mail });
  });

  it("the nightly audit is one job for each mailbox", async () => {
    await app.database.transaction((tx) =>
      app.jobs.queue.add(tx, auditMailboxes, [
        { subjectId: "all", idempotencyKey: "tonight", payload: { mailbox: null, repair: false } },
      ]),
    );
    await app.jobs.workUntilIdle();
    const { rows } = await app.database.query(
      `SELECT j.state, j.payload ->> 'mailbox' AS mailbox FROM postroom.job j
        WHERE j.type = 'audit-mailboxes' AND (j.key = 'tonight' OR j.key LIKE 'audit-%') ORDER BY 2 NULLS FIRST`,
    );
    const active = await app.database.query(
      "SELECT 'Completed' AS state, id::text AS mailbox FROM postroom.mailbox WHERE status = 'active' ORDER BY 2",
    );
    expect(rows).toEqual([{ state: "Completed", mailbox: null }, ...active.rows]);
    // What it kept for a restart goes with it.
    expect((await app.database.query("SELECT FROM postroom.audit_page")).rowCount).toBe(0);
  });

  it("audit also finds stale and extra rows", async () => {
    const [mail] = await findEvents(app.database, { mailbox: nina.mail, text: "Note 1" });
    await app.database.query("UPDATE postroom.event SET is_read = true WHERE message_id = $1", [
      mail!.messageId,
    ]);
    await app.database.query(
      `INSERT INTO postroom.event (user_id, mailbox, message_id, event_type, change, at, seen_by, seen_at, folder_id,
         is_read, flag, categories, importance, has_attachments, has_list_unsubscribe, is_automated)
       SELECT user_id, mailbox, 'invented', 'arrived', '', at, 'push', seen_at, folder_id, false, 'notFlagged', '{}', 'normal', false, false, false
         FROM postroom.event WHERE message_id = $1 LIMIT 1`,
      [mail!.messageId],
    );
    const { json } = await run(auditCommand, "--mailbox", nina.mail, "--json");
    const findings = json[0]!["findings"] as { kind: string; cause: string }[];
    expect(findings.map((finding) => finding.kind).sort()).toEqual(["extra", "stale"]);
    expect(findings.find((finding) => finding.kind === "stale")!.cause).toContain("read state");
  });
});

describe("postroom doctor", () => {
  let door: Server;
  let doorUrl = "";
  beforeAll(async () => {
    door = createServer((request, response) => {
      const status = request.url!.startsWith("/blocked") ? 403 : 301;
      response.writeHead(status, { location: "https://elsewhere.example/x" }).end();
    });
    await new Promise<void>((listening) => door.listen(0, "127.0.0.1", listening));
    doorUrl = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((closed) => door.close(closed)));

  it("doctor reports permissions, public address and clock as ok, and the readiness page shows it [OPS-15]", async () => {
    const { json } = await run(doctorCommand, "--json");
    const status = Object.fromEntries(json.map((check) => [check["name"], check["status"]]));
    expect(status).toMatchObject({
      "permissions (default)": "ok",
      "permissions (personal)": "ok",
      "clock (default)": "ok",
      "public address": "ok",
      [`mailbox ${nina.mail}`]: "ok",
      GRAPH_CLIENT_STATE: "ok",
      "guard of the ingestion table": "warning",
    });
    const ready = (await call("GET", "/readyz", app.operatorKey)).json();
    expect(ready.checks.webhook).toEqual({ isReady: true, detail: "the public address answers" });
  });

  it("doctor names a redirect and a front end that keeps Graph out, before any subscription is requested [R18] [R43] [SUB-28] [OPS-15]", async () => {
    const other = await anApp(tenant, { GRAPH_WEBHOOK_URL: doorUrl });
    await watch(other, tenant, ["priya"]);
    const checks = (one: TestApp) => answerOf(clientFor(one).GET("/api/doctor"));
    const address = (await checks(other)).find((check) => check.name === "public address")!;
    expect(address).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("301 to https://elsewhere.example/x"),
    });
    const { rows } = await other.database.query(
      "SELECT delivery, delivery_reason AS reason FROM postroom.mailbox",
    );
    expect(rows).toMatchObject([
      { delivery: "delta", reason: expect.stringContaining("redirects") },
    ]);
    expect(other.logLines.some((line) => line["msg"] === "push is off")).toBe(true);
    await other.database.query(
      `INSERT INTO postroom.subscription (mailbox, resource, change_type, secret_hash, status, created_at)
       SELECT id, 'x', 'created', '', 'removed', '2020-01-01' FROM postroom.mailbox`,
    );
    await tenant.graph.admin.sendMail({ to: "priya.nair@ashdown.example", subject: "Unnotified" });
    await other.watching.readAll("test");
    await other.jobs.workUntilIdle();
    const push = (await checks(other)).find((check) => check.name === "push")!;
    expect(push).toMatchObject({ status: "failed", detail: expect.stringContaining("0 %") });
  });

  it("doctor says what to type when a permission is missing", async () => {
    const other = await aTenant();
    const { appRoles } = other.apps[0]!;
    appRoles.splice(0, appRoles.length, "User.Read.All");
    const bare = await anApp(other);
    const checks = await answerOf(clientFor(bare).GET("/api/doctor"));
    const check = checks.find((one) => one.name.startsWith("permissions"))!;
    expect(check.detail).toBe("the app lacks Mail.Read");
    expect(check.fix).toContain("az ad app permission add");
  });
});

describe("the operator's pages", () => {
  const pages = ["mailboxes", "troubleshooting"].map((name) =>
    readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8"),
  );
  const shown = pages.flatMap((page) =>
    [...page.matchAll(/(?:^|`)(postroom [^`#\n]+)/gm)].map(([, line]) => line!.trim()),
  );

  it.each([...new Set(shown)])("the documented command exists: %s", (line) => {
    const words = line.match(/"[^"]*"|'[^']*'|\S+/g)!.slice(1);
    let command: Command = buildCli();
    while (command.commands.length > 0) {
      const next = command.commands.find((one) => one.name() === words[0]);
      expect(next, `${words[0]} of ${line}`).toBeDefined();
      command = next!;
      words.shift();
    }
    const options = command.options.map((option) => option.long);
    for (const word of words.filter((one) => one.startsWith("--"))) expect(options).toContain(word);
  });

  it("the docs say how to set up the tunnel, its catch-all rule, its service and the way past bot protection [OPS-11]", () => {
    for (const text of [
      "http://localhost:8010",
      "http_status:404",
      "cloudflared service install",
      "Bot protection",
      "POST /webhooks/graph",
    ])
      expect(pages.join("\n")).toContain(text);
  });
});

async function call(method: "GET" | "POST", url: string, token: string) {
  return app.server.inject({
    method,
    url,
    headers: token === "" ? {} : { authorization: `Bearer ${token}` },
    ...(method === "POST" ? { payload: {} } : {}),
  });
}

interface Ran {
  exitCode: number;
  text: string;
  error: string;
  json: Record<string, unknown>[];
}

/** Runs a command in this process as the command line would. */
async function run(build: (output: Output) => Command, ...args: string[]): Promise<Ran> {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  const command = build(createOutput({ write, writeNote: write }));
  for (const each of [command, ...command.commands]) each.exitOverride();
  let exitCode = 0;
  let error = "";
  await command.parseAsync(args, { from: "user" }).catch((thrown: unknown) => {
    if (!(thrown instanceof CommandError)) throw thrown;
    exitCode = thrown.exitCode;
    error = thrown.message;
  });
  const json = text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { exitCode, text, error, json };
}

async function refreshTokenOf(from: Tenant, username: string): Promise<string> {
  const answer = await fetch(`${from.addresses.entra}/${from.tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "password",
      client_id: from.clientId,
      client_secret: from.clientSecret,
      username,
      password: "Passw0rd!",
      scope: "https://graph.microsoft.com/.default offline_access",
    }),
  });
  return ((await answer.json()) as { refresh_token: string }).refresh_token;
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
