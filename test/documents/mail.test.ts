import { createHmac } from "node:crypto";
import PostalMime from "postal-mime";
import { beforeAll, describe, expect, it } from "vitest";
import { processEmailToDocument } from "../../src/flows/specs/documents.ts";
import { findJobs } from "../../src/jobs/status/job-status-table.ts";
import { until, watch } from "../helpers/app.ts";
import { aDocumentScene, type DocumentScene, WEBHOOK_SECRET } from "./scene.ts";

const ROUTE = "/api/v1/emails/webhook-trigger";
const DAY = "2026-02-17T10:00:00Z";
let scene: DocumentScene;

beforeAll(async () => {
  scene = await aDocumentScene({
    tenant: { switches: { journalRequests: true } },
    app: { roles: ["intake", "api", "worker"] },
  });
  await aRule({ sprk_name: "No newsletters", sprk_pattern: "newsletter", sprk_priority: 10 });
  await aRule({
    sprk_name: "No programs",
    sprk_targetfield: "attachmentname",
    sprk_pattern: "\\.exe$",
    sprk_priority: 20,
  });
});

const aRule = (values: object) =>
  scene.tenant.dataverse.admin.create("sprk_emailprocessingrule", {
    sprk_ruletype: 0,
    sprk_isactive: true,
    sprk_targetfield: "subject",
    ...values,
  });

async function anEmail(values: Record<string, unknown> = {}): Promise<string> {
  const mail = { subject: "Fee note", description: "<p>The <b>fee</b></p>", actualend: DAY };
  const { id } = await scene.tenant.dataverse.admin.create("email", {
    ...mail,
    sender: "counsel@law.example",
    torecipients: "nina.berg@ashdown.example;omar.haddad@ashdown.example",
    ...values,
  });
  return id;
}

const attach = (emailId: string, filename: string, bytes: Buffer) =>
  scene.tenant.dataverse.admin.create("activitymimeattachment", {
    filename,
    mimetype: "application/octet-stream",
    body: bytes.toString("base64"),
    "objectid_email@odata.bind": `/emails(${emailId})`,
  });

const contextOf = (emailId: string, more: object = {}) =>
  JSON.stringify({
    PrimaryEntityId: emailId,
    PrimaryEntityName: "email",
    MessageName: "Update",
    OperationCreatedOn: "/Date(1234567890000)/",
    ...more,
  });

async function post(body: string, headers: Record<string, string> = {}, url = ROUTE) {
  const answer = await scene.app.server.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/json", ...headers },
    payload: body,
  });
  return { status: answer.statusCode, json: answer.json() };
}
const KEY = { "x-ms-dynamics-msg-keyvalue": WEBHOOK_SECRET };
const trigger = async (emailId: string, more: object = {}) => {
  const answer = await post(contextOf(emailId, more), KEY);
  await scene.app.jobs.workUntilIdle();
  return answer;
};
const recordOf = (emailId: string) =>
  scene
    .records()
    .filter(({ values }) => (values["sprk_email"] as { id: string } | null)?.id === emailId);
const childrenOf = (documentId: string) =>
  scene
    .records()
    .filter(
      ({ values }) => (values["sprk_parentdocument"] as { id: string } | null)?.id === documentId,
    );

describe("Dataverse's webhook", () => {
  it("accepts the key in a header or in the URL, or a signature of the body, and answers anything else with 401 [MAIL2DOC-01] [MAIL2DOC-02] [SEC-05]", async () => {
    const body = contextOf(await anEmail({ subject: "Proven" }));
    const sign = (secret: string, text = body) =>
      createHmac("sha256", secret).update(text).digest("base64");
    const signed = (value: string) => ({ "x-dataverse-signature": value });
    expect((await post(body, KEY)).status).toBe(202);
    expect((await post(body, {}, `${ROUTE}?code=${WEBHOOK_SECRET}`)).status).toBe(202);
    expect((await post(body, signed(sign(WEBHOOK_SECRET)))).status).toBe(202);
    expect((await post(body, signed(`sha256=${sign(WEBHOOK_SECRET)}`))).status).toBe(202);
    for (const headers of [
      {},
      signed(sign("wrong")),
      signed(sign(WEBHOOK_SECRET, `${body} `)),
      signed(""),
      { "x-ms-dynamics-msg-keyvalue": `${WEBHOOK_SECRET}x` },
      { "x-ms-dynamics-msg-keyvalue": "" },
    ])
      expect((await post(body, headers as Record<string, string>)).status).toBe(401);
    await scene.app.jobs.workUntilIdle();
  });

  it.each([
    ["an empty body", ""],
    ["no JSON", "{"],
    ["no id", JSON.stringify({ PrimaryEntityName: "email" })],
    ["an id that is none", JSON.stringify({ PrimaryEntityName: "email", PrimaryEntityId: "x" })],
    [
      "another table",
      JSON.stringify({
        PrimaryEntityName: "account",
        PrimaryEntityId: "58dd5db4-8043-4676-9d3c-0123456789ab",
      }),
    ],
  ])("with %s is 400 [MAIL2DOC-03]", async (_what, body) => {
    expect((await post(body, KEY)).status).toBe(400);
  });

  it("needs nothing from the body but the id of the mail [MAIL2DOC-03] [MAIL2DOC-04]", async () => {
    const emailId = await anEmail({ subject: "Bare" });
    const bare = JSON.stringify({ PrimaryEntityName: "Email", PrimaryEntityId: emailId });
    expect((await post(bare, KEY)).status).toBe(202);
    await scene.app.jobs.workUntilIdle();
    expect(recordOf(emailId)).toHaveLength(1);
  });

  it("accepts an id in braces, and answers with the job [MAIL2DOC-03] [MAIL2DOC-06]", async () => {
    const emailId = await anEmail({ subject: "Braces" });
    const { status, json } = await trigger(`{${emailId.toUpperCase()}}`);
    expect(status).toBe(202);
    expect(json).toMatchObject({ accepted: true, jobId: expect.any(String) });
    const [job] = await findJobs(scene.app.database, { subjectId: emailId, limit: 5 });
    expect(job).toMatchObject({
      jobId: json.jobId,
      jobType: "ProcessEmailToDocument",
      status: "Completed",
    });
    const { rows } = await scene.app.database.query(
      "SELECT key, payload FROM postroom.job WHERE id = $1",
      [json.jobId],
    );
    expect(rows[0]).toMatchObject({
      key: `Email:${emailId}:Archive`,
      payload: {
        emailId,
        triggerSource: "Webhook",
        operationCreatedOn: "2009-02-13T23:31:30.000Z",
      },
    });
  });

  it("immediately names the rule that excludes a mail, and queues nothing [MAIL2DOC-05] [X-09]", async () => {
    const emailId = await anEmail({ subject: "Our Newsletter" });
    const image = { Attributes: [{ key: "subject", value: "Our Newsletter" }] };
    const answer = await post(
      contextOf(emailId, { PostEntityImages: [{ key: "Post", value: image }] }),
      KEY,
    );
    expect(answer).toEqual({ status: 200, json: { status: "excluded", reason: "No newsletters" } });
    expect(await findJobs(scene.app.database, { subjectId: emailId, limit: 5 })).toEqual([]);
  });

  it("queues a mail while the rules cannot be read, and the job decides [MAIL2DOC-05] [X-09]", async () => {
    const emailId = await anEmail({ subject: "Another Newsletter" });
    const image = { Attributes: [{ key: "subject", value: "Another Newsletter" }] };
    scene.app.documents!.rules.forget();
    scene.tenant.faults.arm({
      ...{ kind: "server-error", where: { part: "dataverse" }, options: { status: 403 } },
    });
    const answer = await post(
      contextOf(emailId, { PostEntityImages: [{ key: "Post", value: image }] }),
      KEY,
    );
    scene.tenant.faults.disarm();
    expect(answer).toMatchObject({ status: 202, json: { accepted: true } });
    await scene.app.jobs.workUntilIdle();
    expect(recordOf(emailId)).toEqual([]);
  });

  it("never drops what a Route rule matches: it goes to the rule's place, or to a person [MAIL2DOC-10] [X-09]", async () => {
    const matter = await scene.aMatter();
    const container = scene.tenant.drives.admin.createContainer({});
    const route = { sprk_ruletype: 2, sprk_priority: 30 };
    await aRule({
      ...{ ...route, sprk_name: "To its matter", sprk_pattern: "for the matter" },
      sprk_criteriajson: JSON.stringify({
        ...{ parent: `sprk_matter:${matter}`, containerId: container.id },
      }),
    });
    await aRule({ ...route, sprk_name: "Ask", sprk_pattern: "unclear" });
    scene.app.documents!.rules.forget();
    const placed = await anEmail({ subject: "A letter for the matter" });
    const asked = await anEmail({ subject: "An unclear letter" });
    await trigger(placed);
    await trigger(asked);
    const { values } = recordOf(placed)[0]!;
    expect(values).toMatchObject({
      ...{ sprk_matter: { id: matter }, sprk_graphdriveid: container.id },
    });
    const item = container.drive.items.get(String(values["sprk_graphitemid"]))!;
    expect(item.createdBy).toBe(scene.tenant.apps[1]!.servicePrincipalId);
    const [record] = recordOf(asked);
    const headers = { authorization: `Bearer ${scene.app.operatorKey}` };
    const waiting = async () => {
      const url = "/api/documents?review=true";
      const { documents } = (await scene.app.server.inject({ url, headers })).json();
      return documents.map(({ id, review }: { id: string; review: string }) => [id, review]);
    };
    expect(await waiting()).toEqual([[record!.id, "Ask"]]);
    const url = `/api/documents/${record!.id}/reviewed`;
    await scene.app.server.inject({ method: "POST", url, headers });
    expect(await waiting()).toEqual([]);
  });

  it("leaves rules that need the whole mail to the job, which ends as excluded with the name of the rule [MAIL2DOC-05] [X-09]", async () => {
    const emailId = await anEmail({ subject: "Program" });
    await attach(emailId, "setup.EXE", Buffer.from("MZ"));
    const { status, json } = await trigger(emailId);
    expect(status).toBe(202);
    const view = await scene.app.server.inject({
      url: `/api/jobs/${json.jobId}/status`,
      headers: { authorization: `Bearer ${scene.app.operatorKey}` },
    });
    expect(view.json()).toMatchObject({ status: "Completed", note: "No programs" });
    expect(recordOf(emailId)).toEqual([]);
  });
});

describe("a mail", () => {
  it("becomes a complete file with a record, and each attachment becomes a document [MAIL2DOC-09] [MAIL2DOC-10] [MAIL2DOC-11] [MAIL2DOC-15] [DOC-04] [DOC-11] [DOC-15] [X-08] [AUTH-10]", async () => {
    const matter = await scene.aMatter();
    const emailId = await anEmail({
      subject: "Fee/note: März?",
      messageid: "<fee@law.example>",
      directioncode: false,
      "regardingobjectid_sprk_matter_email@odata.bind": `/sprk_matters(${matter})`,
    });
    await attach(emailId, "contract.pdf", Buffer.from("%PDF-1.7 contract"));
    await attach(emailId, "image001.png", Buffer.alloc(9_000));
    await attach(emailId, "invite.ics", Buffer.from("BEGIN:VCALENDAR"));
    await trigger(emailId);

    const [record, ...others] = recordOf(emailId);
    expect(others).toEqual([]);
    expect(record!.values).toMatchObject({
      sprk_documentname: "Fee/note: März?",
      sprk_filename: "2026-02-17_Fee_note_März.eml",
      sprk_mimetype: "message/rfc822",
      sprk_hasfile: true,
      sprk_graphdriveid: scene.containerId,
      sprk_isemailarchive: true,
      sprk_documenttype: 100000006,
      sprk_emailfrom: "counsel@law.example",
      sprk_emailto: "nina.berg@ashdown.example; omar.haddad@ashdown.example",
      sprk_emailbody: "<p>The <b>fee</b></p>",
      sprk_emailmessageid: "<fee@law.example>",
      sprk_emaildirection: 100000000,
      sprk_matter: { table: "sprk_matter", id: matter },
    });
    expect(record!.values["sprk_filetype"] ?? null).toBeNull();
    const { admin } = scene.tenant.drives;
    const { drive } = admin.containers().find(({ id }) => id === scene.containerId)!;
    const item = drive.items.get(String(record!.values["sprk_graphitemid"]))!;
    expect(item.createdBy).toBe(scene.tenant.apps[1]!.servicePrincipalId);
    const bytes = scene.bytesAt("emails/2026-02-17_Fee_note_März.eml")!;
    expect(record!.values["sprk_filesize"]).toBe(bytes.length);
    const parsed = await PostalMime.parse(bytes);
    expect(parsed).toMatchObject({ subject: "Fee/note: März?", messageId: "<fee@law.example>" });
    expect(parsed.html).toContain("The <b>fee</b>");
    expect(parsed.attachments.map(({ filename }) => filename)).toEqual([
      "contract.pdf",
      "image001.png",
      "invite.ics",
    ]);

    const children = childrenOf(record!.id);
    expect(children.map(({ values }) => values["sprk_filename"])).toEqual(["contract.pdf"]);
    expect(children[0]!.values).toMatchObject({
      sprk_mimetype: "application/pdf",
      sprk_documenttype: 100000007,
      sprk_parentgraphitemid: record!.values["sprk_graphitemid"],
      sprk_matter: { table: "sprk_matter", id: matter },
    });
    expect(children[0]!.values["sprk_email"] ?? null).toBeNull();
    expect(scene.files()).toContain(
      `emails/attachments/${record!.id.replaceAll("-", "")}/contract.pdf`,
    );
    const email = scene.tenant.dataverse.admin.get("email", emailId)!;
    expect(email.values["sprk_documentprocessingstatus"]).toBe(100000001);
  });

  it("that is announced twice becomes one document, even long after the first time [MAIL2DOC-07] [MAIL2DOC-12] [MAIL2DOC-14]", async () => {
    const emailId = await anEmail({ subject: "Twice" });
    const [first, second] = await Promise.all([
      trigger(emailId),
      trigger(emailId, { MessageName: "Create" }),
    ]);
    expect(first.json.jobId).toBe(second.json.jobId);
    await scene.app.database.query(
      "UPDATE postroom.job SET key = key || '-old' WHERE subject_id = $1",
      [emailId],
    );
    expect((await trigger(emailId)).json.jobId).not.toBe(first.json.jobId);
    expect(recordOf(emailId)).toHaveLength(1);
    expect(scene.files().filter((path) => path.includes("Twice"))).toHaveLength(1);
    const { rows } = await scene.app.database.query<{ keeps: boolean }>(
      "SELECT finished_at > postroom.now() - interval '7 days' AS keeps FROM postroom.job WHERE id = $1",
      [first.json.jobId],
    );
    expect(rows).toEqual([{ keeps: true }]);
  });

  it("with the same day and subject as another gets its own file [H-07]", async () => {
    const one = await anEmail({ subject: "Same subject" });
    const two = await anEmail({ subject: "Same subject" });
    await trigger(one);
    await trigger(two);
    expect(recordOf(one)).toHaveLength(1);
    expect(recordOf(two)).toHaveLength(1);
    expect(scene.files().filter((path) => path.includes("Same_subject"))).toHaveLength(2);
  });

  it("leaves a file of somebody else alone that has its path [H-07]", async () => {
    await scene.put("emails/2026-02-17_Taken.eml", "not a mail", { query: "?record=false" });
    await scene.app.database.query("DELETE FROM postroom.filing WHERE path LIKE '%Taken%'");
    const emailId = await anEmail({ subject: "Taken" });
    await trigger(emailId);
    expect(scene.bytesAt("emails/2026-02-17_Taken.eml")!.toString()).toBe("not a mail");
    expect(recordOf(emailId)[0]!.values["sprk_filename"]).toMatch(/^2026-02-17_Taken/);
    expect(scene.files().filter((path) => path.includes("Taken"))).toHaveLength(2);
  });

  it("keeps its file when somebody uploads another to its path, even to replace it", async () => {
    const emailId = await anEmail({ subject: "Kept" });
    await trigger(emailId);
    const path = `emails/${recordOf(emailId)[0]!.values["sprk_filename"]}`;
    const replaced = await scene.put(path, "not a mail", { query: "?conflictBehavior=replace" });
    expect(replaced).toMatchObject({ status: 409, json: { errorCode: "drive.conflict" } });
    expect(String(scene.bytesAt(path))).toContain("Subject: Kept");
  });

  it("that another program has already filed is not filed again [R32]", async () => {
    const emailId = await anEmail({ subject: "Foreign" });
    await scene.tenant.dataverse.admin.create("sprk_document", {
      sprk_documentname: "theirs",
      "sprk_Email@odata.bind": `/emails(${emailId})`,
    });
    await trigger(emailId);
    expect(recordOf(emailId).map(({ values }) => values["sprk_documentname"])).toEqual(["theirs"]);
    expect(scene.files().filter((path) => path.includes("Foreign"))).toEqual([]);
  });

  it("above 4 MB goes through an upload session [DOC-16] [MAIL2DOC-10]", async () => {
    const emailId = await anEmail({ subject: "Large" });
    await attach(emailId, "large.bin", Buffer.alloc(5 * 1024 * 1024, 7));
    scene.tenant.journal.clear();
    await trigger(emailId);
    const paths = scene.tenant.journal.entries().map((entry) => String(entry["path"]));
    // One for the mail, one for its attachment.
    expect(paths.filter((path) => path.includes("createUploadSession"))).toHaveLength(2);
    expect(recordOf(emailId)[0]!.values["sprk_filesize"]).toBeGreaterThan(5 * 1024 * 1024);
    expect(childrenOf(recordOf(emailId)[0]!.id)).toHaveLength(1);
  });

  it("with more than 100 MB is not filed and waits for a person [X-08]", async () => {
    const emailId = await anEmail({ subject: "Too large" });
    const { id } = await attach(emailId, "huge.bin", Buffer.from("x"));
    scene.tenant.dataverse.admin.get("activitymimeattachment", id)!.values["filesize"] =
      101 * 1024 * 1024;
    await trigger(emailId);
    const [job] = await findJobs(scene.app.database, { subjectId: emailId, limit: 1 });
    expect(job).toMatchObject({ status: "Poisoned", errorCode: "mail.too-large" });
    expect(recordOf(emailId)).toEqual([]);
  });

  let watched: Promise<void> | undefined;
  /** In the mailbox, which is watched; our tables know it if `isKnown`. */
  async function anOriginal(
    subject: string,
    { isKnown = true, ...more }: { isKnown?: boolean; isDraft?: boolean } = {},
  ): Promise<void> {
    watched ??= watch(scene.app, scene.tenant, ["nina.berg"]);
    await watched;
    await scene.tenant.graph.admin.sendMail({
      to: scene.nina.user.mail,
      from: "counsel@law.example",
      subject,
      internetMessageId: `<${subject.toLowerCase().replaceAll(" ", "-")}@law.example>`,
      receivedAt: DAY,
      body: "The original words",
      ...more,
    } as never);
    if (!isKnown) return;
    await until("the message", async () => {
      await scene.app.watching.readAll("test");
      await scene.app.jobs.workUntilIdle();
      const sql = "SELECT 1 FROM postroom.message WHERE subject = $1";
      return (await scene.app.database.query(sql, [subject])).rowCount > 0;
    });
  }
  async function wordsFiledFrom(row: Record<string, unknown>): Promise<string> {
    const emailId = await anEmail({ description: "The words of Dataverse", ...row });
    await trigger(emailId);
    const [record] = recordOf(emailId);
    const text = String(scene.bytesAt(`emails/${record!.values["sprk_filename"]}`));
    return /The [\w ]+? words|The words of \w+/.exec(text)![0];
  }

  it("is filed as the original message if a watched mailbox has it [MAIL2DOC-09]", async () => {
    await anOriginal("As it came");
    const emailId = await anEmail({
      subject: "As it came",
      messageid: "<as-it-came@law.example>",
      description: "The words of Dataverse",
    });
    await trigger(emailId);
    const text = scene.bytesAt("emails/2026-02-17_As_it_came.eml")!.toString();
    expect(text).toContain("The original words");
    expect(text).not.toContain("The words of Dataverse");
  });

  it("that names the Message-ID of a mail between others is filed without their words [MAIL2DOC-09]", async () => {
    await anOriginal("Between others");
    const row = { subject: "Between others", messageid: "<between-others@law.example>" };
    const others = { ...row, torecipients: "omar.haddad@ashdown.example" };
    expect(await wordsFiledFrom(others)).toBe("The words of Dataverse");
    expect(await wordsFiledFrom({ ...row, subject: "Guessed" })).toBe("The words of Dataverse");
    expect(await wordsFiledFrom(row)).toBe("The original words");
    await anOriginal("Just come", { isKnown: false });
    const early = { subject: "Just come", messageid: "<just-come@law.example>" };
    expect(await wordsFiledFrom({ ...early, subject: "Foretold" })).toBe("The words of Dataverse");
    expect(await wordsFiledFrom(early)).toBe("The original words");
  });

  it("is looked for only in mailboxes of its parties that may be read, and not among drafts [MAIL2DOC-09]", async () => {
    await anOriginal("Not sent", { isKnown: false, isDraft: true });
    const row = { subject: "Not sent", messageid: "<not-sent@law.example>" };
    const asked = async (more: object) => {
      scene.tenant.journal.clear();
      expect(await wordsFiledFrom({ ...row, ...more })).toBe("The words of Dataverse");
      expect(JSON.stringify(scene.app.logLines)).not.toContain("message cannot be read");
      const paths = scene.tenant.journal.entries().map((entry) => String(entry["path"]));
      return paths.some((path) => /\/users\/[^/]+\/messages$/.test(path));
    };
    expect(await asked({})).toBe(true);
    expect(await asked({ torecipients: "omar.haddad@ashdown.example" })).toBe(false);
    const setStatus = (status: string) =>
      scene.app.database.query("UPDATE postroom.mailbox SET status = $1", [status]);
    await setStatus("unreachable");
    expect(await asked({})).toBe(false);
    await setStatus("active");
  });

  it("is filed when Dataverse itself calls, with its own body and key [MAIL2DOC-01] [MAIL2DOC-02]", async () => {
    scene.tenant.switches["dataverseDateOffset"] = "-0700";
    await scene.tenant.dataverse.admin.registerWebhook({
      url: `${scene.app.url}${ROUTE}`,
      table: "email",
      message: "Create",
      auth: { type: "key", key: WEBHOOK_SECRET },
    });
    const emailId = await anEmail({ subject: "By webhook" });
    await until("the document", async () => recordOf(emailId).length === 1);
    await scene.app.jobs.workUntilIdle();
    const { rows } = await scene.app.database.query<{ at: string | null }>(
      "SELECT payload->>'operationCreatedOn' AS at FROM postroom.job WHERE subject_id = $1 AND type = $2",
      [emailId, processEmailToDocument.type],
    );
    expect(Date.parse(rows[0]!.at!)).toBeGreaterThan(Date.now() - 3_600_000);
  });
});
