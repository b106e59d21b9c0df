import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { describe, expect, it } from "vitest";
import { answerOf } from "../../src/client/index.ts";
import { forgetBefore } from "../../src/mailbox/events/event-log.ts";
import { findEvents } from "../../src/mailbox/events/event-table.ts";
import { type Database, openDatabase, type Queryable } from "../../src/store/database.ts";
import { anApp, type TestApp } from "../helpers/app.ts";
import { clientFor } from "../helpers/client.ts";
import { freshDatabase } from "../helpers/database.ts";

const WRITERS = process.env["POSTROOM_LONG"] === "1" ? 200 : 40;
const EVENTS_PER_WRITER = process.env["POSTROOM_LONG"] === "1" ? 20 : 6;

async function addMailbox(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ id: number }>(
    "INSERT INTO postroom.mailbox (address, owner_id) VALUES ('nina@ashdown.example', 'nina') RETURNING id",
  );
  return rows[0]!.id;
}

async function writeEvent(on: Queryable, mailbox: number, messageId: string): Promise<void> {
  await on.query(
    `INSERT INTO postroom.event (user_id, mailbox, message_id, event_type, change, at, seen_by, seen_at, folder_id,
       is_read, flag, categories, importance, has_attachments, has_list_unsubscribe, is_automated)
     VALUES ('nina', $1, $2, 'arrived', '', now(), 'push', now(), 'inbox', false, 'notFlagged', '{}', 'normal',
       false, false, false)`,
    [mailbox, messageId],
  );
}

/** A transaction that wrote its event and has not committed; resolves `commit` to end it. */
async function openWrite(database: Database, mailbox: number, messageId: string) {
  let commit = (): void => {};
  const asked = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let done: Promise<void> = Promise.resolve();
  await new Promise<void>((written, failed) => {
    done = database.transaction(async (tx) => {
      await writeEvent(tx, mailbox, messageId);
      written();
      await asked;
    });
    done.catch(failed);
  });
  return {
    commit(): Promise<void> {
      commit();
      return done;
    },
  };
}

const idsOf = (events: readonly { messageId: string }[]) => events.map((event) => event.messageId);
const pageAfter = (database: Database, after: number) =>
  findEvents(database, { order: "oldest", after, limit: 200 });

interface Seen {
  readonly seq: number;
  readonly messageId: string;
}

/** Follows the stream from the beginning; breaks off after each `breakAfter` events and continues by the last id. */
async function tail(app: TestApp, isEnough: (seen: Seen[]) => boolean, breakAfter = Infinity) {
  const seen: Seen[] = [];
  let lastId = "0";
  while (!isEnough(seen)) {
    const stop = new AbortController();
    const answer = await request(`http://127.0.0.1:${app.port}/api/events/tail`, {
      headers: { authorization: `Bearer ${app.operatorKey}`, "last-event-id": lastId },
      bodyTimeout: 0,
      signal: stop.signal,
    });
    let rest = "";
    let count = 0;
    try {
      for await (const chunk of answer.body) {
        const blocks = (rest + String(chunk)).split("\n\n");
        rest = blocks.pop()!;
        for (const block of blocks) {
          const id = /^id: (.*)$/m.exec(block)?.[1];
          if (id === undefined || count >= breakAfter) continue;
          seen.push(JSON.parse(/^data: (.*)$/m.exec(block)![1]!) as Seen);
          lastId = id;
          count += 1;
        }
        if (count >= breakAfter || isEnough(seen)) break;
      }
    } finally {
      stop.abort();
    }
  }
  return seen;
}

async function pageThrough(app: TestApp, isEnough: (seen: Seen[]) => boolean) {
  const seen: Seen[] = [];
  const client = clientFor(app);
  while (!isEnough(seen)) {
    const query = { order: "oldest", limit: 7, after: seen.at(-1)?.seq ?? 0 } as const;
    const { events } = await answerOf(client.GET("/api/events", { params: { query } }));
    seen.push(...events);
    if (events.length === 0) await sleep(20);
  }
  return seen;
}

describe("the feed of events", () => {
  it("an event that commits late comes after those that a reader has seen, and a cursor reaches it", async () => {
    const database = await freshDatabase();
    const mailbox = await addMailbox(database);
    const late = await openWrite(database, mailbox, "late");
    await writeEvent(database, mailbox, "early");
    const first = await pageAfter(database, 0);
    expect(idsOf(first)).toEqual(["early"]);
    await late.commit();
    expect(idsOf(await pageAfter(database, first[0]!.seq))).toEqual(["late"]);
    expect((await pageAfter(database, 0)).map((event) => event.seq)).toEqual([1, 2]);
  });

  it("a transaction that stays open, here or in another program, delays nobody else's events", async () => {
    const database = await freshDatabase();
    const mailbox = await addMailbox(database);
    const open = await openWrite(database, mailbox, "open");
    for (const id of ["a", "b", "c"]) {
      await writeEvent(database, mailbox, id);
      expect(idsOf(await pageAfter(database, 0)).at(-1)).toBe(id);
    }
    await open.commit();
    expect(idsOf(await pageAfter(database, 0))).toEqual(["a", "b", "c", "open"]);
  });

  it(`${WRITERS} concurrent writers with random delays: pages, stream and continued stream show every event once, in one order`, async () => {
    const app = await anApp(null);
    // As wide as there are writers, so that all their transactions are open at once.
    const writers = openDatabase({ url: app.database.url, connections: WRITERS });
    const mailbox = await addMailbox(app.database);
    const total = WRITERS * EVENTS_PER_WRITER;
    const isEnough = (seen: Seen[]) => seen.length >= total;
    const readers = Promise.all([
      pageThrough(app, isEnough),
      tail(app, isEnough),
      tail(app, isEnough, 9),
    ]);
    const write = async (writer: number) => {
      for (let nth = 0; nth < EVENTS_PER_WRITER; nth++)
        await writers.transaction(async (tx) => {
          await writeEvent(tx, mailbox, `${writer}-${nth}`);
          await sleep(Math.random() * 60);
        });
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    await writers.close();
    const [paged, streamed, continued] = await readers;
    expect(paged.map((event) => event.seq)).toEqual(Array.from({ length: total }, (_, n) => n + 1));
    expect(new Set(idsOf(paged)).size).toBe(total);
    expect(idsOf(streamed)).toEqual(idsOf(paged));
    expect(idsOf(continued)).toEqual(idsOf(paged));
  });

  it("events from before the feed keep their numbers, and new ones follow without a gap", async () => {
    const database = await freshDatabase();
    const mailbox = await addMailbox(database);
    for (const id of ["a", "b", "c"]) await writeEvent(database, mailbox, id);
    await database.query("DELETE FROM postroom.event WHERE message_id = 'b'");
    // As the migration finds them: without a transaction id, and the last number known.
    await database.query("UPDATE postroom.event SET xid = NULL");
    await database.query("UPDATE postroom.event_feed_state SET position = 3");
    await writeEvent(database, mailbox, "d");
    const events = await pageAfter(database, 0);
    expect(events.map((event) => [event.seq, event.messageId])).toEqual([
      [1, "a"],
      [3, "c"],
      [4, "d"],
    ]);
  });

  it("more events than fit into one batch are all placed, in order", async () => {
    const database = await freshDatabase();
    const mailbox = await addMailbox(database);
    const fill = (prefix: string) =>
      database.query(
        `INSERT INTO postroom.event (user_id, mailbox, message_id, event_type, change, at, seen_by, seen_at, folder_id,
           is_read, flag, categories, importance, has_attachments, has_list_unsubscribe, is_automated)
         SELECT 'nina', $1, $2 || n, 'arrived', '', now(), 'push', now(), 'inbox', false, 'notFlagged', '{}', 'normal',
           false, false, false FROM generate_series(1, 20500) n`,
        [mailbox, prefix],
      );
    for (const [round, prefix] of ["first", "second"].entries()) {
      await fill(prefix);
      const [newest] = await findEvents(database, { limit: 1 });
      expect(newest).toMatchObject({ seq: 20_500 * (round + 1), messageId: `${prefix}20500` });
    }
    const { rows } = await database.query(
      "SELECT count(*) AS n, bool_and(position = event) AS same FROM postroom.event_feed",
    );
    expect(rows).toEqual([{ n: 41_000, same: true }]);
  });

  it("after a restore into another cluster, where transaction ids start again, no event is missed or repeated", async () => {
    const database = await freshDatabase();
    const mailbox = await addMailbox(database);
    for (const id of ["a", "b"]) await writeEvent(database, mailbox, id);
    await pageAfter(database, 0);
    await writeEvent(database, mailbox, "not placed when the dump was made");
    // What a dump brings along: ids that this cluster has not reached, and a state that names another one.
    await database.query("UPDATE postroom.event SET xid = '900000000'");
    await database.query(
      "UPDATE postroom.event_feed_state SET cluster = cluster + 1, snapshot = '899999998:899999998:'",
    );
    await writeEvent(database, mailbox, "after the restore");
    expect((await pageAfter(database, 0)).map((event) => [event.seq, event.messageId])).toEqual([
      [1, "a"],
      [2, "b"],
      [3, "not placed when the dump was made"],
      [4, "after the restore"],
    ]);
    await writeEvent(database, mailbox, "later");
    expect(idsOf(await pageAfter(database, 4))).toEqual(["later"]);
  });

  it("retention removes events from the feed as well, and their numbers are not given again", async () => {
    const database = await freshDatabase();
    const mailbox = await addMailbox(database);
    for (const id of ["a", "b"]) await writeEvent(database, mailbox, id);
    expect(await pageAfter(database, 0)).toHaveLength(2);
    expect(await forgetBefore(database, new Date(Date.now() + 60_000))).toBe(2);
    const { rows } = await database.query("SELECT * FROM postroom.event_feed");
    expect(rows).toEqual([]);
    await writeEvent(database, mailbox, "c");
    expect(await pageAfter(database, 2)).toMatchObject([{ seq: 3, messageId: "c" }]);
  });
});
