import { describe, expect, it } from "vitest";
import { ensureSubscriptionsJob } from "../../src/flows/specs/watching.ts";
import { sha256 } from "../../src/lib/hash.ts";
import { ensureSubscriptions } from "../../src/mailbox/subscriptions/ensure-subscriptions.ts";
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  renewSubscription,
} from "../../src/mailbox/subscriptions/graph-subscriptions.ts";
import { findOrphans } from "../../src/mailbox/subscriptions/reconcile-subscriptions.ts";
import {
  getActiveSubscription,
  markExpired,
  markRemoved,
  upsertSubscription,
} from "../../src/mailbox/subscriptions/subscription-table.ts";
import { aScene, type Scene } from "./scene.ts";

const HOUR = 60;
const active = async (scene: Scene) =>
  (await scene.subscriptions()).filter((row) => row.status === "active");
const graphOf = async (scene: Scene) => ({
  graph: scene.needs.graphOf(await scene.mailbox()),
  now: () => scene.tenant.clock.now(),
});
/** Calls of Graph's subscription resource since the last look. */
const calls = (scene: Scene) =>
  scene.tenant.journal
    .toJsonLines()
    .split("\n")
    .filter((line) => /"(method|path)"/.test(line) && line.includes("/subscriptions"));

describe("the four calls on Graph's subscriptions", () => {
  it("create, renew, read and delete work as documented; a missing subscription is null or false [SUB-01] [SUB-02] [SUB-03] [SUB-04] [SUB-11] [H-03]", async () => {
    const scene = await aScene({ starts: false });
    const graph = await graphOf(scene);
    const nowMs = scene.tenant.clock.now();
    const made = await createSubscription(graph, {
      resource: `users/${scene.user.id}/mailFolders/Inbox/messages`,
      notificationUrl: "http://127.0.0.1:8010/api/graph/notifications",
      lifecycleUrl: "http://127.0.0.1:8010/api/graph/lifecycle",
      clientState: "secret",
    });
    expect(made.expiresAt.getTime() - nowMs).toBe(4_230 * 60_000);
    const [stored] = scene.admin.subscriptions();
    expect(stored).toMatchObject({
      ...{ changeTypes: ["created"], idForm: "immutable", clientState: "secret" },
      resource: `users/${scene.user.id}/mailFolders/Inbox/messages`,
      notificationUrl: "http://127.0.0.1:8010/api/graph/notifications",
      lifecycleNotificationUrl: "http://127.0.0.1:8010/api/graph/lifecycle",
    });
    const renewed = await renewSubscription(graph, made.id, 10_080);
    expect(renewed.expiresAt.getTime() - nowMs).toBe(10_080 * 60_000);
    expect(await getSubscription(graph, made.id)).toEqual(renewed);
    expect(await deleteSubscription(graph, made.id)).toBe(true);
    expect(await deleteSubscription(graph, made.id)).toBe(false);
    expect(await getSubscription(graph, made.id)).toBeNull();
    await expect(renewSubscription(graph, made.id, 10_081)).rejects.toMatchObject({
      code: "request.bad",
    });
  });

  it("plain http to another machine and a secret of more than 128 characters are refused before Graph is called [SUB-09] [SUB-10] [SEC-04]", async () => {
    const scene = await aScene({ starts: false });
    const graph = await graphOf(scene);
    const request = {
      resource: `users/${scene.user.id}/messages`,
      notificationUrl: "https://hooks.example/webhooks/graph",
      lifecycleUrl: "https://hooks.example/webhooks/graph",
      clientState: "secret",
    };
    await expect(
      createSubscription(graph, { ...request, notificationUrl: "http://hooks.example/x" }),
    ).rejects.toMatchObject({ code: "settings.bad" });
    await expect(
      createSubscription(graph, { ...request, clientState: "x".repeat(129) }),
    ).rejects.toMatchObject({ code: "request.bad" });
    expect(scene.admin.subscriptions()).toEqual([]);
  });
});

describe("a mailbox", () => {
  it("an observed mailbox has one subscription on all its messages, for all changes [SUB-06] [SUB-07] [SUB-23] [SUB-30] [SEC-02]", async () => {
    const scene = await aScene();
    expect(scene.admin.subscriptions()).toHaveLength(1);
    const [atGraph] = scene.admin.subscriptions();
    expect(atGraph).toMatchObject({
      resource: `users/${scene.user.id}/messages`,
      changeTypes: ["created", "updated", "deleted"],
      notificationUrl: "http://127.0.0.1:8010/webhooks/graph",
      lifecycleNotificationUrl: "http://127.0.0.1:8010/webhooks/graph",
    });
    expect(atGraph!.clientState).toMatch(/^[\w-]{43}$/);
    expect(scene.tenant.journal.toJsonLines()).not.toContain("/v1.0/me/");
  });

  it("a mailbox that is only ingested has one subscription on its folder, for new mail, with the secret from the settings [SUB-05] [OPS-03]", async () => {
    const scene = await aScene({
      mailbox: { observes: false, ingestFolder: "Inbox" },
      starts: false,
    });
    await ensureSubscriptions({ ...scene.app.subscriptions, sharedSecret: "from the settings" });
    expect(scene.admin.subscriptions()[0]).toMatchObject({
      resource: `users/${scene.user.id}/mailFolders/Inbox/messages`,
      changeTypes: ["created"],
      notificationUrl: "http://127.0.0.1:8010/api/graph/notifications",
      lifecycleNotificationUrl: "http://127.0.0.1:8010/api/graph/lifecycle",
      clientState: "from the settings",
    });
  });

  it("a mailbox whose profile changes keeps only the subscription of the new profile [SUB-30]", async () => {
    const scene = await aScene();
    await scene.pool.query("UPDATE postroom.mailbox SET observes = false, ingest_folder = 'Inbox'");
    await scene.app.ensure();
    expect(scene.admin.subscriptions().map((one) => one.resource)).toEqual([
      `users/${scene.user.id}/mailFolders/Inbox/messages`,
    ]);
    expect(await active(scene)).toHaveLength(1);
  });

  it("a subscription is stored in both tables, with everything that other programs read [SUB-12] [SUB-13] [SUB-14] [SUB-15] [SUB-16] [SUB-18]", async () => {
    const scene = await aScene();
    const [ours] = await active(scene);
    const { rows } = await scene.pool.query("SELECT * FROM padealing.graph_subscription_state");
    expect(rows).toMatchObject([
      {
        subscription_id: ours!.subscriptionId,
        resource: ours!.resource,
        notification_url: "http://127.0.0.1:8010/webhooks/graph",
        lifecycle_url: "http://127.0.0.1:8010/webhooks/graph",
        expiration_datetime: ours!.expiresAt,
        status: "active",
      },
    ]);
    expect(ours).toMatchObject({
      mailbox: (await scene.mailbox()).id,
      changeType: "created,updated,deleted",
      errorCount: 0,
    });
    const columns = await scene.pool.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = 'padealing' AND table_name = 'graph_subscription_state' ORDER BY ordinal_position`,
    );
    expect(columns.rows.map((row) => row.name).join(" ")).toBe(
      "id subscription_id resource notification_url lifecycle_url expiration_datetime status last_renewed_at created_at updated_at",
    );
    const index = await scene.pool.query<{ text: string }>(
      "SELECT indexdef AS text FROM pg_indexes WHERE indexname = 'idx_graph_subscription_expiry'",
    );
    expect(index.rows[0]!.text).toMatch(/\(expiration_datetime\) WHERE .*status.* = 'active'/);
    const mailbox = await scene.mailbox();
    expect(await getActiveSubscription(scene.pool, mailbox.id, ours!.resource)).toEqual(ours);
    await scene.pool.transaction((tx) =>
      upsertSubscription(tx, { ...toInfo(ours!), expiresAt: new Date(0) }),
    );
    const again = await scene.pool.query<{ at: Date }>(
      "SELECT expiration_datetime AS at FROM padealing.graph_subscription_state",
    );
    expect(again.rows).toEqual([{ at: new Date(0) }]);
  });

  it("a subscription survives a restart; once expired or removed it is no longer active in either table [SUB-14] [SUB-15] [SUB-17] [SUB-34]", async () => {
    const scene = await aScene();
    const [ours] = await active(scene);
    await scene.down(1);
    expect((await active(scene)).map((row) => row.subscriptionId)).toEqual([ours!.subscriptionId]);
    expect(scene.admin.subscriptions().map((one) => one.id)).toEqual([ours!.subscriptionId]);
    for (const [mark, status] of [
      [markExpired, "expired"],
      [markRemoved, "removed"],
    ] as const) {
      await mark(scene.pool, ours!.id);
      const { rows } = await scene.pool.query(
        "SELECT subscription_id AS id, status FROM padealing.graph_subscription_state",
      );
      expect(rows).toEqual([{ id: ours!.subscriptionId, status }]);
      expect((await scene.subscriptions()).map((row) => row.status)).toEqual([status]);
      expect(await getActiveSubscription(scene.pool, ours!.mailbox, ours!.resource)).toBeNull();
    }
  });

  it("a subscription with a day left is left alone without a call; with less it is renewed [SUB-20] [SUB-21] [H-14]", async () => {
    const scene = await aScene({ switches: { reauthorizationEvents: false } });
    const [first] = await active(scene);
    await scene.tenant.clock.advance(40 * HOUR * 60_000);
    const count = calls(scene).length;
    expect(await ensureSubscriptions(scene.app.subscriptions, undefined, { lists: false })).toEqual(
      [{ mailbox: scene.user.mail, result: "kept" }],
    );
    expect(calls(scene)).toHaveLength(count);
    await scene.tenant.clock.advance(7 * HOUR * 60_000);
    expect(await ensureSubscriptions(scene.app.subscriptions)).toMatchObject([
      { result: "renewed" },
    ]);
    const [renewed] = await active(scene);
    expect(renewed!.subscriptionId).toBe(first!.subscriptionId);
    expect(renewed!.expiresAt!.getTime()).toBe(scene.tenant.clock.now() + 4_230 * 60_000);
    expect(renewed!.lastRenewedAt!.getTime()).toBe(scene.tenant.clock.now());
    const now = new Date(scene.tenant.clock.now());
    const { rows } = await scene.pool.query(
      `SELECT expiration_datetime AS "end", last_renewed_at AS renewed, updated_at AS updated
         FROM padealing.graph_subscription_state`,
    );
    expect(rows).toEqual([{ end: renewed!.expiresAt, renewed: now, updated: now }]);
  });

  it("events keep coming when a renewal near the end fails once [R17]", async () => {
    const scene = await aScene({ switches: { reauthorizationEvents: false } });
    scene.faults.arm({ kind: "server-error", where: { method: "PATCH" }, remaining: 8 });
    await scene.tenant.clock.advance(46 * HOUR * 60_000);
    await scene.pass(4 * HOUR);
    const [row] = await active(scene);
    expect(row!.expiresAt!.getTime()).toBeGreaterThan(
      scene.tenant.clock.now() + 60 * HOUR * 60_000,
    );
    await scene.admin.sendMail({ to: scene.user.id, subject: "Still here" });
    await scene.settle();
    expect((await scene.events()).map((event) => event.seenBy)).toEqual(["push"]);
  });
});

describe("what Graph says about a subscription", () => {
  it("several reauthorizationRequired notices at once lead to one renewal [SUB-24]", async () => {
    const scene = await aScene();
    const { id } = scene.admin.subscriptions()[0]!;
    await scene.tenant.clock.advance(60_000);
    const before = calls(scene).filter((line) => line.includes("PATCH")).length;
    for (let times = 0; times < 3; times++) {
      scene.admin.sendLifecycle(id, "reauthorizationRequired");
      await scene.tenant.clock.advance(30_000);
    }
    await scene.settle();
    const [row] = await active(scene);
    expect(row!.lastRenewedAt).not.toBeNull();
    expect(calls(scene).filter((line) => line.includes("PATCH")).length - before).toBeLessThan(3);
    expect(scene.engine.dead).toEqual([]);
  });

  it("reauthorizationRequired for a subscription that cannot be renewed creates a new one at once [SUB-24]", async () => {
    const scene = await aScene();
    const [old] = await active(scene);
    scene.admin.sendLifecycle(old!.subscriptionId!, "reauthorizationRequired");
    await scene.tenant.clock.advance(1_500);
    scene.admin.removeSubscription(old!.subscriptionId!, { notify: false });
    await scene.settle();
    const [row] = await active(scene);
    expect(row!.subscriptionId).not.toBe(old!.subscriptionId);
    expect(scene.admin.subscriptions().map((one) => one.id)).toEqual([row!.subscriptionId]);
  });

  it("subscriptionRemoved creates a new subscription at once, and the gap is read [SUB-25]", async () => {
    const scene = await aScene();
    const [old] = await active(scene);
    scene.faults.arm({ kind: "drop-notification", remaining: 1 });
    await scene.admin.sendMail({ to: scene.user.id, subject: "In the gap" });
    scene.admin.removeSubscription(old!.subscriptionId!);
    await scene.settle();
    const rows = await scene.subscriptions();
    expect(rows.find((row) => row.id === old!.id)!.status).toBe("removed");
    expect(await active(scene)).toHaveLength(1);
    expect(scene.admin.subscriptions()).toHaveLength(1);
    expect(await scene.story()).toEqual(["arrived In the gap"]);
  });

  it("a subscription that vanished, with a 404 on renewal or silently, is found missing and created again [SUB-27] [R16]", async () => {
    const scene = await aScene({ switches: { reauthorizationEvents: false } });
    const [old] = await active(scene);
    scene.admin.removeSubscription(old!.subscriptionId!, { notify: false });
    await scene.tenant.clock.advance(47 * HOUR * 60_000);
    expect(
      await ensureSubscriptions(scene.app.subscriptions, undefined, { lists: false }),
    ).toMatchObject([{ result: "recreated" }]);
    scene.admin.removeSubscription(scene.admin.subscriptions()[0]!.id, { notify: false });
    await scene.app.ensure();
    expect(scene.admin.subscriptions()).toHaveLength(1);
    expect(await active(scene)).toHaveLength(1);
  });

  it("a refused lifetime is learned and not requested again [SUB-11] [R16]", async () => {
    const scene = await aScene({ starts: false });
    const needs = { ...scene.app.subscriptions, lifetimeMinutes: 10_080 };
    const { graphOf: real } = needs;
    const lifetimes: number[] = [];
    const strict = (mailbox: Parameters<typeof real>[0]) => {
      const graph = real(mailbox);
      return {
        ...graph,
        call: async (call: Parameters<typeof graph.call>[0]) => {
          const end = (call.body as { expirationDateTime?: string } | undefined)
            ?.expirationDateTime;
          if (end === undefined) return graph.call(call);
          const minutes = Math.round((Date.parse(end) - scene.tenant.clock.now()) / 60_000);
          lifetimes.push(minutes);
          if (minutes <= 4_230) return graph.call(call);
          const { GraphApiError } = await import("../../src/microsoft/graph/graph-fault.ts");
          throw new GraphApiError("/v1.0/subscriptions", {
            status: 400,
            headers: {},
            body: Buffer.from('{"error":{"code":"ExtensionError","message":"too long"}}'),
          });
        },
      };
    };
    await ensureSubscriptions({ ...needs, graphOf: strict as typeof real });
    expect(lifetimes).toEqual([10_080, 4_230]);
    expect((await scene.mailbox()).subscriptionMinutesMax).toBe(4_230);
  });

  it("a 409 for a duplicate from an old installation ends with one subscription of ours [R16]", async () => {
    const scene = await aScene({ starts: false });
    await createSubscription(await graphOf(scene), {
      resource: `users/${scene.user.id}/messages`,
      changeType: "created,updated,deleted",
      notificationUrl: "http://127.0.0.1:8010/webhooks/graph?old",
      lifecycleUrl: "http://127.0.0.1:8010/webhooks/graph?old",
      clientState: "somebody else's",
    });
    // Without Graph's list, only the refusal tells of it.
    expect(
      await ensureSubscriptions(scene.app.subscriptions, undefined, { lists: false }),
    ).toMatchObject([{ result: "created" }]);
    await scene.app.start();
    await scene.settle();
    expect(scene.admin.subscriptions()).toHaveLength(1);
    await scene.admin.sendMail({ to: scene.user.id, subject: "Ours" });
    await scene.settle();
    expect((await scene.events()).map((event) => event.seenBy)).toEqual(["push"]);
  });
});

describe("a subscription at Graph that we have no row for", () => {
  it("the subscription is adopted if we crashed before Graph answered [R16]", async () => {
    const scene = await aScene({ starts: false });
    await scene.pool.query(
      `INSERT INTO postroom.subscription (mailbox, resource, change_type, secret_hash)
       SELECT id, $1, 'created,updated,deleted', $2 FROM postroom.mailbox`,
      [`users/${scene.user.id}/messages`, sha256("made before the crash")],
    );
    const made = await createSubscription(await graphOf(scene), {
      resource: `users/${scene.user.id}/messages`,
      changeType: "created,updated,deleted",
      notificationUrl: "http://127.0.0.1:8010/webhooks/graph",
      lifecycleUrl: "http://127.0.0.1:8010/webhooks/graph",
      clientState: "made before the crash",
    });
    await scene.app.start();
    await scene.settle();
    expect((await active(scene)).map((row) => row.subscriptionId)).toEqual([made.id]);
    await scene.admin.sendMail({ to: scene.user.id, subject: "Adopted" });
    await scene.settle();
    expect((await scene.events()).map((event) => event.seenBy)).toEqual(["push"]);
  });

  it("the subscription is adopted if another program wrote it into the shared table with the secret from the settings [SUB-34]", async () => {
    const scene = await aScene({
      starts: false,
      mailbox: { observes: false, ingestFolder: "Inbox" },
    });
    const made = await createSubscription(await graphOf(scene), {
      resource: `users/${scene.user.id}/mailFolders/Inbox/messages`,
      notificationUrl: "http://127.0.0.1:8010/api/graph/notifications",
      lifecycleUrl: "http://127.0.0.1:8010/api/graph/lifecycle",
      clientState: "shared",
    });
    await scene.pool.transaction((tx) => upsertSubscription(tx, made));
    await ensureSubscriptions({ ...scene.app.subscriptions, sharedSecret: "shared" });
    expect((await active(scene)).map((row) => row.subscriptionId)).toEqual([made.id]);
    expect(scene.admin.subscriptions()).toHaveLength(1);
  });

  it("a subscription that delivers elsewhere is listed as an orphan", async () => {
    const scene = await aScene();
    const made = await createSubscription(await graphOf(scene), {
      resource: `users/${scene.user.id}/mailFolders/Inbox/messages`,
      notificationUrl: "http://127.0.0.1:8010/webhooks/graph?old=1",
      lifecycleUrl: "http://127.0.0.1:8010/webhooks/graph?old=1",
      clientState: "x",
    });
    expect((await findOrphans(scene.app.subscriptions)).map((one) => one.id)).toEqual([made.id]);
  });
});

describe("a secret", () => {
  it("a rotated secret is accepted for another four hours", async () => {
    const scene = await aScene();
    const [before] = scene.admin.subscriptions();
    const old = { id: before!.id, clientState: before!.clientState! };
    await ensureSubscriptions(scene.app.subscriptions, undefined, { rotates: true });
    const [after] = scene.admin.subscriptions();
    expect(after!.id).not.toBe(old.id);
    expect(after!.clientState).not.toBe(old.clientState);
    const late = (id: string) =>
      scene.app.server.inject({
        method: "POST",
        url: "/webhooks/graph",
        payload: {
          value: [
            {
              subscriptionId: old.id,
              clientState: old.clientState,
              tenantId: scene.tenant.tenantId,
              changeType: "updated",
              resource: `Users/${scene.user.id}/Messages/${id}`,
              resourceData: { id, "@odata.etag": id },
            },
          ],
        },
      });
    expect((await late("one")).statusCode).toBe(202);
    await scene.pass(5 * HOUR);
    await scene.app.ensure();
    await ensureSubscriptions(scene.app.subscriptions, undefined, { rotates: true });
    expect((await late("two")).statusCode).toBe(401);
  });
});

describe("without a public address", () => {
  it("everything works by reading, and the mailbox says so [SUB-28] [H-17]", async () => {
    const scene = await aScene({ hasWebhook: false });
    expect(scene.admin.subscriptions()).toEqual([]);
    const [mail] = await scene.admin.sendMail({ to: scene.user.id, subject: "Pulled" });
    await scene.pass(15);
    scene.admin.markRead(scene.user.id, mail!.id);
    scene.admin.move(scene.user.id, mail!.id, "archive");
    await scene.pass(15);
    expect((await scene.mailbox()).deliveryReason).toBe("no public webhook address is set");
    expect((await scene.events()).map((event) => [event.eventType, event.seenBy])).toEqual([
      ["arrived", "delta"],
      ["moved", "delta"],
      ["read", "delta"],
    ]);
  });

  it("while the public address does not answer, no subscription is requested [SUB-28] [SUB-29]", async () => {
    const scene = await aScene({ starts: false });
    let reason: string | null = "it answers 404";
    const needs = { ...scene.app.subscriptions, whyUnreachable: async () => reason };
    const [report] = await ensureSubscriptions(needs);
    expect(report).toMatchObject({ result: "failed", error: expect.stringContaining("404") });
    expect(calls(scene).filter((line) => line.includes("POST"))).toEqual([]);
    reason = null;
    expect(await ensureSubscriptions(needs)).toMatchObject([{ result: "created" }]);
  });

  it("a validation timeout at Graph is reported as unreachable and tried again by the next check [SUB-29]", async () => {
    const scene = await aScene({ starts: false });
    scene.answerIn(10_000);
    expect(await ensureSubscriptions(scene.app.subscriptions)).toMatchObject([
      { result: "failed", error: expect.stringContaining("endpoint unreachable") },
    ]);
    expect(scene.admin.subscriptions()).toEqual([]);
    scene.answerIn(5);
    await scene.pass(10);
    expect(await active(scene)).toHaveLength(1);
  });
});

describe("a subscription without a lifecycle address", () => {
  it("the subscription is deleted and created again, never patched [SUB-08]", async () => {
    const scene = await aScene();
    const [old] = await active(scene);
    await scene.pool.query("UPDATE padealing.graph_subscription_state SET lifecycle_url = NULL");
    expect(await ensureSubscriptions(scene.app.subscriptions)).toMatchObject([
      { result: "recreated" },
    ]);
    expect(scene.admin.subscriptions().map((one) => one.id)).not.toContain(old!.subscriptionId);
    expect(calls(scene).filter((line) => line.includes("PATCH"))).toEqual([]);
    expect(ensureSubscriptionsJob.queue).toBe("webhook-renewal");
  });
});

function toInfo(row: Awaited<ReturnType<typeof active>>[number]) {
  return {
    id: row.subscriptionId!,
    resource: row.resource,
    notificationUrl: row.notificationUrl!,
    lifecycleUrl: row.lifecycleUrl,
    expiresAt: row.expiresAt!,
  };
}
