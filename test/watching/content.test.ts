import { generateKeyPairSync } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openContent, readEncryptedContent, toSnapshot } from "../../src/intake/open-content.ts";
import { createTokenCheck } from "../../src/intake/validation-tokens.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { findEvents } from "../../src/mailbox/events/event-table.ts";
import { openEncryptionKeys } from "../../src/mailbox/subscriptions/encryption-keys.ts";
import { encryptContent } from "../../tenant/graph/notifications/rich-content.ts";
import type { Tenant } from "../../tenant/index.ts";
import { createRandom } from "../../tenant/random.ts";
import { anApp, aTenant, type TestApp, until, watch } from "../helpers/app.ts";

const CANARY = "canary7f3a9";
let tenant: Tenant;
let app: TestApp;
let nina: { id: string; mail: string };

beforeAll(async () => {
  tenant = await aTenant({ switches: { deliveryDelayMs: 0, journalRequests: true } });
  nina = tenant.users[1]!;
  app = await anApp(tenant, { GRAPH_RICH_NOTIFICATIONS: "true" });
  await watch(app, tenant, ["nina"]);
});

const eventsOf = (text: string) => findEvents(app.database, { text, order: "oldest" });
const arrival = (subject: string) =>
  until(subject, async () => (await eventsOf(subject)).length > 0 && (await eventsOf(subject)));

describe("a notification with encrypted content", () => {
  it("its message becomes an event without a request to Graph [WEB-06] [OBS-05]", async () => {
    const [subscription] = tenant.graph.admin.subscriptions();
    expect(subscription).toMatchObject({ includeResourceData: true });
    expect(subscription!.resource).toMatch(/messages\?\$select=id,subject,from/);
    expect(subscription!.expirationMs - tenant.clock.now()).toBeLessThanOrEqual(1_440 * 60_000);
    const before = tenant.journal.entries().length;
    await tenant.graph.admin.sendMail({
      to: nina.mail,
      subject: "Sealed",
      headers: [{ name: "List-Unsubscribe", value: `<mailto:${CANARY}@x>` }],
    });
    const [event] = await arrival("Sealed");
    expect(event).toMatchObject({ eventType: "arrived", seenBy: "push", folderName: "Inbox" });
    expect(event!.metadata.isNewsletter).toBe(true);
    const asked = tenant.journal.entries(before).filter((entry) => entry.kind === "request");
    expect(asked.filter((entry) => /messages|\$batch/.test(String(entry["path"])))).toEqual([]);
    const { rows } = await app.database.query("SELECT 1 FROM postroom.snapshot");
    expect(rows).toEqual([]);
  });

  it("with missing or forged tokens it gets the same answer, and its message is read from Graph", async () => {
    tenant.switches["withholdValidationTokens"] = true;
    await tenant.graph.admin.sendMail({ to: nina.mail, subject: "Not vouched for" });
    await arrival("Not vouched for");
    tenant.switches["withholdValidationTokens"] = false;
    expect(app.logLines.some((line) => line["security"] === "content-not-proven")).toBe(true);
    const check = createTokenCheck(Object.values(app.config.connections));
    const good = tenant.context.mintValidationToken(tenant.clientId);
    expect([...(await check([good]))]).toEqual([tenant.tenantId]);
    for (const bad of [
      [good, "forged"],
      [tenant.context.mintValidationToken("another-app")],
      [tenant.tokenFor({})],
      [`${good}x`],
      null,
      [],
      ["eyJhbGciOiJub25lIn0.e30."],
    ])
      expect((await check(bad)).size).toBe(0);
    tenant.switches["validationTokenVersion"] = 1;
    const older = tenant.context.mintValidationToken(tenant.clientId);
    tenant.switches["validationTokenVersion"] = 2;
    expect((await check([older])).size).toBe(1);
  });

  it("content keeps opening after the certificate changes, and old keys still open what was encrypted for them", async () => {
    const before = await app.watching.encryptionKeys!.current();
    const answer = await app.server.inject({
      method: "POST",
      url: "/api/subscriptions/rotate",
      headers: { authorization: `Bearer ${app.operatorKey}` },
      payload: { certificate: true },
    });
    expect(answer.json()).toMatchObject([{ result: "recreated" }]);
    const after = await app.watching.encryptionKeys!.current();
    expect(after.id).not.toBe(before.id);
    expect(tenant.graph.admin.subscriptions()[0]).toMatchObject({
      encryptionCertificateId: after.id,
    });
    await tenant.graph.admin.sendMail({ to: nina.mail, subject: "After the change" });
    await arrival("After the change");
    const folder = join(app.home, "encryption-keys");
    const reopened = openEncryptionKeys({ folder, clock: systemClock, random: systemRandom });
    const sealed = readEncryptedContent(
      encryptContent(
        { subject: "x" },
        { text: before.certificate, id: before.id },
        createRandom("c"),
      ),
    )!;
    expect(openContent(sealed, (await reopened.privateKey(before.id))!)).toEqual({ subject: "x" });
    expect(await reopened.privateKey("never seen")).toBeNull();
    const file = await stat(join(folder, `${before.id}.json`));
    expect(file.mode & 0o777).toBe(0o600);
  });

  it("content is opened only if it was encrypted for us and not changed on the way", async () => {
    const keys = app.watching.encryptionKeys!;
    const { id, certificate } = await keys.current();
    const privateKey = (await keys.privateKey(id))!;
    const content = encryptContent({ subject: "x" }, { text: certificate, id }, createRandom("d"));
    const read = (more: object) => readEncryptedContent({ ...content, ...more })!;
    expect(openContent(read({}), privateKey)).toEqual({ subject: "x" });
    const flipped = Buffer.from(content.data, "base64");
    flipped[0]! ^= 1;
    expect(openContent(read({ data: flipped.toString("base64") }), privateKey)).toBeNull();
    expect(openContent(read({ dataSignature: "AAAA" }), privateKey)).toBeNull();
    const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    expect(openContent(read({}), stranger)).toBeNull();
    expect(readEncryptedContent({ ...content, data: 7 })).toBeNull();
    expect(readEncryptedContent(null)).toBeNull();
  });

  it("content is cut down to the properties that events need [OBS-05] [SEC-06]", () => {
    const content = {
      id: "default id",
      subject: "s",
      parentFolderId: "f",
      lastModifiedDateTime: "2026-01-01T00:00:00Z",
      body: CANARY,
      bodyPreview: CANARY,
      toRecipients: [CANARY],
      internetMessageHeaders: [
        { name: "To", value: CANARY },
        { name: "List-Unsubscribe", value: CANARY },
      ],
    };
    const snapshot = toSnapshot(content, "immutable id")!;
    expect(JSON.stringify(snapshot)).not.toContain(CANARY);
    expect(snapshot).toMatchObject({
      id: "immutable id",
      internetMessageHeaders: [{ name: "list-unsubscribe", value: "" }],
    });
    expect(toSnapshot({ subject: "without a folder" }, "m")).toBeNull();
    expect(toSnapshot(null, "m")).toBeNull();
  });
});

describe("the delivery format of Event Hubs", () => {
  it("an Event Hubs delivery is accepted at the same address, including its validation request", async () => {
    const [subscription] = tenant.graph.admin.subscriptions();
    const greeting = {
      subscriptionId: "NA",
      changeType:
        "Validation: Testing client application reachability for subscription Request-Id: 1",
      clientState: "NA",
      resource: "NA",
      tenantId: "NA",
    };
    const post = (value: object[]) =>
      app.server.inject({ method: "POST", url: "/webhooks/graph", payload: { value } });
    expect((await post([greeting])).statusCode).toBe(202);
    const item = {
      subscriptionId: subscription!.id,
      clientState: subscription!.clientState,
      changeType: "updated",
      tenantId: tenant.tenantId,
      resource: `Users/${nina.id}/Messages/from-a-hub`,
      resourceData: { id: "from-a-hub", "@odata.etag": "1" },
    };
    expect((await post([greeting, item])).statusCode).toBe(202);
    const { rows } = await app.database.query(
      "SELECT 1 FROM postroom.notification WHERE message_id = 'from-a-hub'",
    );
    expect(rows).toHaveLength(1);
  });
});

describe("the privacy of mail", () => {
  it("after a busy time only metadata is in any table, log line, metric or queue [OBS-05] [SEC-06]", async () => {
    const plain = await anApp(tenant);
    await watch(plain, tenant, ["omar"]);
    const omar = tenant.users[2]!.mail;
    const secrets = (n: number) => ({
      body: `${CANARY}-body-${n} and more text`,
      cc: [`${CANARY}-cc-${n}@x.example`],
      bcc: [`${CANARY}-bcc-${n}@x.example`],
      replyTo: [`${CANARY}-reply-${n}@x.example`],
      headers: [{ name: "X-Secret", value: `${CANARY}-header-${n}` }],
    });
    for (let n = 0; n < 12; n++)
      await tenant.graph.admin.sendMail({
        to: [nina.mail, omar],
        subject: `Visible ${n}`,
        ...secrets(n),
      });
    for (const one of [app, plain]) {
      await until(
        "all of it",
        async () => (await findEvents(one.database, { text: "Visible" })).length === 12,
      );
    }
    for (const { id } of tenant.graph.admin.mailboxTruth(omar).slice(0, 6)) {
      tenant.graph.admin.markRead(omar, id);
      tenant.graph.admin.softDelete(omar, id);
    }
    await plain.watching.readAll("test");
    await plain.jobs.workUntilIdle();
    await plain.server.inject({
      method: "POST",
      url: `/api/mailboxes/${omar}/audit`,
      headers: { authorization: `Bearer ${plain.operatorKey}` },
      payload: { repair: true },
    });
    for (const one of [app, plain]) {
      const everything = [
        await dump(one),
        JSON.stringify(one.logLines),
        await one.metrics.metrics(),
        (
          await one.server.inject({
            url: "/api/events?limit=200",
            headers: { authorization: `Bearer ${one.operatorKey}` },
          })
        ).body,
      ];
      expect(everything[0]).toContain("Visible 3");
      for (const text of everything) expect(text).not.toContain(CANARY);
    }
  });
});

/** Every row of every table of ours and of the queue, as text. */
async function dump(one: TestApp): Promise<string> {
  const { rows } = await one.database.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const found = await one.database.query<{ text: string }>(
      `SELECT t::text AS text FROM ${name} t`,
    );
    texts.push(...found.rows.map((row) => row.text));
  }
  return texts.join("\n");
}
