/** An intake that answers Graph's handshake only while we request a subscription. */
import { beforeAll, describe, expect, it } from "vitest";
import { ensureSubscriptions } from "../../src/mailbox/subscriptions/ensure-subscriptions.ts";
import { expectHandshakes, expectToken } from "../../src/mailbox/subscriptions/subscribing.ts";
import type { Tenant } from "../../tenant/index.ts";
import { anApp, aTenant, type TestApp, until, watch } from "../helpers/app.ts";

let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  tenant = await aTenant({ switches: { deliveryDelayMs: 0, handshakeOnRenew: true } });
  app = await anApp(tenant, { GRAPH_WEBHOOK_GATE: "true" });
  await watch(app, tenant, [tenant.users[0]!.userPrincipalName]);
});

const shake = (token = "hello") =>
  app.server.inject({ method: "POST", url: `/webhooks/graph?validationToken=${token}` });

describe("a webhook that answers only expected handshakes", () => {
  it("the handshake of a subscription that we create, its notifications and our own probe are answered [WEB-02] [SUB-23]", async () => {
    expect(tenant.graph.admin.subscriptions()).toHaveLength(1);
    await tenant.graph.admin.sendMail({ to: tenant.users[0]!.id, subject: "Through the gate" });
    await until("the event", async () => {
      const { rows } = await app.database.query(
        "SELECT 1 FROM postroom.event WHERE subject = 'Through the gate' AND seen_by = 'push'",
      );
      return rows.length === 1;
    });
    const report = await app.server.inject({
      url: "/readyz",
      headers: { authorization: `Bearer ${app.operatorKey}` },
    });
    expect(report.body).toContain("the public address answers");
  });

  it("any other handshake gets 404 and a log line, and nothing is echoed [S24]", async () => {
    const answer = await shake();
    expect({ status: answer.statusCode, body: answer.body }).toEqual({ status: 404, body: "" });
    const logged = app.logLines.filter((line) => line["security"] === "handshake-not-expected");
    expect(logged).toMatchObject([{ ip: "127.0.0.1" }]);
    expect((await shake()).statusCode).toBe(404);
  });

  it("a request to Graph admits the two handshakes that it causes, and no third one", async () => {
    const statuses = await expectHandshakes(app.database, "a test", async () => {
      const answers = [await shake(), await shake(), await shake()];
      return answers.map(({ statusCode }) => statusCode);
    });
    expect(statuses).toEqual([200, 200, 404]);
    await expectHandshakes(app.database, "a test", async () => {});
    expect((await shake()).statusCode).toBe(404);
  });

  it("our own probe lets in its own token, once, and nobody else", async () => {
    const statuses = await expectToken(app.database, "ours", async () => {
      const answers = [await shake(), await shake("ours"), await shake("ours")];
      return answers.map(({ statusCode }) => statusCode);
    });
    expect(statuses).toEqual([404, 200, 404]);
  });

  it("the handshake that a renewal may cause is answered", async () => {
    const renewBefore = new Date(Date.now() + 60_000);
    expect(
      await ensureSubscriptions(app.watching.subscriptions, undefined, { renewBefore }),
    ).toMatchObject([{ result: "renewed" }]);
  });
});
