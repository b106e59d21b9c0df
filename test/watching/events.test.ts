import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { Fault } from "../../src/lib/fault.ts";
import { createLog } from "../../src/lib/log.ts";
import { forgetBefore } from "../../src/mailbox/events/event-log.ts";
import { recordObservations } from "../../src/mailbox/events/record-observations.ts";
import { writeChanges } from "../../src/mailbox/events/write-changes.ts";
import { setFolderExcluded } from "../../src/mailbox/folders/folder-table.ts";
import type { Mailbox } from "../../src/mailbox/mailbox-table.ts";
import { MESSAGE_SELECT, toMessageState } from "../../src/mailbox/messages/message.ts";
import { auditMailbox } from "../../src/mailbox/operating/audit-mailbox.ts";
import { openRedisMirror } from "../../src/mailbox/redis-mirror.ts";
import type { GraphClient } from "../../src/microsoft/graph/graph-client.ts";
import type { Transaction } from "../../src/store/database.ts";
import { untilSomebodyWaits } from "../claims/scene.ts";
import { until } from "../helpers/app.ts";
import { startRedis } from "../helpers/redis.ts";
import { aScene, type Scene } from "./scene.ts";

const DAY_MINUTES = 24 * 60;

describe("an event", () => {
  it("an event carries all of a message's metadata and which path saw it first [OBS-01] [OBS-09] [OBS-15] [OBS-18] [DLT-10]", async () => {
    const scene = await aScene();
    await scene.admin.sendMail({
      to: scene.user.id,
      subject: "Everything",
      from: { name: "Desk", address: "Desk@Broker.example" },
      importance: "high",
      categories: ["Red"],
      headers: [{ name: "List-Unsubscribe", value: "<mailto:x@y>" }],
      attachments: [
        { name: "a.pdf", contentBytes: Buffer.from("%PDF-").toString("base64") },
      ] as never,
    });
    await scene.settle();
    const [event] = await scene.events();
    expect(event).toMatchObject({
      userId: scene.user.id,
      mailboxId: (await scene.mailbox()).id,
      eventType: "arrived",
      sender: { name: "Desk", email: "desk@broker.example", domain: "broker.example" },
      subject: "Everything",
      folderName: "Inbox",
      fromFolder: null,
      importance: "high",
      hasAttachments: true,
      categories: ["Red"],
      isRead: false,
      metadata: { hasListUnsubscribe: true, isNewsletter: true, isAutomated: false },
      seenBy: "push",
    });
    expect(event!.receivedAt).toBeInstanceOf(Date);
    expect(event!.timestamp).toEqual(event!.receivedAt);
    expect([event!.internetMessageId, event!.conversationId]).not.toContain(null);
    expect((await scene.mailbox()).graphUserId).toBe(scene.user.id);
  });

  it("Graph is asked for the properties of events, never for a body [OBS-05] [OBS-06]", () => {
    const asked = MESSAGE_SELECT.split(",");
    for (const name of "id subject from receivedDateTime isRead importance hasAttachments conversationId categories parentFolderId internetMessageId internetMessageHeaders flag".split(
      " ",
    ))
      expect(asked).toContain(name);
    expect(MESSAGE_SELECT).not.toMatch(/body|recipient|uniqueBody/i);
  });

  it("an answer that is overtaken by a newer one makes no event and undoes nothing [WEB-20]", async () => {
    const scene = await aScene();
    await scene.admin.sendMail({ to: scene.user.id, subject: "Raced" });
    await scene.settle();
    const [arrived] = await scene.events();
    const mailbox = await scene.mailbox();
    const record = (category: string, minute: number) => {
      const lastModifiedDateTime = new Date(
        arrived!.timestamp.getTime() + minute * 60_000,
      ).toISOString();
      const message = {
        ...{ id: arrived!.messageId, changeKey: category, categories: [category] },
        lastModifiedDateTime,
      };
      return scene.pool.transaction((tx) =>
        recordObservations(
          tx,
          mailbox,
          [{ kind: "present", message }],
          { by: "push", at: new Date() },
          async () => {},
        ),
      );
    };
    expect(await record("Newer", 2)).toHaveLength(1);
    expect(await record("Older", 1)).toEqual([]);
    expect(await record("Newer", 2)).toEqual([]);
    expect((await scene.events()).at(-1)).toMatchObject({ categories: ["Newer"] });
  });

  it("an event is written once: a second write changes nothing and does not fail, any other error is thrown [OBS-02] [OBS-03] [OBS-04] [H-02]", async () => {
    const scene = await aScene();
    const mailbox = await scene.mailbox();
    const at = new Date("2026-01-01T00:00:00Z");
    const state = toMessageState({ id: "m" }, null, "f", at);
    const writeIn = (tx: Transaction, when: Date, folder = "f") =>
      writeChanges(
        tx,
        mailbox,
        { by: "push", at: when },
        {
          changed: new Map(),
          events: [
            {
              happening: { type: "arrived", change: "", fromFolder: null },
              state: { ...state, folderId: folder },
              at: when,
              folderName: null,
              fromFolderName: null,
            },
          ],
        },
        () => false,
      );
    const write = (when: Date, folder = "f") =>
      scene.pool.transaction((tx) => writeIn(tx, when, folder));
    const [first, second] = await scene.pool.transaction(async (tx) => {
      const written = await writeIn(tx, at);
      const atOnce = write(new Date("2026-01-02T00:00:00Z"));
      await untilSomebodyWaits(scene.pool);
      return [written, atOnce] as const;
    });
    expect(first).toHaveLength(1);
    expect(await second).toEqual([]);
    expect(await write(new Date("2026-02-01T00:00:00Z"))).toEqual([]);
    expect((await scene.events())[0]!.timestamp).toEqual(at);
    await expect(write(at, null as never)).rejects.toThrow(/null value/);
    const { rows } = await scene.pool.query<{ text: string }>(
      "SELECT indexdef AS text FROM pg_indexes WHERE indexname = 'event_once'",
    );
    expect(rows[0]!.text).toContain("(user_id, mailbox, message_id, event_type, change)");
  });

  it.each([
    ["push then delta", ["settle", "readAll"]],
    ["delta then push", ["readAll", "settle"]],
  ] as const)("a change seen by %s is one event [OBS-17] [DLT-07]", async (_, order) => {
    const scene = await aScene({ switches: { deliveryDelayMs: 3_000 } });
    const [mail] = await scene.admin.sendMail({ to: scene.user.id, subject: "Both" });
    scene.admin.markRead(scene.user.id, mail!.id);
    for (const step of order) await scene[step]();
    await scene.pass(16);
    expect(await scene.story()).toEqual(["arrived Both"]);
  });

  it("a change that repeats makes an event each time: read, unread, read; there and back; flag and unflag [H-12] [X-14] [OBS-13]", async () => {
    const scene = await aScene();
    const [mail] = await scene.admin.sendMail({ to: scene.user.id, subject: "To and fro" });
    await scene.settle();
    for (const isRead of [true, false, true]) {
      scene.admin.markRead(scene.user.id, mail!.id, isRead);
      await scene.settle();
    }
    let { id } = mail!;
    for (const folder of ["archive", "inbox", "archive"]) {
      id = scene.admin.move(scene.user.id, id, folder).id;
      await scene.settle();
    }
    scene.admin.flag(scene.user.id, id);
    scene.admin.categorize(scene.user.id, id, ["Blue"]);
    await scene.settle();
    const types = (await scene.events()).map((event) => event.eventType);
    expect(types.filter((type) => type === "moved")).toHaveLength(3);
    expect(types.filter((type) => type === "read")).toHaveLength(2);
    expect(types).toContain("unread");
    expect(types).toContain("flagged");
    expect(types).not.toContain("unflagged");
    expect(types).toContain("categorized");
    const moved = (await scene.events()).find((event) => event.eventType === "moved")!;
    expect([moved.fromFolder, moved.toFolder]).not.toContain(null);
    expect([moved.fromFolderName, moved.folderName]).toEqual(["Inbox", "Archive"]);
    scene.admin.flag(scene.user.id, id, "complete");
    await scene.settle();
    scene.admin.flag(scene.user.id, id, "notFlagged");
    await scene.settle();
    const flags = (await scene.events())
      .filter((event) => event.eventType.endsWith("flagged"))
      .map((event) => [event.eventType, event.flag]);
    expect(flags).toEqual([
      ["flagged", "flagged"],
      ["flagged", "complete"],
      ["unflagged", "notFlagged"],
    ]);
    expect(await scene.differences()).toEqual([]);
  });

  it("a deletion needs nothing of the message itself [OBS-15] [DLT-06]", async () => {
    const scene = await aScene();
    const [one, two] = [
      (await scene.admin.sendMail({ to: scene.user.id, subject: "Notified" }))[0]!,
      (await scene.admin.sendMail({ to: scene.user.id, subject: "Read by delta" }))[0]!,
    ];
    await scene.settle();
    scene.admin.hardDelete(scene.user.id, one.id);
    await scene.settle();
    scene.faults.arm({ kind: "drop-notification" });
    scene.admin.hardDelete(scene.user.id, two.id);
    await scene.pass(16);
    const deleted = (await scene.events()).filter((event) => event.eventType === "deleted");
    expect(deleted.map((event) => [event.subject, event.seenBy])).toEqual([
      ["Notified", "push"],
      ["Read by delta", "delta"],
    ]);
  });

  it("a message that is gone before it can be read makes no event, and its job is done [OBS-16]", async () => {
    const scene = await aScene({ switches: { deliveryDelayMs: 5_000 } });
    const [mail] = await scene.admin.sendMail({ to: scene.user.id, subject: "Gone" });
    scene.faults.arm({ kind: "drop-notification", where: { changeType: "deleted" } });
    scene.admin.hardDelete(scene.user.id, mail!.id);
    await scene.pass(5);
    expect(await scene.events()).toEqual([]);
    expect(scene.engine.dead).toEqual([]);
    expect(scene.engine.waiting).toEqual([]);
  });

  it("events are the same whatever the order of the notifications [WEB-20]", async () => {
    const scene = await aScene();
    scene.faults.arm({
      kind: "reorder-notifications",
      probability: 0.5,
      options: { delayMs: 90_000 },
    });
    const [mail] = await scene.admin.sendMail({ to: scene.user.id, subject: "Shuffled" });
    for (const step of [
      () => scene.admin.markRead(scene.user.id, mail!.id),
      () => scene.admin.flag(scene.user.id, mail!.id),
      () => scene.admin.move(scene.user.id, mail!.id, "archive"),
    ]) {
      step();
      await scene.settle();
    }
    await scene.pass(20);
    expect(await scene.differences()).toEqual([]);
  });

  it("an event names a folder that was created a moment before the mail came [DLT-10]", async () => {
    const scene = await aScene();
    scene.admin.createFolder(scene.user.id, "Brand new");
    await scene.admin.sendMail({ to: scene.user.id, subject: "In it", folder: "Brand new" });
    await scene.settle();
    expect((await scene.events())[0]).toMatchObject({ folderName: "Brand new", seenBy: "push" });
  });
});

describe("folders", () => {
  it("all folders are read: custom, nested, renamed and deleted ones; a missing one is skipped [DLT-08] [DLT-09]", async () => {
    const scene = await aScene({ hasWebhook: false, starts: false });
    scene.admin.deleteFolder(scene.user.id, "archive");
    scene.admin.createFolder(scene.user.id, "Clients");
    scene.admin.createFolder(scene.user.id, "Ashdown", "Clients");
    await scene.admin.sendMail({ to: scene.user.id, subject: "Deep", folder: "Ashdown" });
    await scene.readAll();
    expect((await scene.events())[0]!.folderName).toBe("Ashdown");
    scene.admin.deleteFolder(scene.user.id, "Clients");
    await scene.pass(46);
    expect(await scene.differences()).toEqual([]);
  });

  it("excluded folders are silent; a move in or out makes an event", async () => {
    const scene = await aScene();
    const mailbox = await scene.mailbox();
    const { rows } = await scene.pool.query<{ id: string }>(
      "SELECT folder_id AS id FROM postroom.folder WHERE well_known = 'junkemail'",
    );
    await setFolderExcluded(scene.pool, mailbox.id, rows[0]!.id, true);
    const [spam] = await scene.admin.sendMail({
      to: scene.user.id,
      subject: "Spam",
      folder: "junkemail",
    });
    const [mail] = await scene.admin.sendMail({ to: scene.user.id, subject: "Mail" });
    await scene.settle();
    const moved = scene.admin.move(scene.user.id, mail!.id, "junkemail");
    await scene.settle();
    scene.admin.markRead(scene.user.id, moved.id);
    await scene.pass(16);
    expect(await scene.story()).toEqual(["arrived Mail", "moved Mail"]);
    scene.admin.move(scene.user.id, spam!.id, "inbox");
    await scene.pass(16);
    expect((await scene.story()).at(-1)).toBe("arrived Spam");
    const audit = await auditMailbox(scene.needs, mailbox, { since: null, repair: false });
    expect(audit.findings).toEqual([]);
  });

  it("a folder is read by one process at a time: another leaves it alone until the first is done [DLT-16]", async () => {
    const scene = await aScene({ hasWebhook: false });
    for (let index = 0; index < 90; index++)
      await scene.admin.sendMail({ to: scene.user.id, subject: `Mail ${index}` });
    const { rows } = await scene.pool.query<{ id: string }>(
      "SELECT folder_id AS id FROM postroom.folder WHERE well_known = 'inbox'",
    );
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const firstPage = new Promise<void>((resolve) => {
      const cursor = async (_: number, folder: string) => {
        if (folder !== rows[0]!.id) return;
        resolve();
        await gate;
      };
      void scene.readAll({ mirror: { cursor, folders: async () => {} } }).then(done, done);
    });
    let ended: unknown;
    function done(how: unknown) {
      ended = how;
    }
    await firstPage;
    expect((await scene.readAll()).failed).toEqual([]);
    expect(await scene.events()).toHaveLength(20);
    goOn();
    await until("the first round", async () => ended);
    expect(ended).toMatchObject({ failed: [] });
    expect(await scene.events()).toHaveLength(90);
  });
});

describe("a copy in Redis", () => {
  it("Redis contains delta links without expiry and folder names; without Redis the round continues [DLT-03] [DLT-10]", async () => {
    const server = await startRedis();
    const log = createLog({ level: "silent" });
    const mirror = openRedisMirror({ address: server.url, clock: systemClock, log });
    const scene = await aScene({ hasWebhook: false });
    await scene.readAll({ mirror });
    const { rows } = await scene.pool.query<{ id: string; link: string; mailbox: number }>(
      "SELECT mailbox, folder_id AS id, delta_link AS link FROM postroom.folder WHERE well_known = 'inbox'",
    );
    const { mailbox, id, link } = rows[0]!;
    const redis = new Redis(server.url);
    expect(await redis.get(`delta:${mailbox}:${id}`)).toBe(link);
    expect(await redis.ttl(`delta:${mailbox}:${id}`)).toBe(-1);
    expect(await redis.hget(`folders:${mailbox}`, id)).toBe("Inbox");
    scene.admin.renameFolder(scene.user.id, "inbox", "Posteingang");
    await scene.readAll({ mirror });
    expect(await redis.hget(`folders:${mailbox}`, id)).toBe("Posteingang");
    redis.disconnect();
    await server.stop();
    await scene.admin.sendMail({ to: scene.user.id, subject: "Without Redis" });
    expect((await scene.readAll({ mirror })).failed).toEqual([]);
    expect(await scene.story()).toEqual(["arrived Without Redis"]);
    await mirror.close();
  });
});

describe("after seven days without the process", () => {
  it("everything is caught up on start, and no event is repeated [SUB-23] [DLT-15] [H-14]", async () => {
    const scene = await aScene();
    const sent: string[] = [];
    const send = async (subject: string) => {
      sent.push(subject);
      return (await scene.admin.sendMail({ to: scene.user.id, subject }))[0]!;
    };
    const before = await send("Before");
    await scene.settle();
    for (let day = 0; day < 7; day++) {
      const mail = await send(`Day ${day}`);
      if (day % 2 === 0) scene.admin.markRead(scene.user.id, mail.id);
      if (day === 3) scene.admin.move(scene.user.id, mail.id, "archive");
    }
    scene.admin.hardDelete(scene.user.id, before.id);
    await scene.down(7 * DAY_MINUTES);
    await scene.pass(31);
    expect(await scene.differences()).toEqual([]);
    const arrived = (await scene.events()).filter((event) => event.eventType === "arrived");
    expect(arrived.map((event) => event.subject).sort()).toEqual([...sent].sort());
    expect(scene.admin.subscriptions()).toHaveLength(1);
    await send("After");
    await scene.settle();
    expect((await scene.events()).at(-1)).toMatchObject({ subject: "After", seenBy: "push" });
  });
});

describe("an audit that is stopped in the middle of a mailbox", () => {
  /** Pages of two messages; each listing passes `before`, which may throw. */
  const listing = (scene: Scene, before: (path: string) => void) => ({
    ...scene.needs,
    graphOf: (mailbox: Mailbox): GraphClient => {
      const graph = scene.needs.graphOf(mailbox);
      return {
        ...graph,
        call(request) {
          if (/mailFolders\/.+\/messages/.test(request.path)) before(request.path);
          return graph.call({ ...request, path: request.path.replace("$top=1000", "$top=2") });
        },
      };
    },
  });

  const stoppedAudit = async () => {
    const scene = await aScene();
    for (let n = 0; n < 7; n += 1)
      await scene.admin.sendMail({ to: scene.user.id, subject: `Mail ${n}` });
    await scene.settle();
    await scene.pool.query("DELETE FROM postroom.event WHERE subject = 'Mail 1'");
    const mailbox = await scene.mailbox();
    const listed: string[] = [];
    const options = { since: null, repair: false, jobId: randomUUID() };
    const stops = listing(scene, (path) => {
      if (listed.filter(isNext).length === 2) throw new Fault("graph.unavailable", "503");
      listed.push(path);
    });
    await expect(auditMailbox(stops, mailbox, options)).rejects.toThrow("503");
    const audit = (before: (path: string) => void) =>
      auditMailbox(listing(scene, before), mailbox, options);
    return { listed, audit };
  };
  const isNext = (path: string) => path.includes("skip");
  const found = { inMailbox: 7, findings: [{ kind: "missing", subject: "Mail 1" }] };

  it("continues with the next page after a restart, and finds what a complete audit finds", async () => {
    const { listed, audit } = await stoppedAudit();
    expect(await audit((path) => listed.push(path))).toMatchObject(found);
    expect(listed.filter(isNext)).toHaveLength(3);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it("begins the folder again if Graph has forgotten the place", async () => {
    const { audit } = await stoppedAudit();
    const asked: string[] = [];
    const report = await audit((path) => {
      asked.push(path);
      if (asked.length === 1) throw new Fault("graph.rejected", "the link is too old");
    });
    expect(report).toMatchObject(found);
    expect([isNext(asked[0]!), isNext(asked[1]!)]).toEqual([true, false]);
    expect(asked.slice(1).filter(isNext)).toHaveLength(3);
  });
});

describe("events past their retention", () => {
  it("old events are removed together with the rows of deleted mail, and no audit misses them [X-14]", async () => {
    const scene = await aScene();
    const [old, gone] = [
      (await scene.admin.sendMail({ to: scene.user.id, subject: "Old" }))[0]!,
      (await scene.admin.sendMail({ to: scene.user.id, subject: "Gone" }))[0]!,
    ];
    await scene.settle();
    scene.admin.hardDelete(scene.user.id, gone.id);
    await scene.settle();
    await scene.tenant.clock.advance(91 * DAY_MINUTES * 60_000);
    await scene.admin.sendMail({ to: scene.user.id, subject: "New" });
    await scene.readAll();
    await forgetBefore(scene.pool, new Date(scene.tenant.clock.now() - 90 * DAY_MINUTES * 60_000));
    expect(await scene.story()).toEqual(["arrived New"]);
    const { rows } = await scene.pool.query("SELECT subject FROM postroom.message ORDER BY 1");
    expect(rows).toEqual([{ subject: "New" }, { subject: "Old" }]);
    const audit = async (repair: boolean) =>
      auditMailbox(scene.needs, await scene.mailbox(), { since: null, repair });
    expect((await audit(true)).findings).toEqual([]);
    scene.admin.markRead(scene.user.id, old.id);
    await scene.readAll();
    expect(await scene.story()).toEqual(["arrived New", "read Old"]);
    expect((await audit(false)).findings).toEqual([]);
  });
});
