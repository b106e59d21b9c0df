/** With `MASK_MAIL`, only the owner of a mailbox reads subjects and senders; a reveal is logged. */
import { beforeAll, describe, expect, it } from "vitest";
import { aPerson, documentSettings, type Person } from "../documents/scene.ts";
import { anApp, aTenant, type TestApp } from "../helpers/app.ts";

const SUBJECT = "The merger with Kestrelbrook";
const SENDER = "ada@kestrelbrook.example";

let app: TestApp;
let owner: Person;
let viewer: Person;
let seq: number;

beforeAll(async () => {
  const tenant = await aTenant();
  app = await anApp(tenant, { ...documentSettings(tenant), MASK_MAIL: "true" }, { roles: ["api"] });
  owner = aPerson(tenant, 1);
  const appId = tenant.apps[1]!.appId;
  Object.assign(tenant.users[2]!, { appRoles: { [appId]: ["Postroom.Operator"] } });
  viewer = aPerson(tenant, 2);
  await app.database.query(
    `WITH box AS (INSERT INTO postroom.mailbox (address, graph_user_id, owner_id)
       VALUES ('legal@x.example', $1, $1) RETURNING id)
     INSERT INTO postroom.event (user_id, mailbox, message_id, event_type, change, at, seen_by, seen_at, folder_id,
       is_read, flag, categories, importance, has_attachments, has_list_unsubscribe, is_automated,
       subject, sender_email, sender_name, internet_message_id)
     SELECT 'x', id, 'm', 'arrived', '', now(), 'push', now(), 'inbox', false, 'notFlagged', '{}', 'normal',
       false, false, false, $2, $3, 'Ada', '<1@kestrelbrook.example>' FROM box`,
    [owner.user.id, SUBJECT, SENDER],
  );
});

async function ask(person: Person, url: string, method: "GET" | "POST" = "GET") {
  const answer = await app.server.inject({ method, url, headers: person.headers });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  return { status: answer.statusCode, text: answer.body, json: answer.json() as any };
}

describe("masked mail", () => {
  it("shows its subject and sender to the owner of the mailbox only [S68]", async () => {
    const [own] = (await ask(owner, "/api/events")).json.events;
    expect(own).toMatchObject({ isMasked: false, subject: SUBJECT, sender: { email: SENDER } });
    const { text, json } = await ask(viewer, "/api/events");
    expect(json.events).toMatchObject([{ isMasked: true, subject: null, sender: {} }]);
    expect(text).not.toMatch(/kestrelbrook/i);
    seq = json.events[0].seq;
  });

  it("cannot be guessed by filtering for its words or its sender", async () => {
    for (const query of ["text=merger", "senderDomain=kestrelbrook.example"]) {
      expect([query, (await ask(viewer, `/api/events?${query}`)).json.events.length]).toEqual([
        ...[query, 0],
      ]);
      expect((await ask(owner, `/api/events?${query}`)).json.events).toHaveLength(1);
      const days = (await ask(viewer, `/api/events/timeline?${query}`)).json.days;
      expect([query, days]).toEqual([query, []]);
    }
    expect((await ask(viewer, "/api/events/senders")).json).toEqual([]);
    expect((await ask(owner, "/api/events/senders")).json).toHaveLength(1);
  });

  it("is found by the words of its subject by its owner only", async () => {
    await app.database.query(
      `INSERT INTO postroom.message (mailbox, message_id, folder_id, is_read, is_draft, flag, categories, change_key,
         modified_at, looked_at, importance, has_attachments, has_list_unsubscribe, is_automated,
         subject, sender_email, received_at)
       SELECT id, 'm', 'inbox', false, false, 'notFlagged', '{}', 'k', now(), now(), 'normal', false, false,
         false, $1, $2, now()
         FROM postroom.mailbox`,
      [SUBJECT, SENDER],
    );
    const found = async (person: Person) =>
      (await ask(person, "/api/search/records?q=kestrelbrook")).json.records.length;
    expect([await found(owner), await found(viewer)]).toEqual([1, 0]);
  });

  it("is revealed one event at a time, and the log keeps who looked", async () => {
    const { status, json } = await ask(viewer, `/api/events/${seq}/reveal`, "POST");
    expect([status, json.subject, json.sender.email]).toEqual([200, SUBJECT, SENDER]);
    const { rows } = await app.database.query(
      "SELECT who, operation, path FROM postroom.action ORDER BY at DESC LIMIT 1",
    );
    expect(rows).toEqual([
      {
        who: viewer.user.id,
        operation: "POST /api/events/:seq/reveal",
        path: `/api/events/${seq}/reveal`,
      },
    ]);
    expect((await ask(viewer, `/api/events/${seq + 1}/reveal`, "POST")).status).toBe(404);
    expect((await ask(owner, `/api/events/${seq}/reveal`, "POST")).status).toBe(403);
  });
});
