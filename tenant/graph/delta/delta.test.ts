import { describe, expect, it } from "vitest";
import { ALEX, createGraphBench, type Loose } from "../testing/graph-bench.ts";

const DELTA = `/v1.0/users/${ALEX}/mailFolders/inbox/messages/delta`;

function setUp(switches = {}) {
  const bench = createGraphBench({ switches });
  const send = async (subject: string) => {
    const [mail] = await bench.admin.sendMail({ to: ALEX, subject });
    await bench.clock.advance(1000);
    return mail!;
  };
  /** Follows the links of one round to its end. */
  const round = async (start: string, headers?: Record<string, string>) => {
    const items: Loose[] = [];
    let pages = 0;
    for (let link = start; ; pages++) {
      const page = await bench.get(link, headers);
      if (page.status !== 200) return { items, pages, link: "", failure: page };
      items.push(...page.json.value);
      if (page.json["@odata.deltaLink"]) {
        return {
          items,
          pages: pages + 1,
          link: page.json["@odata.deltaLink"] as string,
          failure: null,
        };
      }
      link = page.json["@odata.nextLink"];
    }
  };
  return { bench, send, round };
}

describe("the first round", () => {
  it("gives everything in pages and then a deltaLink, options baked into the links", async () => {
    const { bench, send, round } = setUp();
    for (let index = 0; index < 25; index++) await send(`mail ${index}`);
    const first = await bench.get(`${DELTA}?$select=subject`);
    expect(first.json.value).toHaveLength(10);
    expect(first.json["@odata.nextLink"]).toMatch(/\?\$skiptoken=[\w-]+$/);
    const whole = await round(`${DELTA}?$select=subject`);
    expect(whole.pages).toBe(3);
    expect(new Set(whole.items.map((each) => each.id)).size).toBe(25);
    expect(Object.keys(whole.items[24]).sort()).toEqual(["@odata.etag", "id", "subject"]);
  });

  it("honours odata.maxpagesize and says so", async () => {
    const { bench, send } = setUp();
    for (let index = 0; index < 5; index++) await send(`${index}`);
    const page = await bench.get(DELTA, { Prefer: "odata.maxpagesize=2" });
    expect(page.json.value).toHaveLength(2);
    expect(page.headers!["preference-applied"]).toBe("odata.maxpagesize=2");
  });

  it("a filter caps it at 5,000 messages, and only one kind of filter is taken", async () => {
    const { bench, round } = setUp({ messageDeltaPageSize: 1000 });
    bench.admin.addLazyMailbox(ALEX, "inbox", 6000, (index) => ({
      subject: `${index}`,
      receivedAt: Date.UTC(2025, 0, 1) + index * 1000,
    }));
    const capped = await round(
      `${DELTA}?$select=subject&$filter=receivedDateTime ge 2025-01-01T00:00:00Z`,
    );
    expect(capped.items).toHaveLength(5000);
    const all = await round(`${DELTA}?$select=subject`);
    expect(all.items).toHaveLength(6000);
    expect((await bench.get(`${DELTA}?$filter=isRead eq true`)).status).toBe(400);
    expect((await bench.get(`${DELTA}?$search="x"`)).status).toBe(400);
    expect((await bench.get(`${DELTA}?$deltatoken=latest`)).status).toBe(400);
  });

  it("does not lose what changes while it is read", async () => {
    const { bench, send, round } = setUp();
    const mails: Awaited<ReturnType<typeof send>>[] = [];
    for (let index = 0; index < 15; index++) mails.push(await send(`${index}`));
    const page = await bench.get(DELTA);
    const late = await send("late");
    bench.admin.markRead(ALEX, mails[14]!.id);
    bench.admin.move(ALEX, mails[0]!.id, "archive");
    const rest = await round(page.json["@odata.nextLink"]);
    const next = await round(rest.link);
    expect(next.items.map((each) => each.id).sort()).toEqual(
      [late.id, mails[14]!.id, mails[0]!.id].sort(),
    );
    expect(next.items.find((each) => each.id === mails[0]!.id)).toHaveProperty("@removed");
  });
});

describe("later rounds", () => {
  it("tell of new, changed and removed messages; a move out is a removal", async () => {
    const { bench, send, round } = setUp();
    const [kept, moved, gone] = [await send("kept"), await send("moved"), await send("gone")];
    const { link } = await round(DELTA);
    const added = await send("added");
    bench.admin.markRead(ALEX, kept.id);
    bench.admin.move(ALEX, moved.id, "archive");
    bench.admin.hardDelete(ALEX, gone.id);
    const next = await round(link);
    const byId = new Map(next.items.map((each) => [each.id, each]));
    expect(byId.size).toBe(4);
    expect(byId.get(added.id)).toMatchObject({ subject: "added" });
    expect(byId.get(kept.id)).toMatchObject({ isRead: true });
    for (const mail of [moved, gone]) {
      expect(byId.get(mail.id)).toMatchObject({ "@removed": { reason: "deleted" } });
    }
    expect((await round(next.link)).items).toEqual([]);
    const archive = await bench.get(`/v1.0/users/${ALEX}/mailFolders/archive/messages/delta`);
    expect(archive.json.value).toHaveLength(1);
  });

  it("work with either form of id at any time", async () => {
    const { bench, send, round } = setUp();
    const mail = await send("one");
    const { link } = await round(DELTA);
    bench.admin.markRead(ALEX, mail.id);
    const next = await round(link, { Prefer: 'IdType="ImmutableId"' });
    expect(next.items[0].id).toBe(mail.immutableId);
  });

  it("can be limited to one kind of change", async () => {
    const { bench, send, round } = setUp();
    const old = await send("old");
    const { link, items } = await round(`${DELTA}?changeType=created`);
    expect(items).toHaveLength(1);
    const fresh = await send("fresh");
    bench.admin.markRead(ALEX, fresh.id);
    bench.admin.markRead(ALEX, old.id);
    const next = await round(link);
    expect(next.items.map((each) => each.id)).toEqual([fresh.id]);
  });

  it("show a lagging message late, but show it", async () => {
    const { bench, round } = setUp();
    const { link } = await round(DELTA);
    await bench.admin.sendMail({ to: ALEX, subject: "lagging", visibleAfterMs: 60_000 });
    const early = await round(link);
    expect(early.items).toEqual([]);
    expect((await bench.get(`/v1.0/users/${ALEX}/messages`)).json.value).toEqual([]);
    await bench.clock.advance(60_000);
    expect((await round(early.link)).items).toMatchObject([{ subject: "lagging" }]);
  });
});

describe("lost state", () => {
  it("only the last three generations of a walk live", async () => {
    const { bench, send, round } = setUp();
    await send("one");
    const links = [(await round(DELTA)).link];
    for (let index = 0; index < 3; index++) links.push((await round(links.at(-1)!)).link);
    const old = await bench.get(links[0]!);
    expect([old.status, old.json.error.code]).toEqual([410, "SyncStateNotFound"]);
    expect(old.json.error.message).toMatch(/generation=1;\[highest=4\]\[4\]\[3\]\[2\]/);
    expect((await bench.get(links[1]!)).status).toBe(200);
  });

  it("can be forced, with a code or with a Location to start over from", async () => {
    const { bench, send, round } = setUp();
    await send("one");
    const { link } = await round(DELTA);
    bench.faults.arm({ kind: "expire-delta", remaining: 1, where: { folder: "inbox" } });
    expect((await bench.get(link)).json.error.code).toBe("SyncStateNotFound");
    bench.faults.arm({ kind: "reset-delta", remaining: 1 });
    const reset = await bench.get(link);
    expect(reset.status).toBe(410);
    expect(reset.headers!["location"]).toMatch(/messages\/delta\?\$deltatoken=$/);
    expect((await round(reset.headers!["location"]!)).items).toHaveLength(1);
  });

  it("a damaged link is refused, not obeyed", async () => {
    const { bench } = setUp();
    const answer = await bench.get(`${DELTA}?$skiptoken=abc`);
    expect([answer.status, answer.json.error.code]).toEqual([400, "ErrorInvalidSyncStateData"]);
  });
});

describe("rudeness", () => {
  it("an empty page with a nextLink, an item twice across pages, and a replay", async () => {
    const { bench, send, round } = setUp();
    for (let index = 0; index < 12; index++) await send(`${index}`);
    bench.faults.arm({ kind: "empty-page", remaining: 1 });
    bench.faults.arm({ kind: "duplicate-delta", remaining: 1 });
    const first = await bench.get(DELTA);
    expect(first.json.value).toEqual([]);
    const whole = await round(first.json["@odata.nextLink"]);
    expect(whole.items).toHaveLength(13);
    expect(new Set(whole.items.map((each) => each.id)).size).toBe(12);
    bench.faults.arm({ kind: "replay-delta", remaining: 1, options: { changes: 3 } });
    const replayed = await round(whole.link);
    expect(replayed.items).toHaveLength(3);
  });
});

describe("folders", () => {
  it("delta tracks the hierarchy: made, renamed, deleted", async () => {
    const { bench, round } = setUp();
    const first = await round(`/v1.0/users/${ALEX}/mailFolders/delta`);
    expect(first.items.map((each) => each.displayName)).toContain("Inbox");
    const made = bench.admin.createFolder(ALEX, "Brokers", "inbox");
    const second = await round(first.link);
    expect(second.items).toMatchObject([{ id: made.id, displayName: "Brokers" }]);
    bench.admin.renameFolder(ALEX, made.id, "Makler");
    const third = await round(second.link);
    expect(third.items).toMatchObject([{ displayName: "Makler" }]);
    bench.admin.deleteFolder(ALEX, made.id);
    const fourth = await round(third.link);
    expect(fourth.items).toEqual([{ id: made.id, "@removed": { reason: "deleted" } }]);
    expect((await bench.get(`/v1.0/users/${ALEX}/mailFolders/delta?$top=1`)).status).toBe(400);
  });

  it("lists children of the root only, hidden ones on request, search folders among them", async () => {
    const bench = createGraphBench();
    bench.admin.createFolder(ALEX, "Unread", "msgfolderroot", { isSearchFolder: true });
    const child = bench.admin.createFolder(ALEX, "Child", "inbox");
    const base = `/v1.0/users/${ALEX}/mailFolders`;
    const plain = await bench.get(`${base}?$top=100`);
    const names = plain.json.value.map((each: Loose) => each.displayName);
    expect(names).toContain("Inbox");
    expect(names).not.toContain("Child");
    expect(names).not.toContain("Sync Issues");
    expect(
      plain.json.value.find((each: Loose) => each.displayName === "Unread")["@odata.type"],
    ).toBe("#microsoft.graph.mailSearchFolder");
    const hidden = await bench.get(`${base}?$top=100&includeHiddenFolders=true`);
    expect(hidden.json.value.map((each: Loose) => each.displayName)).toContain("Sync Issues");
    const children = await bench.get(`${base}/inbox/childFolders`);
    expect(children.json.value.map((each: Loose) => each.id)).toEqual([child.id]);
    expect((await bench.get(`${base}/inbox/childFolders/${child.id}`)).json.displayName).toBe(
      "Child",
    );
  });
});
