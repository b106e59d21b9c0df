/** Mail, notes, trades and reviews under the roof of search, each under its own right. */
import { beforeAll, expect, it } from "vitest";
import { answerOf } from "../../src/client/index.ts";
import { upsertMailbox } from "../../src/mailbox/mailbox-table.ts";
import { aPerson, type Person } from "../documents/scene.ts";
import { clientFor } from "../helpers/client.ts";
import { deliver } from "../trades/scene.ts";
import { type AnswerScene, anAnswerScene } from "./scene.ts";

let scene: AnswerScene;
let trade: string;

beforeAll(async () => {
  scene = await anAnswerScene({ app: { roles: ["api"] } });
  const { database } = scene.app;
  for (const [{ user }, subject] of [
    [scene.nina, "Kestrelbrook settlement on Friday"],
    [scene.omar, "Kestrelbrook fees"],
  ] as const) {
    const address = user.userPrincipalName;
    await upsertMailbox(database, {
      address,
      graphUserId: user.id,
      ownerId: user.id,
      ingestFolder: null,
    });
    await database.query(
      `INSERT INTO postroom.message (mailbox, message_id, folder_id, is_read, is_draft, flag, categories, change_key,
                                     modified_at, looked_at, received_at, subject, sender_email, importance, has_attachments,
                                     has_list_unsubscribe, is_automated)
       SELECT id, 'mail-of-' || $1, 'inbox', true, false, 'notFlagged', '{}', '1', now(), now(), now(), $2, 'desk@broker.example', 'normal', false, false, false
         FROM postroom.mailbox WHERE address = $1`,
      [address, subject],
    );
  }
  await database.query(
    `INSERT INTO postroom.trade_document (id, email_key, sha256, source, sender_email, received_at, filename, size_bytes, found_in)
     VALUES ('00000000-0000-4000-8000-000000000001', 'k', 's', 'manual_upload', 'desk@broker.example', now(),
             'Kestrelbrook_note_17.pdf', 10, 'attachment')`,
  );
  await database.query(
    `INSERT INTO postroom.review (subject, document_id, reason, reasons)
     VALUES ('document', '00000000-0000-4000-8000-000000000001', 'no trade was found', '[]')`,
  );
  await deliver(database, { lines: [{ name: "Kestrelbrook plc" }] });
  const { rows } = await database.query<{ key: string }>(
    "SELECT trade_key AS key FROM postroom.trade",
  );
  expect(rows).toHaveLength(1);
  trade = `trade ${rows[0]!.key}`;
});

/** The same person after their roles have changed. */
function withRole(index: number, role: string | null): Person {
  const { tenant } = scene;
  const roles = role === null ? [] : [`Postroom.${role}`];
  Object.assign(tenant.users[index]!, { appRoles: { [tenant.apps[1]!.appId]: roles } });
  return aPerson(tenant, index);
}

async function titlesFor(person: Person, q: string): Promise<string[]> {
  const client = clientFor(scene.app, person.token);
  const { records } = await answerOf(
    client.GET("/api/search/records", { params: { query: { q } } }),
  );
  return records.map(({ type, title }) => `${type} ${title}`);
}

const MAIL_OF_NINA = "mail Kestrelbrook settlement on Friday";
const MAIL_OF_OMAR = "mail Kestrelbrook fees";
const NOTES = ["review Kestrelbrook_note_17.pdf", "note Kestrelbrook_note_17.pdf"];

it("the owner of a mailbox finds its mail, and nobody else's", async () => {
  expect(await titlesFor(withRole(1, null), "kestrelbrook")).toEqual([MAIL_OF_NINA]);
  expect(await titlesFor(withRole(2, "Viewer"), "KESTRELBROOK")).toEqual([MAIL_OF_OMAR]);
  expect(await titlesFor(withRole(3, null), "kestrelbrook")).toEqual([]);
});

it("a reviewer also finds trades, notes and reviews, but no mail of others", async () => {
  const records = [...NOTES, trade];
  const titles = await titlesFor(withRole(3, "Reviewer"), "kestrelbrook");
  expect(titles.toSorted()).toEqual(records.toSorted());
  const own = await titlesFor(withRole(1, "Reviewer"), "kestrelbrook");
  expect(own.toSorted()).toEqual([MAIL_OF_NINA, ...records].toSorted());
});

it("an operator finds all of them, by all words of the question", async () => {
  const operator = withRole(3, "Operator");
  const all = await titlesFor(operator, "kestrelbrook");
  expect(new Set(all)).toEqual(new Set([MAIL_OF_NINA, MAIL_OF_OMAR, ...NOTES, trade]));
  expect(await titlesFor(operator, "kestrelbrook friday")).toEqual([MAIL_OF_NINA]);
  expect(await titlesFor(operator, "desk@broker.example fees")).toEqual([MAIL_OF_OMAR]);
  expect(await titlesFor(operator, "777%_")).toEqual([]);
});
