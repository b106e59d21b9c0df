import PostalMime from "postal-mime";
import { beforeAll, describe, expect, it } from "vitest";
import { findJobs } from "../../src/jobs/status/job-status-table.ts";
import { until, watch } from "../helpers/app.ts";
import { commandsFor } from "../helpers/cli.ts";
import { aDocumentScene, type DocumentScene, WEBHOOK_SECRET } from "./scene.ts";

const FOLDER = "Filed";
const PDF = Buffer.from("%PDF-1.4 a statement");
let scene: DocumentScene;
let matter: string;
let operator: { authorization: string };

beforeAll(async () => {
  scene = await aDocumentScene({ app: { roles: ["intake", "api", "worker"] } });
  operator = { authorization: `Bearer ${scene.app.operatorKey}` };
  matter = await scene.aMatter();
  await scene.tenant.graph.admin.createFolder(scene.nina.user.id, FOLDER);
  await scene.tenant.graph.admin.sendMail({
    ...{ to: scene.nina.user.mail, folder: FOLDER, subject: "Before the rule" },
    receivedAt: "2026-01-05T10:00:00Z",
  } as never);
  await watch(scene.app, scene.tenant, ["nina.berg", "omar.haddad"]);
  for (const person of [scene.nina, scene.omar]) {
    const folder = person === scene.nina ? FOLDER : "*";
    const rule = { folder, ...(person === scene.nina ? { parent: `sprk_matter:${matter}` } : {}) };
    expect((await call("PUT", pathOf(person.user.mail), rule)).status).toBe(200);
  }
});

const pathOf = (address: string) => `/api/mailboxes/${encodeURIComponent(address)}/filing`;

async function call(method: "GET" | "PUT" | "POST" | "DELETE", url: string, body?: object) {
  const answer = await scene.app.server.inject({
    ...{ method, url, headers: operator },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, json: answer.json() };
}

async function read(): Promise<void> {
  await scene.app.watching.readAll("test");
  await scene.app.jobs.workUntilIdle();
}

/** Mail that is in a folder when Postroom looks next. */
const send = (subject: string, more: object = {}) =>
  scene.tenant.graph.admin.sendMail({
    ...{ to: scene.nina.user.mail, folder: FOLDER, from: "counsel@law.example", subject },
    ...more,
  } as never);

const named = (subject: string) =>
  scene.records().filter(({ values }) => values["sprk_documentname"] === subject);

async function anEmail(values: Record<string, unknown>): Promise<string> {
  const { id } = await scene.tenant.dataverse.admin.create("email", {
    sender: "counsel@law.example",
    torecipients: scene.nina.user.mail,
    actualend: new Date(scene.app.clock.now()).toISOString(),
    ...values,
  });
  return id;
}

async function trigger(emailId: string): Promise<void> {
  const answer = await scene.app.server.inject({
    method: "POST",
    url: "/api/v1/emails/webhook-trigger",
    headers: { "x-ms-dynamics-msg-keyvalue": WEBHOOK_SECRET, "content-type": "application/json" },
    payload: JSON.stringify({ PrimaryEntityName: "email", PrimaryEntityId: emailId }),
  });
  expect(answer.statusCode).toBe(202);
  await scene.app.jobs.workUntilIdle();
}

describe("a folder with a filing rule", () => {
  it("files a message as its original MIME with its attachments, under the rule's parent [MAIL2DOC-09] [MAIL2DOC-15]", async () => {
    await send("Fee note 17", {
      body: "The original words",
      attachments: [{ name: "statement.pdf", contentType: "application/pdf", bytes: PDF }],
    });
    await send("Left alone", { folder: "inbox" });
    await read();
    const [record, ...more] = named("Fee note 17");
    expect(more).toEqual([]);
    const { values } = record!;
    expect(values["sprk_matter"]).toMatchObject({ id: matter });
    expect(values["sprk_email"] ?? null).toBeNull();
    const mime = scene.bytesAt(`emails/${values["sprk_filename"]}`)!;
    const mail = await PostalMime.parse(mime);
    expect(mail.text ?? mail.html).toContain("The original words");
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(["statement.pdf"]);
    const children = scene
      .records()
      .filter((row) => (row.values["sprk_parentdocument"] as { id: string })?.id === record!.id);
    expect(children.map((row) => row.values["sprk_filename"])).toEqual(["statement.pdf"]);
    const file = `emails/attachments/${record!.id.replaceAll("-", "")}/statement.pdf`;
    expect(scene.bytesAt(file)).toEqual(PDF);
    expect(named("Left alone")).toEqual([]);
  });

  it("files a message once when it is moved out and back, or comes back under another id [MAIL2DOC-14]", async () => {
    const [sent] = await send("Wanders");
    await read();
    const { admin } = scene.tenant.graph;
    admin.move(scene.nina.user.id, sent!.immutableId, "archive");
    await read();
    const copy = admin.copy(scene.nina.user.id, sent!.immutableId, FOLDER);
    expect(copy.immutableId).not.toBe(sent!.immutableId);
    await read();
    expect(named("Wanders")).toHaveLength(1);
    const [job] = await findJobs(scene.app.database, {
      subjectId: copy.immutableId,
      type: "file-message",
      limit: 1,
    });
    expect(job!.note).toContain("already holds this mail");
  });

  it("files a mail that two watched mailboxes received once, and one that only repeats its Message-ID again [MAIL2DOC-14]", async () => {
    const internetMessageId = "<both@law.example>";
    await send("To both", { internetMessageId });
    await send("To both", { internetMessageId, to: scene.omar.user.mail, folder: "inbox" });
    await read();
    expect(named("To both")).toHaveLength(1);
    await send("To both", {
      internetMessageId,
      receivedAt: new Date(Date.now() + 7_200_000).toISOString(),
    });
    await read();
    expect(named("To both")).toHaveLength(2);
  });

  it("files broken MIME without a Message-ID as it is, once per message [R24]", async () => {
    const eml = [
      "From: counsel@law.example",
      "Subject: Broken",
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b",
      "Content-Type: text/plain; charset=x-none",
      "",
      "\xff\xfe words",
      "--b",
      'Content-Disposition: attachment; filename="a.pdf"',
      "Content-Transfer-Encoding: base64",
      "",
      `${PDF.toString("base64")}!`,
    ].join("\r\n");
    const broken = { eml: Buffer.from(eml, "latin1"), internetMessageId: "" };
    const [sent] = await send("Broken", broken);
    await read();
    const { admin } = scene.tenant.graph;
    admin.move(scene.nina.user.id, sent!.immutableId, "archive");
    await read();
    admin.move(scene.nina.user.id, sent!.immutableId, FOLDER);
    await read();
    expect(named("Broken")).toHaveLength(1);
    const name = named("Broken")[0]!.values["sprk_filename"];
    const filed = await PostalMime.parse(scene.bytesAt(`emails/${name}`)!);
    expect(filed.subject).toBe("Broken");
    expect(filed.attachments.map(({ filename }) => filename)).toEqual(["a.pdf"]);
    await send("Broken", broken);
    await read();
    expect(named("Broken")).toHaveLength(2);
  });

  it("does not file what an Exclude rule stops, and says which [X-09]", async () => {
    await scene.tenant.dataverse.admin.create("sprk_emailprocessingrule", {
      ...{ sprk_name: "No offers", sprk_ruletype: 0, sprk_isactive: true },
      ...{ sprk_targetfield: "subject", sprk_pattern: "special offer", sprk_priority: 1 },
    });
    scene.app.documents!.rules.forget();
    const [sent] = await send("A special offer");
    await read();
    const [job] = await findJobs(scene.app.database, {
      subjectId: sent!.immutableId,
      type: "file-message",
      limit: 1,
    });
    expect(job).toMatchObject({ status: "Completed", note: expect.stringContaining("No offers") });
    expect(named("A special offer")).toEqual([]);
  });
});

describe("the same mail through Dataverse and through its mailbox is one document", () => {
  it("if the mailbox was first: the e-mail is linked to the document [MAIL2DOC-14]", async () => {
    const internetMessageId = "<mailbox-first@law.example>";
    await send("Mailbox first", { internetMessageId });
    await read();
    const emailId = await anEmail({ subject: "Mailbox first", messageid: internetMessageId });
    await trigger(emailId);
    const found = named("Mailbox first");
    expect(found).toHaveLength(1);
    expect(found[0]!.values["sprk_email"]).toMatchObject({ id: emailId });
  });

  it("if Dataverse was first, even before the mailbox's own notification [MAIL2DOC-14]", async () => {
    const internetMessageId = "<dataverse-first@law.example>";
    await send("Dataverse first", { internetMessageId, body: "The original words" });
    await trigger(await anEmail({ subject: "Dataverse first", messageid: internetMessageId }));
    await read();
    const found = named("Dataverse first");
    expect(found).toHaveLength(1);
    const text = String(scene.bytesAt(`emails/${found[0]!.values["sprk_filename"]}`));
    expect(text).toContain("The original words");
  });

  it("if both come at the same time [MAIL2DOC-14]", async () => {
    const internetMessageId = "<race@law.example>";
    await send("A race", { internetMessageId });
    const emailId = await anEmail({ subject: "A race", messageid: internetMessageId });
    await Promise.all([trigger(emailId), read()]);
    await until("both jobs", async () => {
      await scene.app.jobs.workUntilIdle();
      return named("A race")[0]?.values["sprk_email"];
    });
    expect(named("A race")).toHaveLength(1);
  });

  it("if the e-mail was filed from Dataverse's parts, because its mailbox did not have it yet [MAIL2DOC-14]", async () => {
    const internetMessageId = "<late@law.example>";
    await trigger(await anEmail({ subject: "Late", messageid: internetMessageId }));
    await send("Late", { internetMessageId });
    await read();
    expect(named("Late")).toHaveLength(1);
  });
});

describe("a backfill", () => {
  it("counts with a dry run, then files mail from before the rule, and changes nothing the second time", async () => {
    const wanted = { mailbox: scene.nina.user.mail, since: "2026-01-01", until: "2026-01-31" };
    expect(named("Before the rule")).toEqual([]);
    const dry = await call("POST", "/api/ingest/backfill", { ...wanted, dryRun: true });
    expect(dry.json).toMatchObject({ dryRun: true, isComplete: true, file: { messages: 1 } });
    await scene.app.jobs.workUntilIdle();
    expect(named("Before the rule")).toEqual([]);
    for (const _time of [1, 2]) {
      const begun = await call("POST", "/api/ingest/backfill", wanted);
      expect(begun.status).toBe(202);
      await scene.app.jobs.workUntilIdle();
      const status = await call("GET", begun.json.statusUrl);
      expect(status.json).toMatchObject({
        status: "Completed",
        note: "0 messages to ingest, 1 to file",
      });
      expect(named("Before the rule")).toHaveLength(1);
    }
    const query = new URLSearchParams(wanted);
    const after = await call("GET", `/api/ingest/backfill?${query}`);
    expect(after.json.file).toEqual({ messages: 1, open: 0, dead: 0 });
  });

  it("and the rules of a mailbox can be used from the command line", async () => {
    const postroom = commandsFor(scene.app);
    const nina = scene.nina.user.mail;
    const dry = `ingest backfill --mailbox ${nina} --since 2026-01-01 --until 2026-01-31 --dry-run`;
    expect(await postroom(dry)).toMatchObject({
      ...{ code: 0, out: `would file 1 message of ${nina}\n` },
    });
    expect((await postroom(dry.replace("--since 2026-01-01", "--since 2026-01-30"))).out).toBe(
      `${nina} has no mail to ingest or file in that period\n`,
    );
    expect(await postroom(dry.replace("--since 2026-01-01", "--since 2026-01-31"))).toMatchObject({
      ...{ code: 2, err: expect.stringContaining("--since must be before --until") },
    });
    const done = await postroom(dry.replace(" --dry-run", ""));
    expect(done).toMatchObject({ code: 0, err: expect.stringContaining("1 of 1 done") });
    expect((await postroom(`mailbox filing ${nina}`)).out).toContain(FOLDER);
    expect(await postroom(`mailbox file ${nina} Archive`)).toMatchObject({ code: 0 });
    const removed = await postroom(`mailbox file ${nina} Archive --remove`);
    expect(removed).toMatchObject({ code: 0, out: `${nina}: Archive is no longer filed\n` });
    expect(await postroom(`mailbox file ${nina} Archive --remove`)).toMatchObject({ code: 1 });
  });

  it("of a mailbox that is not watched, or without a rule, is refused", async () => {
    const wanted = { mailbox: "stranger@ashdown.example", since: "2026-01-01" };
    expect((await call("POST", "/api/ingest/backfill", wanted)).status).toBe(404);
    const gone = await call("DELETE", `${pathOf(scene.omar.user.mail)}?folder=*`);
    expect(gone.status).toBe(200);
    const without = { ...wanted, mailbox: scene.omar.user.mail };
    expect((await call("POST", "/api/ingest/backfill", without)).status).toBe(422);
  });
});

describe("a filing rule", () => {
  it.each([
    ["a folder that does not exist", { folder: "Nowhere" }, 422],
    [
      "a parent that does not exist",
      { folder: "Inbox", parent: "sprk_matter:00000000-0000-4000-8000-000000000000" },
      400,
    ],
    ["a container that is no drive id", { folder: "Inbox", containerId: "x" }, 400],
  ])("for %s is refused", async (_what, rule, status) => {
    expect((await call("PUT", pathOf(scene.nina.user.mail), rule)).status).toBe(status);
  });
});
