import { describe, expect, it } from "vitest";
import { createDispatcher } from "../../src/flows/watching/dispatch-notifications.ts";
import { createLog } from "../../src/lib/log.ts";
import { findCoverage } from "../../src/mailbox/events/event-statistics.ts";
import { OWN_MAIL_HEADER } from "../../src/mailbox/messages/message.ts";
import { aScene, type Scene } from "./scene.ts";

const types = async (scene: Scene) => (await scene.events()).map((event) => event.eventType);

describe("a notification", () => {
  it("a notification repeated three hours later makes no second event [R04] [WEB-21]", async () => {
    const scene = await aScene();
    scene.faults.arm({
      kind: "duplicate-notification",
      options: { times: 2, delayMs: 3 * 3_600_000 },
    });
    await scene.admin.sendMail({ to: scene.user.id, subject: "Once" });
    await scene.pass(200);
    expect(await scene.story()).toEqual(["arrived Once"]);
  });

  it("mail whose notification is silently dropped is found by the periodic delta [R10] [DLT-01] [SUB-31]", async () => {
    const scene = await aScene();
    scene.faults.arm({ kind: "drop-notification" });
    for (const subject of ["A", "B", "C"])
      await scene.admin.sendMail({ to: scene.user.id, subject });
    await scene.pass(16);
    const events = await scene.events();
    expect(events.map((event) => [event.subject, event.seenBy])).toEqual([
      ["A", "delta"],
      ["B", "delta"],
      ["C", "delta"],
    ]);
    const { delivery, deliveryReason } = await scene.mailbox();
    expect(delivery).toBe("poll");
    expect(deliveryReason).toContain("notifications are silent: 3 changes were found by reading");
    scene.faults.disarm();
    await scene.admin.sendMail({ to: scene.user.id, subject: "D" });
    await scene.pass(61);
    expect((await scene.mailbox()).delivery).toBe("push");
  });

  it("a missed notice starts a delta round immediately, and coverage shows what push missed [R09] [SUB-26] [DLT-13]", async () => {
    const scene = await aScene();
    await scene.tenant.clock.advance(1_000);
    await scene.admin.sendMail({ to: scene.user.id, subject: "Seen" });
    await scene.settle();
    scene.faults.arm({ kind: "drop-notification" });
    await scene.admin.sendMail({ to: scene.user.id, subject: "Missed" });
    scene.admin.sendLifecycle(scene.admin.subscriptions()[0]!.id, "missed");
    await scene.settle();
    expect(await scene.story()).toEqual(["arrived Seen", "arrived Missed"]);
    const [coverage] = await findCoverage(scene.pool, new Date(0));
    expect(coverage).toMatchObject({ events: 2, byPush: 1, rescued: 1, pushCoverage: 0.5 });
  });

  it("a notification whose job could not be queued is queued by the next sweep, and Graph's retry is accepted too [R42]", async () => {
    const scene = await aScene();
    await scene.admin.sendMail({ to: scene.user.id, subject: "Queued" });
    await scene.tenant.clock.advance(2_000);
    const fails = async () => {
      throw new Error("the queue is away");
    };
    const dispatcher = createDispatcher({
      database: scene.pool,
      queue: { add: fails },
      log: createLog({ level: "silent" }),
    });
    await expect(dispatcher.run()).rejects.toThrow("the queue is away");
    await scene.settle();
    expect(await scene.story()).toEqual(["arrived Queued"]);
  });

  it("a notification for a mailbox that was just removed blocks nothing [WEB-16]", async () => {
    const scene = await aScene();
    await scene.admin.sendMail({ to: scene.user.id, subject: "Too late" });
    await scene.tenant.clock.advance(2_000);
    await scene.pool.query("DELETE FROM postroom.mailbox");
    await scene.settle();
    const { rows } = await scene.pool.query(
      "SELECT 1 FROM postroom.notification WHERE job_at IS NULL",
    );
    expect(rows).toEqual([]);
  });
});

describe("mail", () => {
  it("messages received in the same second at the edge of a page are each seen once [R05] [DLT-04]", async () => {
    const scene = await aScene({ switches: { messageDeltaPageSize: 20 }, hasWebhook: false });
    const receivedAt = scene.tenant.clock.now();
    for (let index = 0; index < 45; index++)
      await scene.admin.sendMail({
        to: scene.user.id,
        subject: `Same ${index}`,
        receivedAt,
      });
    scene.faults.arm({ kind: "empty-page", remaining: 3, where: { folder: "inbox" } });
    expect((await scene.readAll()).failed).toEqual([]);
    expect(new Set((await scene.events()).map((event) => event.messageId)).size).toBe(45);
    expect(await scene.events()).toHaveLength(45);
  });

  it("a message indexed late with an older time of arrival is seen by delta [R06]", async () => {
    const scene = await aScene({ hasWebhook: false });
    await scene.admin.sendMail({ to: scene.user.id, subject: "Early" });
    await scene.pass(15);
    await scene.admin.sendMail({
      to: scene.user.id,
      subject: "Late",
      receivedAt: "2026-03-01T00:00:00Z",
      visibleAfterMs: 20 * 60_000,
    });
    await scene.pass(45);
    expect(await scene.story()).toEqual(["arrived Early", "arrived Late"]);
  });

  it("a message that a person reads before we look is recorded all the same [R07]", async () => {
    const scene = await aScene({ hasWebhook: false });
    const [mail] = await scene.admin.sendMail({ to: scene.user.id, subject: "Read at once" });
    scene.admin.markRead(scene.user.id, mail!.id);
    await scene.pass(15);
    const [event] = await scene.events();
    expect(event).toMatchObject({ eventType: "arrived", isRead: true });
  });

  it("five hundred messages moved in bulk are five hundred moves and no arrivals [R11] [OBS-13]", async () => {
    const scene = await aScene({ hasWebhook: false });
    for (let index = 0; index < 500; index++)
      await scene.admin.sendMail({ to: scene.user.id, subject: `Bulk ${index}` });
    await scene.readAll();
    for (const { id } of scene.admin.mailboxTruth(scene.user.id))
      scene.admin.move(scene.user.id, id, "archive");
    await scene.readAll();
    const { rows } = await scene.pool.query<{ type: string; n: number }>(
      "SELECT event_type AS type, count(*) AS n FROM postroom.event GROUP BY 1 ORDER BY 1",
    );
    expect(rows).toEqual([
      { type: "arrived", n: 500 },
      { type: "moved", n: 500 },
    ]);
  });

  it.each([
    ["notified", true],
    ["read by delta", false],
  ])(
    "a message dragged in desktop Outlook, %s, is the same message under a new id [R12] [X-14]",
    async (_, hasWebhook) => {
      const scene = await aScene({ hasWebhook });
      const [mail] = await scene.admin.sendMail({ to: scene.user.id, subject: "Dragged" });
      await scene.pass(15);
      scene.admin.dragToFolder(scene.user.id, mail!.id, "archive");
      await scene.pass(15);
      const events = await scene.events();
      expect(events.map((event) => event.eventType)).toEqual(["arrived", "deleted", "re-keyed"]);
      expect(events[2]!.relatedMessageId).toBe(events[0]!.messageId);
      expect(await scene.differences()).toEqual([]);
    },
  );

  it("a copy is a separate message, and the original stays [R12]", async () => {
    const scene = await aScene();
    const [mail] = await scene.admin.sendMail({ to: scene.user.id, subject: "Copied" });
    await scene.settle();
    scene.admin.copy(scene.user.id, mail!.id, "archive");
    await scene.settle();
    expect(await types(scene)).toEqual(["arrived", "arrived"]);
  });

  it("a message restored from the deleted items, or after permanent deletion, is restored and not new [R13] [OBS-14]", async () => {
    const scene = await aScene();
    const [mail] = await scene.admin.sendMail({ to: scene.user.id, subject: "Back" });
    await scene.settle();
    const { id } = scene.admin.softDelete(scene.user.id, mail!.id);
    await scene.settle();
    scene.admin.restoreMessage(scene.user.id, id);
    await scene.pass(16);
    expect(await types(scene)).toEqual(["arrived", "moved", "restored"]);
    expect(await scene.differences()).toEqual([]);
  });

  it("a draft that is sent becomes sent [R14]", async () => {
    const scene = await aScene();
    const draft = scene.admin.createDraft(scene.user.id, {
      subject: "Offer",
      to: ["x@example.com"],
    });
    await scene.pass(15);
    scene.admin.sendDraft(scene.user.id, draft.id);
    await scene.pass(31);
    expect(await types(scene)).toEqual(["arrived", "sent"]);
    expect(await scene.differences()).toEqual([]);
  });

  it("a draft sent under another id is one message, and the sent version counts [R14]", async () => {
    for (const hasWebhook of [true, false]) {
      const scene = await aScene({ hasWebhook });
      const draft = scene.admin.createDraft(scene.user.id, {
        subject: "Offer",
        to: ["x@example.com"],
      });
      await scene.pass(15);
      const sent = scene.admin.sendDraft(scene.user.id, draft.id);
      scene.admin.dragToFolder(scene.user.id, sent.id, "sentitems");
      await scene.pass(46);
      const events = await scene.events();
      expect(events.map((event) => event.eventType)).toEqual(["arrived", "deleted", "sent"]);
      expect(events[2]!.relatedMessageId).toBe(events[0]!.messageId);
      expect(events[2]).toMatchObject({ folderName: "Sent Items", subject: "Offer" });
      expect(await scene.differences()).toEqual([]);
    }
  });

  it("folders are known by their role, whatever they are called [R15] [DLT-08] [DLT-09]", async () => {
    const scene = await aScene({ starts: false });
    scene.admin.renameFolder(scene.user.id, "deleteditems", "Gelöschte Elemente");
    scene.admin.renameFolder(scene.user.id, "inbox", "Posteingang");
    await scene.app.start();
    await scene.settle();
    const [mail] = await scene.admin.sendMail({ to: scene.user.id, subject: "Hallo" });
    await scene.settle();
    const { id } = scene.admin.softDelete(scene.user.id, mail!.id);
    await scene.settle();
    scene.admin.restoreMessage(scene.user.id, id);
    await scene.settle();
    const events = await scene.events();
    expect(events.map((event) => [event.eventType, event.folderName])).toEqual([
      ["arrived", "Posteingang"],
      ["moved", "Gelöschte Elemente"],
      ["restored", "Posteingang"],
    ]);
  });

  it("messages without a Message-ID, or with brackets around it, are one message each [R24]", async () => {
    const scene = await aScene();
    await scene.admin.sendMail({
      to: scene.user.id,
      subject: "One",
      internetMessageId: "<x@y>",
    });
    await scene.admin.sendMail({
      to: scene.user.id,
      subject: "Two",
      internetMessageId: "",
    });
    await scene.settle();
    const { rows } = await scene.pool.query(
      "SELECT subject, internet_message_id AS id FROM postroom.message ORDER BY 1",
    );
    expect(rows[0]).toEqual({ subject: "One", id: "x@y" });
    expect(rows).toHaveLength(2);
  });

  it("mail that Postroom sent is recorded and starts no work [R38]", async () => {
    const scene = await aScene({ hasWebhook: false });
    const handed: string[] = [];
    await scene.admin.sendMail({
      to: scene.user.id,
      subject: "From us",
      headers: [{ name: "X-Postroom-Origin", value: "this house" }],
    });
    await scene.admin.sendMail({ to: scene.user.id, subject: "From others" });
    await scene.readAll({
      followUp: async (_tx, _mailbox, events) => {
        handed.push(...events.map((event) => event.messageId));
      },
    });
    const events = await scene.events();
    expect(events.map((event) => event.subject).sort()).toEqual(["From others", "From us"]);
    const foreign = events.find((event) => event.subject === "From others")!;
    expect(handed).toEqual([foreign.messageId]);
    expect(OWN_MAIL_HEADER).toBe("x-postroom-origin");
  });

  it("mail that Postroom sent starts no work when delta sees it moved, and delta knows newsletters [R38] [OBS-08]", async () => {
    const scene = await aScene({ hasWebhook: false });
    const [own] = await scene.admin.sendMail({
      to: scene.user.id,
      subject: "From us",
      headers: [{ name: "X-Postroom-Origin", value: "this house" }],
    });
    const news = [{ name: "List-Unsubscribe", value: "<mailto:off@example.com>" }];
    await scene.admin.sendMail({ to: scene.user.id, subject: "News", headers: news });
    await scene.readAll();
    const arrived = (await scene.events()).find((event) => event.subject === "News")!;
    expect(arrived.metadata.isNewsletter).toBe(true);
    const handed: string[] = [];
    scene.admin.move(scene.user.id, own!.id, "archive");
    await scene.readAll({
      followUp: async (_tx, _mailbox, events) => {
        handed.push(...events.map((event) => event.eventType));
      },
    });
    expect((await scene.story()).at(-1)).toBe("moved From us");
    expect(handed).toEqual([]);
  });
});
