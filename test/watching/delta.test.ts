import { describe, expect, it } from "vitest";
import { aLog } from "../helpers/app.ts";
import { aScene } from "./scene.ts";

interface Page {
  readonly value: readonly object[];
}

describe("a delta round", () => {
  it("a round whose place Graph forgot, in the middle or at the start, starts again and skips nothing [R20] [DLT-05] [H-12]", async () => {
    const scene = await aScene({ switches: { messageDeltaPageSize: 20 }, hasWebhook: false });
    for (let index = 0; index < 50; index++)
      await scene.admin.sendMail({ to: scene.user.id, subject: `Mail ${index}` });
    let pages = 0;
    const before = await scene.readAll({
      onPage: () => {
        pages += 1;
        if (pages === 1)
          scene.faults.arm({
            kind: "expire-delta",
            remaining: 1,
            where: { mailbox: scene.user.id },
          });
      },
    });
    expect(before.failed).toEqual([]);
    expect(await scene.differences()).toEqual([]);
    const [gone] = scene.admin.mailboxTruth(scene.user.id);
    scene.admin.hardDelete(scene.user.id, gone!.id);
    scene.faults.arm({ kind: "expire-delta", remaining: 8, where: { mailbox: scene.user.id } });
    await scene.pass(46);
    expect(await scene.differences()).toEqual([]);
    const { rows } = await scene.pool.query<{ resets: number }>(
      "SELECT sum(resets) AS resets FROM postroom.folder",
    );
    expect(Number(rows[0]!.resets)).toBeGreaterThan(0);
  });

  it("a round that Graph keeps restarting gives up after a few tries without an alarm, and the next one succeeds [DLT-05]", async () => {
    const scene = await aScene({ switches: { messageDeltaPageSize: 20 }, hasWebhook: false });
    for (let index = 0; index < 30; index++)
      await scene.admin.sendMail({ to: scene.user.id, subject: `Mail ${index}` });
    scene.faults.arm({ kind: "expire-delta", where: { mailbox: scene.user.id } });
    const { log, lines } = aLog();
    const { failed } = await scene.readAll({ log });
    expect(new Set(lines.map((line) => line["level"]))).toEqual(new Set(["info"]));
    expect(failed).toMatchObject([{ error: { code: "graph.sync-state-gone" } }]);
    scene.faults.disarm();
    expect((await scene.readAll()).failed).toEqual([]);
    expect(await scene.differences()).toEqual([]);
  });

  it("a change during a round is not lost [R21]", async () => {
    const scene = await aScene({ switches: { messageDeltaPageSize: 20 }, hasWebhook: false });
    for (let index = 0; index < 60; index++)
      await scene.admin.sendMail({ to: scene.user.id, subject: `Mail ${index}` });
    let pages = 0;
    await scene.readAll({
      mirror: {
        folders: async () => {},
        cursor: async () => {
          pages += 1;
          const all = scene.admin.mailboxTruth(scene.user.id);
          scene.admin.move(scene.user.id, all[pages]!.id, "archive");
          scene.admin.markRead(scene.user.id, all[40 + pages]!.id);
          await scene.admin.sendMail({ to: scene.user.id, subject: `While ${pages}` });
        },
      },
    });
    expect(pages).toBeGreaterThan(3);
    await scene.readAll();
    await scene.readAll();
    expect(await scene.differences()).toEqual([]);
  });

  it.each([
    ["429 without Retry-After", "throttle", { retryAfterSeconds: null }],
    ["503", "server-error", { status: 503 }],
    ["504", "server-error", { status: 504 }],
    ["half an answer", "cut-body", {}],
    ["a page of HTML", "html", {}],
  ])("a round survives %s [R22] [GRA-05]", async (_, kind, options) => {
    const scene = await aScene({ hasWebhook: false });
    await scene.admin.sendMail({ to: scene.user.id, subject: "Through" });
    scene.faults.arm({ kind, options, remaining: 3, where: { part: "graph" } });
    await scene.pass(31);
    expect(await scene.story()).toEqual(["arrived Through"]);
  });

  it("a folder that cannot be read does not stop the others [DLT-14]", async () => {
    const scene = await aScene({ hasWebhook: false });
    await scene.readAll();
    const { rows } = await scene.pool.query<{ id: string }>(
      "SELECT folder_id AS id FROM postroom.folder WHERE well_known = 'inbox'",
    );
    const path = `/v1.0/users/${scene.user.id}/mailFolders/${rows[0]!.id}*`;
    scene.faults.arm({ kind: "server-error", options: { status: 500 }, where: { path } });
    for (const folder of ["inbox", "archive", "junkemail"])
      await scene.admin.sendMail({ to: scene.user.id, subject: folder, folder });
    const { failed } = await scene.readAll();
    expect(failed.map((one) => one.folder)).toEqual(["Inbox"]);
    expect((await scene.story()).sort()).toEqual(["arrived archive", "arrived junkemail"]);
    scene.faults.disarm();
    await scene.readAll();
    expect(await scene.differences()).toEqual([]);
  });

  it("a round that is throttled for long keeps its place and continues from there [R44]", async () => {
    const scene = await aScene({ hasWebhook: false });
    await scene.readAll();
    const cursors = async () =>
      (await scene.pool.query("SELECT folder_id, delta_link FROM postroom.folder ORDER BY 1")).rows;
    const before = await cursors();
    await scene.admin.sendMail({ to: scene.user.id, subject: "Later" });
    scene.faults.arm({
      kind: "throttle",
      options: { retryAfterSeconds: 300 },
      where: { part: "graph" },
    });
    await expect(scene.readAll()).rejects.toMatchObject({ code: "graph.throttled" });
    expect(await cursors()).toEqual(before);
    scene.faults.disarm();
    await scene.pass(46);
    expect(await scene.story()).toEqual(["arrived Later"]);
  });

  it("a round asks as documented: first with $select, then with Graph's own links, never from `latest` and never filtered [DLT-02] [DLT-11] [DLT-12]", async () => {
    const scene = await aScene({
      switches: { messageDeltaPageSize: 20 },
      hasWebhook: false,
      starts: false,
    });
    for (let index = 0; index < 25; index++)
      await scene.admin.sendMail({ to: scene.user.id, subject: `Mail ${index}` });
    const asked: string[] = [];
    const real = scene.needs.graphOf(await scene.mailbox());
    const graph = {
      ...real,
      call: async (call: Parameters<typeof real.call>[0]) => {
        asked.push(call.path);
        return real.call(call);
      },
    } as typeof real;
    await scene.readAll({ graphOf: () => graph });
    await scene.readAll({ graphOf: () => graph });
    const stored = await scene.pool.query<{ link: string }>(
      "SELECT delta_link AS link FROM postroom.folder WHERE well_known = 'inbox'",
    );
    await scene.readAll({ graphOf: () => graph });
    const deltas = asked.filter((path) => path.includes("/messages/delta"));
    expect(deltas[0]).toMatch(/^\/users\/[^/]+\/mailFolders\/[^/]+\/messages\/delta\?\$select=/);
    expect(deltas).toContain(stored.rows[0]!.link);
    expect(asked.join("\n")).not.toMatch(/deltatoken=latest|\$filter|\/me\//i);
  });

  it("the link does not move past a page whose jobs could not be added [R41] [H-13]", async () => {
    const scene = await aScene({ hasWebhook: false });
    await scene.admin.sendMail({ to: scene.user.id, subject: "Handed over" });
    const broken = await scene.readAll({
      followUp: async () => {
        throw new Error("the queue is away");
      },
    });
    expect(broken.failed).toHaveLength(1);
    expect(await scene.events()).toEqual([]);
    await scene.readAll();
    expect(await scene.story()).toEqual(["arrived Handed over"]);
  });

  it("a round whose stored link was damaged starts again, and deletions in between are found [R20]", async () => {
    const scene = await aScene({ hasWebhook: false });
    const [mail] = await scene.admin.sendMail({ to: scene.user.id, subject: "Gone meanwhile" });
    await scene.readAll();
    await scene.pool.query(
      "UPDATE postroom.folder SET delta_link = regexp_replace(delta_link, 'token=.*', 'token=zzz') WHERE well_known = 'inbox'",
    );
    scene.admin.hardDelete(scene.user.id, mail!.id);
    expect((await scene.readAll()).failed).toEqual([]);
    await scene.readAll();
    expect(await scene.story()).toEqual(["arrived Gone meanwhile", "deleted Gone meanwhile"]);
  });

  it.each<[string, (page: Page, asked: string) => object]>([
    [
      "a link that leads back to itself",
      ({ value }, asked) => ({ value, "@odata.nextLink": asked }),
    ],
    ["no link at all", ({ value }) => ({ value })],
  ])(
    "a round that would not end because of %s fails with a reason, and the next one succeeds [R20]",
    async (_, bend) => {
      const scene = await aScene({ hasWebhook: false });
      await scene.admin.sendMail({ to: scene.user.id, subject: "In the end" });
      const real = scene.needs.graphOf(await scene.mailbox());
      const bent = {
        ...real,
        call: async (call: Parameters<typeof real.call>[0]) => {
          const page = await real.call<Page>(call);
          return call.path.includes("/messages/delta") ? bend(page, call.path) : page;
        },
      } as typeof real;
      const { failed } = await scene.readAll({ graphOf: () => bent });
      expect(failed.length).toBeGreaterThan(0);
      for (const { error } of failed) expect(error).toMatchObject({ code: "graph.bad-answer" });
      expect((await scene.readAll()).failed).toEqual([]);
      expect(await scene.story()).toEqual(["arrived In the end"]);
    },
  );
});
