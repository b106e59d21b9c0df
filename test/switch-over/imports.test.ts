/** What the three source systems kept is taken over once, and nothing of theirs contradicts what we know. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findFilings } from "../../src/filing/filing-table.ts";
import { findEvents, loadLog } from "../../src/mailbox/events/event-table.ts";
import { getMailboxByAddress, upsertMailbox } from "../../src/mailbox/mailbox-table.ts";
import type { Tenant } from "../../tenant/index.ts";
import { anApp, aTenant, type TestApp, watch } from "../helpers/app.ts";
import { commandsFor } from "../helpers/cli.ts";

const NINA = "nina.berg@ashdown.example";
const THEIR_NINA = "65a1b2c3d4e5f60718293a4b";
const THEIR_TOM = "65a1b2c3d4e5f60718293a4c";
const folder = mkdtempSync(join(tmpdir(), "postroom-import-"));
let tenant: Tenant;
let app: TestApp;
let present: { messageId: string; internetMessageId: string | null };

beforeAll(async () => {
  tenant = await aTenant();
  await tenant.graph.admin.sendMail({
    to: NINA,
    from: "ann@elsewhere.example",
    subject: "Still here",
  });
  app = await anApp(tenant);
  await watch(app, tenant, ["nina"]);
  present = (await findEvents(app.database, { mailbox: NINA }))[0]!;
  file("mailboxes.jsonl", [
    { _id: { $oid: THEIR_NINA }, email: NINA, isConnected: true },
    { _id: { $oid: THEIR_TOM }, email: "tom@nowhere.example", isConnected: true },
  ]);
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, rows: readonly unknown[] | string): string {
  const path = join(folder, name);
  const text = typeof rows === "string" ? rows : rows.map((row) => JSON.stringify(row)).join("\n");
  writeFileSync(path, `${text}\n`);
  return path;
}

/** Imports work on the database itself. */
async function run(
  ...words: string[]
): Promise<{ code: number; counts: Record<string, unknown>; err: string }> {
  vi.stubEnv("DATABASE_URL", app.config.databaseUrl!);
  const { code, out, err } = await commandsFor(app)(["import", ...words, "--json"]);
  const line = out.trim().split("\n")[0]!;
  return { code, err, counts: line === "" ? {} : JSON.parse(line) };
}
const events = () => findEvents(app.database, { mailbox: NINA, seenBy: "import", limit: 200 });

const long = "2026-01-05T08:00:00.000Z";
const theirs = (changes: Record<string, unknown>) => ({
  _id: { $oid: "65a1b2c3d4e5f60718290001" },
  userId: { $oid: "65a1b2c3d4e5f60718290000" },
  mailboxId: { $oid: THEIR_NINA },
  messageId: "AAMkOld",
  internetMessageId: "<gone@elsewhere.example>",
  eventType: "arrived",
  timestamp: { $date: long },
  sender: { name: "Ann", email: "Ann@Elsewhere.example", domain: "elsewhere.example" },
  subject: "Long ago",
  receivedAt: { $date: { $numberLong: String(Date.parse(long)) } },
  toFolder: "Top of Information Store/Inbox",
  importance: "normal",
  hasAttachments: true,
  conversationId: "c1",
  categories: [],
  isRead: false,
  isDeleted: false,
  metadata: { hasListUnsubscribe: true, isNewsletter: true, isAutomated: false },
  ...changes,
});

describe("MSEDB's events", () => {
  const eventFile = () =>
    file("events.jsonl", [
      theirs({}),
      theirs({ eventType: "read", isRead: true }),
      theirs({ eventType: "deleted", fromFolder: "Inbox" }),
      // Two moves of a message that is still there; MSEDB knew it under other ids.
      ...["AAMkOne", "AAMkTwo"].map((messageId) =>
        theirs({ messageId, eventType: "moved", internetMessageId: present.internetMessageId }),
      ),
      theirs({ messageId: "AAMkOne", internetMessageId: present.internetMessageId }),
      theirs({
        messageId: "AAMkOne",
        eventType: "deleted",
        internetMessageId: present.internetMessageId,
      }),
      theirs({ eventType: "flagged", timestamp: { $date: "2999-01-01T00:00:00Z" } }),
      theirs({ mailboxId: { $oid: THEIR_TOM } }),
    ]);
  const options = () => ["--mailboxes", join(folder, "mailboxes.jsonl")];
  const EXPECTED = { lines: 9, known: 1, ours: 1, contradicted: 1, notWatched: 1, malformed: 0 };

  it("a dry run says what would happen, and changes nothing", async () => {
    const { code, counts } = await run("msedb-events", eventFile(), ...options(), "--dry-run");
    expect({ code, counts }).toMatchObject({
      code: 0,
      counts: { ...EXPECTED, added: 5, dryRun: true },
    });
    expect(await events()).toEqual([]);
  });

  it("become history, each once, under the id that a message has now", async () => {
    expect((await run("msedb-events", eventFile(), ...options())).counts).toMatchObject({
      ...EXPECTED,
      added: 5,
    });
    const first = await events();
    expect((await run("msedb-events", eventFile(), ...options())).counts).toMatchObject({
      added: 0,
      known: 6,
    });
    expect(await events()).toEqual(first);
    const old = first.filter(({ messageId }) => messageId === "AAMkOld");
    expect(old.map(({ eventType }) => eventType).sort()).toEqual(["arrived", "deleted", "read"]);
    expect(old.find(({ eventType }) => eventType === "arrived")).toMatchObject({
      subject: "Long ago",
      timestamp: new Date(long),
      sender: { name: "Ann", email: "ann@elsewhere.example" },
      internetMessageId: "gone@elsewhere.example",
      metadata: { isNewsletter: true },
    });
    const moved = first.filter(({ messageId }) => messageId === present.messageId);
    expect(moved.map(({ eventType }) => eventType)).toEqual(["moved", "moved"]);
  });

  it("an audit compares the mailbox with our own events only", async () => {
    const { id } = (await getMailboxByAddress(app.database, NINA))!;
    const log = await loadLog(app.database, id, null);
    expect([...log.keys()]).toEqual([present.messageId]);
    expect(log.get(present.messageId)).toMatchObject({ isDeleted: false, hasBeginning: true });
  });

  it("lines that are something else are named, and the others are taken", async () => {
    const mixed = `{"mailboxId":"x"}\nnot json\n${JSON.stringify(theirs({ messageId: "AAMkNew", internetMessageId: null }))}`;
    const { code, counts, err } = await run(
      "msedb-events",
      file("mixed.jsonl", mixed),
      ...options(),
    );
    expect({ code, counts }).toMatchObject({ code: 1, counts: { added: 1, malformed: 2 } });
    expect(err).toContain("line 1: messageId is missing");
    expect(err).toContain("line 2: is not JSON");
  });

  it("a file from Windows begins with a mark, and an array is named as such", async () => {
    const marked = file(
      "marked.jsonl",
      `\uFEFF${JSON.stringify(theirs({ messageId: "AAMkNew" }))}`,
    );
    expect(await run("msedb-events", marked, ...options(), "--dry-run")).toMatchObject({ code: 0 });
    const array = await run("msedb-events", file("array.jsonl", "[\n"), ...options());
    expect(array.err).toContain("line 1: begins an array");
  });

  it("wait until the mailbox was read once", async () => {
    const user = tenant.users.find(({ userPrincipalName }) =>
      userPrincipalName.startsWith("omar"),
    )!;
    const address = user.userPrincipalName;
    await upsertMailbox(app.database, { address, graphUserId: user.id, ownerId: user.id });
    const mailboxes = file("omar.jsonl", [{ _id: "o", email: address }]);
    const { code, err } = await run("msedb-events", eventFile(), "--mailboxes", mailboxes);
    expect({ code, err }).toEqual({
      code: 75,
      err: expect.stringContaining("not been read completely"),
    });
  });
});

describe("MSEDB's delta links", () => {
  it("show which folders it reads and we do not", async () => {
    const { id } = (await getMailboxByAddress(app.database, NINA))!;
    const { rows } = await app.database.query<{ id: string; name: string }>(
      "SELECT folder_id AS id, well_known AS name FROM postroom.folder WHERE mailbox = $1 AND well_known IN ('inbox', 'outbox')",
      [id],
    );
    const idOf = (name: string) => rows.find((row) => row.name === name)!.id;
    const dump = (folders: readonly string[]) =>
      file(
        "redis.json",
        JSON.stringify({
          ...Object.fromEntries(
            folders.map((one) => [`delta:${THEIR_NINA}:${one}`, "https://graph/x"]),
          ),
          [`folder:${NINA}:all`]: "[]",
        }),
      );
    const options = ["--mailboxes", join(folder, "mailboxes.jsonl")];
    const good = await run("msedb-links", dump([idOf("inbox"), "AAMkGone"]), ...options);
    expect(good.code).toBe(0);
    const bad = await run("msedb-links", dump([idOf("inbox"), idOf("outbox")]), ...options);
    expect(bad.code).toBe(1);
    expect(bad.err).toContain("folders that MSEDB reads and Postroom does not: 1");
    const wrong = await run("msedb-links", file("wrong.json", '{"a":"b"}'), ...options);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("delta:MAILBOX:FOLDER") });
  });
});

describe("an ingestion table", () => {
  const row = (message_id: string, status: string, more: object = {}) => ({
    ...{
      id: 1,
      app_name: "other",
      message_id,
      status,
      mailbox_email: NINA,
      worker_id: "ts:theirs",
    },
    ...more,
  });
  const stored = async () =>
    (
      await app.database.query(
        `SELECT message_id, status, trades_extracted AS trades, attachments_processed AS files, error_message AS error,
                worker_id AS worker, archive_gcs_paths AS paths
           FROM bo_airflow.email_ingestion_state ORDER BY message_id`,
      )
    ).rows;

  it("is taken over so that what was finished there is not done again here", async () => {
    await app.database.query(
      `INSERT INTO bo_airflow.email_ingestion_state (app_name, message_id, mailbox_email, status)
       VALUES ('pad_contract_notes', 'failed-here', $1, 'failed'), ('pad_contract_notes', 'done-here', $1, 'success')`,
      [NINA],
    );
    const rows = file("rows.jsonl", [
      row("done-there", "success", {
        attachments_written: 2,
        trades_extracted: 3,
        gcs_paths: '["a/b.pdf"]',
      }),
      row("failed-here", "success", { attachments_processed: 1, worker_id: "airflow-1" }),
      row("done-here", "failed"),
      row("in-work", "processing"),
    ]);
    const expected = { added: 2, finished: 1, known: 1, interrupted: 1 };
    const before = await stored();
    expect((await run("ingestion-table", rows, "--dry-run")).counts).toMatchObject(expected);
    expect(await stored()).toEqual(before);
    expect((await run("ingestion-table", rows)).counts).toMatchObject(expected);
    expect(await stored()).toMatchObject([
      { message_id: "done-here", status: "success" },
      {
        message_id: "done-there",
        status: "success",
        trades: 3,
        files: 2,
        worker: null,
        paths: ["a/b.pdf"],
      },
      { message_id: "failed-here", status: "success", files: 1, worker: "airflow-1", error: null },
      { message_id: "in-work", status: "failed", error: expect.stringContaining("exported") },
    ]);
    expect((await run("ingestion-table", rows)).counts).toMatchObject({
      added: 0,
      finished: 0,
      known: 4,
    });
  });

  it.each([
    ["paths that are not JSON", { archive_gcs_paths: "{gs://notes/a.pdf}" }],
    ["a number that no column holds", { trades_extracted: 2 ** 31 }],
  ])("a row with %s is named, and the others are taken", async (_, wrong) => {
    const rows = [row("malformed", "success", wrong), row("done-there", "success")];
    const { code, counts } = await run("ingestion-table", file("malformed.jsonl", rows));
    expect({ code, counts }).toMatchObject({ code: 1, counts: { known: 1, malformed: 1 } });
  });
});

describe("Spaarke", () => {
  const EMAIL = "3f2a61b0-0000-4000-8000-000000000001";

  it("its waiting e-mails become jobs once, under the key of the webhook", async () => {
    const envelope = {
      jobId: EMAIL,
      jobType: "ProcessEmailToDocument",
      subjectId: EMAIL,
      attempt: 1,
    };
    const rows = file("jobs.jsonl", [
      { ...envelope, payload: { EmailId: EMAIL, TriggerSource: "Webhook" } },
      { ...envelope, payload: { EmailId: EMAIL.toUpperCase(), TriggerSource: "PollingBackup" } },
      { jobType: "RagIndexing", payload: {} },
      { JobType: "UploadFinalization", Payload: { TempFileLocation: "x" } },
    ]);
    const expected = { added: 1, known: 1, following: 1, notTaken: 1 };
    const jobs = () =>
      app.database.query(
        "SELECT key, payload->>'emailId' AS id FROM postroom.job WHERE type = 'ProcessEmailToDocument'",
      );
    expect((await run("spaarke-jobs", rows, "--dry-run")).counts).toMatchObject(expected);
    expect((await jobs()).rows).toEqual([]);
    expect((await run("spaarke-jobs", rows)).counts).toMatchObject(expected);
    expect((await run("spaarke-jobs", rows)).counts).toMatchObject({ added: 0, known: 2 });
    expect((await jobs()).rows).toEqual([{ key: `Email:${EMAIL}:Archive`, id: EMAIL }]);
  });

  it("its documents are known with their files, unless nobody can say where a file is", async () => {
    const document = (n: number, sprk_filepath: string | null, more: object = {}) => ({
      "@odata.etag": 'W/"1"',
      sprk_documentid: `3f2a61b0-0000-4000-8000-00000000010${n}`,
      ...{ sprk_graphdriveid: "b!drive", sprk_graphitemid: `01ITEM${n}`, sprk_filesize: 10 },
      ...{ sprk_filename: "name.eml", sprk_filepath, ...more },
    });
    const library = "https://x.sharepoint.com/contentstorage/CSP_1/Document%20Library";
    const rows = file("documents.jsonl", [
      document(1, `${library}/emails/2026-01-05_Fee%20note.eml`, { sprk_isemailarchive: true }),
      document(2, "https://x.sharepoint.com/contentstorage/CSP_1/_layouts/15/Doc.aspx?sourcedoc=1"),
      document(3, `${library}/a/../../b.pdf`),
      document(4, null, { sprk_graphitemid: null }),
    ]);
    // The third one leads to the library's own folder once its dots are resolved.
    const expected = { added: 1, known: 0, withoutFile: 1, placeUnknown: 2 };
    expect((await run("spaarke-documents", rows, "--dry-run")).counts).toMatchObject(expected);
    expect(await findFilings(app.database)).toEqual([]);
    expect((await run("spaarke-documents", rows)).counts).toMatchObject(expected);
    expect((await run("spaarke-documents", rows)).counts).toMatchObject({ added: 0, known: 1 });
    expect(await findFilings(app.database)).toMatchObject([
      {
        ...{ source: "email", path: "emails/2026-01-05_Fee note.eml", state: "recorded" },
        ...{ itemId: "01ITEM1", driveId: "b!drive", name: "name.eml", size: 10 },
      },
    ]);
  });
});
