/** Which rows an erasure removes, and which a legal hold or somebody else's right keeps. */
import { beforeEach, describe, expect, it } from "vitest";
import { redactActions } from "../../src/api/access/action-table.ts";
import { eraseKeptAnswers } from "../../src/api/http/kept-answer-table.ts";
import { eraseRows } from "../../src/flows/keep/erase-rows.ts";
import { installGuard } from "../../src/ingestion/guard.ts";
import { ingestionTable } from "../../src/ingestion/ingestion-table.ts";
import type { ErasedRow } from "../../src/keep/erasing/erased-row.ts";
import { findText } from "../../src/keep/erasure-table.ts";
import { setHold } from "../../src/keep/legal-hold-table.ts";
import { systemRandom } from "../../src/lib/random.ts";
import type { Database, Transaction } from "../../src/store/database.ts";
import { freshDatabase } from "../helpers/database.ts";

const ANNA = "anna@firm.example";
const BEN = "ben@firm.example";
const TABLE = ingestionTable();
const NEEDS = {
  ...{ table: TABLE, answers: { erase: eraseKeptAnswers }, actions: { redact: redactActions } },
};

let database: Database;
beforeEach(async () => {
  database = await freshDatabase();
  await person(ANNA, "anna");
  await person(BEN, "ben");
});

const insert = async (table: string, row: object): Promise<void> => {
  const names = Object.keys(row);
  await database.query(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((_, index) => `$${index + 1}`).join(", ")})`,
    Object.values(row),
  );
};

const person = (email: string, username: string) =>
  insert("postroom.person", { source: "import", email, name: username, username });

async function trade(username: string, sender: string, more: object = {}): Promise<string> {
  const id = systemRandom.uuid();
  await insert("postroom.trade", {
    ...{ id, trade_key: id, fingerprint: id, economic_key: id, occurrence: 1 },
    ...{ status: "confirmed", confirmed_by: "postroom", needs_audit: false, username },
    ...{ sender_email: sender, direction: "BUY", quantity: 1, trade_date: "2026-03-02" },
    ...{ confidence: 1, facts: "{}", order_state: "no-orders", ...more },
  });
  return id;
}

/** A note of one message that reports these trades. */
async function note(
  of: { mailbox?: string; sender: string; sha256?: string; trades?: readonly string[] },
  message: string = systemRandom.uuid(),
): Promise<string> {
  const id = systemRandom.uuid();
  const sha256 = of.sha256 ?? systemRandom.bytes(32).toString("hex");
  await insert("postroom.trade_document", {
    ...{ id, email_key: message, sha256, source: "graph_webhook", mailbox: of.mailbox ?? null },
    ...{ message_id: message, sender_email: of.sender, received_at: new Date(), size_bytes: 1 },
    ...{ filename: `${message}.pdf`, found_in: "attachment", archive_path: `notes/${id}.pdf` },
  });
  await insert(TABLE.name, {
    ...{ app_name: "pad_contract_notes", message_id: message, status: "success" },
    ...{ mailbox_email: of.mailbox ?? "desk@firm.example", sender_email: of.sender },
    ...{ subject: `about ${message}`, archive_gcs_paths: `["notes/${id}.pdf"]` },
  });
  for (const each of of.trades ?? [])
    await insert("postroom.trade_document_link", {
      ...{ trade_id: each, document_id: id, is_primary: true },
    });
  return id;
}

async function event(of: {
  user: string;
  sender: string;
  subject: string;
  message?: string;
}): Promise<void> {
  await insert("postroom.event", {
    ...{ user_id: of.user, mailbox: 7, message_id: of.message ?? systemRandom.uuid(), change: "" },
    ...{ event_type: "arrived", at: new Date(), seen_by: "push", seen_at: new Date() },
    ...{ folder_id: "f", is_read: false, flag: "notFlagged", categories: [], subject: of.subject },
    ...{ sender_email: of.sender, importance: "normal", has_attachments: false },
    ...{ has_list_unsubscribe: false, is_automated: false },
  });
}

const erase = (address: string, ids: readonly string[] = []): Promise<ErasedRow[]> =>
  database.transaction((tx) => eraseRows(tx, { address, ids, mailboxes: [] }, NEEDS));

const hold = (kind: "person" | "trade" | "note", subject: string, reason = "case 7") =>
  setHold(database, { kind, subject, reason, setBy: "admin" });

const idsIn = async (table: string): Promise<string[]> =>
  (await database.query<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`)).rows.map(
    ({ id }) => id,
  );

const keptIn = (rows: readonly ErasedRow[]) =>
  rows
    .filter(({ action }) => action === "kept")
    .map(({ place, item, reason }) => `${place} ${item}: ${reason}`)
    .sort();

describe("a legal hold", () => {
  it("on one person keeps their trades, notes and events also when somebody else is erased", async () => {
    const both = await trade("anna", BEN);
    const bens = await note({ mailbox: ANNA, sender: BEN, trades: [both] });
    await event({ user: "anna-id", sender: BEN, subject: "from Ben" });
    await event({ user: "anna-id", sender: "x@else.example", subject: "zgone" });
    const held = await hold("person", BEN);
    const report = await erase(ANNA, ["anna-id"]);
    expect(await idsIn("postroom.trade")).toEqual([both]);
    expect(await idsIn("postroom.trade_document")).toEqual([bens]);
    expect(keptIn(report).map((line) => line.replace(/event \d+/, "event"))).toEqual(
      [
        "event: legal hold: case 7",
        `note ${bens}: legal hold: case 7`,
        `person ${ANNA}: a trade that is kept is theirs`,
        `trade ${both}: legal hold: case 7`,
      ].sort(),
    );
    expect(await findText(database, "zgone")).toEqual([]);
    // The shared table still says whose message it was.
    const { rows } = await database.query(`SELECT sender_email, subject FROM ${TABLE.name}`);
    expect(rows).toEqual([{ sender_email: BEN, subject: expect.stringContaining("about") }]);
    await database.query("UPDATE postroom.legal_hold SET released_at = now() WHERE id = $1", [
      held.id,
    ]);
    await erase(ANNA, ["anna-id"]);
    expect(await idsIn("postroom.trade")).toEqual([]);
    expect(await findText(database, ANNA)).toEqual([]);
  });

  it("on a correction keeps what it corrects, with its note, and leaves both as they are", async () => {
    const first = await trade("anna", ANNA);
    const second = await trade("anna", ANNA, { corrects_id: first });
    const other = await trade("anna", ANNA);
    const notes = [
      await note({ sender: ANNA, trades: [first] }),
      await note({ sender: ANNA, trades: [second] }),
    ];
    await note({ sender: ANNA, trades: [other] });
    const content = async () =>
      (
        await database.query(
          `SELECT to_jsonb(t) AS trade FROM postroom.trade t WHERE id = ANY($1) ORDER BY id`,
          [[first, second]],
        )
      ).rows;
    const before = await content();
    await hold("trade", second);
    await erase(ANNA);
    expect(await content()).toEqual(before);
    expect(await idsIn("postroom.trade")).toEqual([first, second].sort());
    expect(await idsIn("postroom.trade_document")).toEqual(notes.sort());
  });

  it("on a note keeps its trades, and the rows that prove how it became trades", async () => {
    const kept = await trade("anna", ANNA);
    const held = await note({ sender: ANNA, trades: [kept] }, "message-1");
    await event({ user: "x", sender: ANNA, subject: "the note", message: "message-1" });
    for (const at of ["message-1", "message-2"])
      await insert("postroom.ingest_trace", { message_id: at, worker: "w", step: "6", name: "n" });
    await note({ sender: ANNA }, "message-2");
    const proof = async () =>
      (
        await database.query(
          `SELECT to_jsonb(e)::text AS row FROM postroom.event e UNION ALL
           SELECT to_jsonb(t)::text FROM postroom.ingest_trace t WHERE message_id = 'message-1' UNION ALL
           SELECT to_jsonb(s)::text FROM ${TABLE.name} s WHERE message_id = 'message-1'`,
        )
      ).rows;
    const before = await proof();
    await hold("note", held);
    await erase(ANNA);
    expect(await proof()).toEqual(before);
    expect(await idsIn("postroom.trade")).toEqual([kept]);
    expect(await findText(database, "message-2")).toEqual([
      { place: "bo_airflow.email_ingestion_state.message_id", count: 1 },
    ]);
  });
});

describe("an erasure", () => {
  it("keeps bytes that a filing of somebody else still needs", async () => {
    const sha256 = "c".repeat(64);
    await note({ sender: ANNA, sha256 });
    await insert("postroom.filing", {
      ...{ id: systemRandom.uuid(), key: "bens", source: "email", drive_id: "d", path: "p" },
      ...{ name: "n", size: 1, sha256, is_spooled: true, columns: `{"from": "${BEN}"}` },
    });
    await insert("postroom.spool_file", { sha256, bytes: Buffer.from("x"), put_at: new Date() });
    const report = await erase(ANNA);
    expect(report.map(({ place }) => place)).not.toContain("spool");
    const { rows } = await database.query("SELECT sha256 FROM postroom.spool_file");
    expect(rows).toEqual([{ sha256 }]);
  });

  it("leaves the trades of a namesake, and those whose name could be either's", async () => {
    await person("anna@other.example", "anna");
    const sent = await trade("anna", ANNA);
    const eithers = await trade("anna", "desk@broker.example");
    await erase(ANNA);
    expect(await idsIn("postroom.trade")).toEqual([eithers]);
    expect(await idsIn("postroom.trade")).not.toContain(sent);
  });

  it("takes its words out of the shared table also where a guard keeps finished messages as they are", async () => {
    await installGuard(database, TABLE);
    await note({ sender: ANNA }, "zword");
    await database.query(`UPDATE ${TABLE.name} SET subject = 'nothing'`);
    const guarded = await database.query(`SELECT subject FROM ${TABLE.name}`);
    expect(guarded.rows).toEqual([{ subject: "about zword" }]);
    await erase(ANNA);
    const { rows } = await database.query(
      `SELECT sender_email, subject, archive_gcs_paths AS paths, status FROM ${TABLE.name}`,
    );
    expect(rows).toEqual([{ sender_email: null, subject: null, paths: null, status: "success" }]);
  });

  it("does not keep somebody else's copy of the same file from the archive", async () => {
    const sha256 = "a".repeat(64);
    await note({ sender: ANNA, sha256 }, "hers");
    const other = await note({ sender: "desk@broker.example", sha256 }, "theirs");
    const { rows: paths } = await database.query<{ path: string; message: string }>(
      `SELECT archive_path AS path, message_id AS message FROM postroom.trade_document`,
    );
    for (const { path, message } of paths)
      await insert("postroom.archive_pending", {
        ...{ path, sha256, metadata: "{}", subject_id: message },
      });
    const report = await erase(ANNA);
    const left = await database.query("SELECT subject_id FROM postroom.archive_pending");
    expect(left.rows).toEqual([{ subject_id: "theirs" }]);
    expect(await idsIn("postroom.trade_document")).toEqual([other]);
    expect(report.filter(({ action, place }) => action === "file" && place === "spool")).toEqual(
      [],
    );
  });

  it("removes analyses of her mail, bytes of her filings, kept answers about her trades and her notifications", async () => {
    const hers = await trade("anna", ANNA);
    const document = systemRandom.uuid();
    await insert("postroom.indexed_document", {
      ...{ document_id: document, tenant_id: "t", version: "1", sha256: "0", generation: 1 },
      ...{ name: "letter", mailbox: ANNA, language: "english", chunk_count: 0 },
    });
    await insert("postroom.analysis", {
      ...{ id: systemRandom.uuid(), key: "k", tenant_id: "t", person_id: "somebody" },
      ...{ document_id: document, document_name: "letter", playbook_id: "p", playbook_version: 1 },
      ...{ state: "completed", content: "zanalysis" },
    });
    const sha256 = "b".repeat(64);
    await insert("postroom.filing", {
      ...{ id: systemRandom.uuid(), key: "zfiling", source: "email", drive_id: "d", path: "p" },
      ...{ name: "n", size: 1, sha256, is_spooled: true, columns: `{"from": "${ANNA}"}` },
    });
    await insert("postroom.spool_file", { sha256, bytes: Buffer.from("x"), put_at: new Date() });
    await insert("postroom.kept_answer", {
      ...{ caller: "reviewer", key: "k", operation: "o", request_digest: "d" },
      ...{ status: 200, body: `{"trade":"${hers}","filename":"zanswer"}` },
    });
    await insert("postroom.notification", {
      ...{ key: systemRandom.uuid(), subscription: 4, change: 0, message_id: "znotified" },
      received_at: new Date(),
    });
    const report = await erase(ANNA);
    for (const text of ["zanalysis", "zfiling", "zanswer", "znotified", sha256])
      expect(await findText(database, text), text).toEqual([]);
    expect(report).toContainEqual(
      expect.objectContaining({ action: "file", place: "spool", item: sha256 }),
    );
    expect(report).toContainEqual(
      expect.objectContaining({ action: "index", place: "search", item: document }),
    );
  });
});

/** Tables that need nothing, and why. */
const NEED_NOTHING: Readonly<Record<string, string>> = {
  folder: "goes with its mailbox",
  subscription: "goes with its mailbox",
  filing_rule: "goes with its mailbox",
  chunk: "goes with its document in the index, which the caller removes",
  indexed_document: "its caller removes it, with its chunks and their copy",
  stem: "counted down with the chunks",
  legal_hold: "says what must be kept, and why",
  erasure: "names the person by a hash",
  sink: "names programs; its last error is ours",
  refresh_token: "belongs to a connection of the settings",
  alert: "names conditions",
  alert_line: "names conditions and commands, never mail",
  claim_conflict: "names messages by their id",
  ingest_lease: "names messages by their id",
  ingest_foreign_lease: "names programs",
  document_feed: "a link of Dataverse",
  event_feed_state: "a position",
  job_outbox: "ids of jobs",
  job_replay: "who replayed what, and why",
  job_replay_item: "ids of jobs",
  job_schedule: "names types of jobs",
  job_type: "names types of jobs",
  job_worker: "names processes",
  lease: "names tasks",
  migration: "names files",
  migration_begun: "names files",
};

it("an erasure writes every table that there is, or a reason says why it need not", async () => {
  const ran: string[] = [];
  await database.transaction((tx) => {
    const query: Transaction["query"] = (text, values, name) => {
      ran.push(text);
      return tx.query(text, values, name);
    };
    return eraseRows({ ...tx, query }, { address: ANNA, ids: [], mailboxes: [] }, NEEDS);
  });
  const { rows } = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'postroom'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
  );
  const names = rows.map(({ name }) => name);
  const isWritten = (name: string) =>
    ran.some((sql) =>
      new RegExp(String.raw`^\s*(?:DELETE FROM|UPDATE) postroom\.${name}\b`).test(sql),
    );
  expect(names.filter((name) => !isWritten(name) && !(name in NEED_NOTHING))).toEqual([]);
  expect(
    Object.keys(NEED_NOTHING).filter((name) => !names.includes(name) || isWritten(name)),
  ).toEqual([]);
});
