import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { armKillPoint } from "../../src/lib/kill-points.ts";
import { aPerson } from "../documents/scene.ts";
import { until } from "../helpers/app.ts";
import { readStream } from "./read-stream.ts";
import { aMail, anOfficeScene, base64, type OfficeScene } from "./scene.ts";

let scene: OfficeScene;
beforeAll(async () => {
  scene = await anOfficeScene();
});

beforeEach(() => scene.app.database.query("DELETE FROM postroom.office_call"));

const finish = () => scene.app.jobs.workUntilIdle();

describe("a mail saved from Outlook", () => {
  it("becomes a document with its artifacts and links, with the rights of its sender; a job writes its records [OFF-01] [OFF-06] [OFF-15] [DOC-28] [DOC-29]", async () => {
    const mail = aMail(scene.matterId);
    const atEnd: number[] = [];
    const disarm = armKillPoint("office.files-stored", () => {
      atEnd.push(scene.files().length, scene.rows("sprk_document").length);
    });
    const answer = await scene.save(mail, { key: "first" });
    disarm();
    // When the request ends, there are files and no records.
    expect(atEnd).toEqual([3, 0]);
    expect(answer).toMatchObject({
      status: 202,
      json: {
        success: true,
        duplicate: false,
        statusUrl: expect.stringMatching(/^\/office\/jobs\//),
      },
      headers: { "x-idempotency-status": "new" },
    });
    await finish();
    const { json: job } = await scene.get(answer.json["statusUrl"]);
    expect(job).toMatchObject({
      status: "Completed",
      jobType: "EmailSave",
      progress: 100,
      error: null,
    });
    const names = job["completedPhases"].map(({ name }: { name: string }) => name);
    expect(names).toEqual([
      ...[
        "FileUploading",
        "FileUploaded",
        "RecordsCreating",
        "FileAlreadyUploaded",
        "RecordsCreated",
      ],
      ...["AttachmentsProcessed", "ProfileGenerating", "IndexingQueued", "Complete"],
    ]);

    const { rows: jobs } = await scene.app.database.query(
      "SELECT key FROM postroom.job WHERE type = 'UploadFinalization'",
    );
    expect(jobs).toEqual([{ key: `${answer.json["jobId"]}-upload` }]);

    const documentId = job["result"].artifact.id;
    const record = scene.rows("sprk_document").find(({ id }) => id === documentId)!;
    expect(record.values).toMatchObject({
      sprk_sourcetype: 659490001,
      sprk_emailsubject: mail.email.subject,
      sprk_graphdriveid: scene.containerId,
      sprk_matter: { id: scene.matterId },
    });
    const systemUser = scene.tenant.dataverse.admin.userIdOf(scene.nina.user.id);
    expect(record.values["createdby"]).toMatchObject({ id: systemUser });
    const [artifact] = scene.rows("sprk_emailartifact");
    expect(artifact!.values).toMatchObject({
      sprk_messageid: mail.email.internetMessageId,
      sprk_document: { id: documentId },
    });
    const attachments = scene.rows("sprk_attachmentartifact");
    expect(attachments.map(({ values }) => values["sprk_originalfilename"]).sort()).toEqual([
      "fee.pdf",
      "terms.txt",
    ]);
    for (const { values } of attachments)
      expect(values["sprk_emailartifact"]).toMatchObject({ id: artifact!.id });
    const files = [...(await driveItems())];
    expect(files).toHaveLength(3);
    expect(files.map(({ createdBy }) => createdBy)).toEqual(Array(3).fill(scene.nina.user.id));
    expect(scene.rows("sprk_processingjob")).toMatchObject([{ values: { sprk_status: 2 } }]);
  });

  it("goes to the container that the request names, otherwise to the default one [DOC-05]", async () => {
    const own = scene.tenant.drives.admin.createContainer({});
    const body = { ...aMail(scene.matterId), containerId: own.id };
    const { json } = await scene.save(body, { person: aPerson(scene.tenant, 2) });
    await finish();
    expect((await scene.get(json["statusUrl"], aPerson(scene.tenant, 2))).json["status"]).toBe(
      "Completed",
    );
    expect(own.drive.items.size).toBeGreaterThan(3);
    const drives = scene
      .rows("sprk_document")
      .filter(({ values }) => values["sprk_graphdriveid"] === own.id);
    expect(drives).toHaveLength(3);
  });

  it("is not saved twice: the same key or the same content answers with the first save, another key refuses [X-11]", async () => {
    const mail = aMail(scene.matterId);
    const first = await scene.save(mail, { key: "again" });
    await finish();
    const before = [scene.rows("sprk_document").length, scene.files().length];
    const again = await scene.save(mail, { key: "again" });
    expect([again.status, again.json["duplicate"], again.json["jobId"]]).toEqual([
      200,
      true,
      first.json["jobId"],
    ]);
    expect(again.headers["x-idempotency-status"]).toBe("cached");
    const other = await scene.save(mail, { key: "another" });
    expect([other.status, other.json["errorCode"]]).toEqual([409, "OFFICE_011"]);
    expect(other.json["type"]).toBe("https://spaarke.com/errors/office/document-already-exists");
    const changed = await scene.save(aMail(scene.matterId), { key: "again" });
    expect([changed.status, changed.json["errorCode"]]).toEqual([400, "OFFICE_VALIDATION"]);
    await finish();
    expect([scene.rows("sprk_document").length, scene.files().length]).toEqual(before);

    const plain = aMail(scene.matterId);
    expect((await scene.save(plain)).status).toBe(202);
    expect((await scene.save(plain)).json["duplicate"]).toBe(true);
  });

  it("with other bytes is another save, also under one Idempotency-Key", async () => {
    const post = async (bytes: string) => {
      const answer = await scene.app.server.inject({
        ...{ method: "POST", url: "/office/save" },
        headers: { ...aPerson(scene.tenant, 2).headers, "idempotency-key": "one" },
        payload: {
          contentType: "Document",
          targetEntity: { entityType: "sprk_matter", entityId: scene.matterId },
          document: { fileName: "Contract.txt", contentBase64: base64(bytes) },
        },
      });
      return answer.json().jobId;
    };
    const first = await post("draft");
    expect(await post("signed")).not.toBe(first);
    expect(await post("draft")).toBe(first);
    await finish();
  });

  it("under the key of another person is neither answered by it nor shown", async () => {
    const { admin } = scene.tenant.dataverse;
    const stranger = aPerson(scene.tenant, 5);
    admin.setScope(stranger.user.id, "user");
    admin.share(stranger.user.id, "sprk_matter", scene.matterId, ["ReadAccess", "AppendToAccess"]);
    const mail = aMail(scene.matterId);
    const own = await scene.save(mail, { key: "mine" });
    await finish();
    const replayed = await scene.save(mail, { key: "mine", person: stranger });
    expect(replayed).toMatchObject({
      status: 409,
      json: { errorCode: "OFFICE_011", detail: "this is already saved there" },
    });
    expect(JSON.stringify(replayed.json)).not.toContain(own.json["jobId"]);
    const reads = [own.json["statusUrl"], `${own.json["statusUrl"]}/analyses`];
    for (const url of [...reads, own.json["streamUrl"]])
      expect((await scene.get(url, stranger)).json["errorCode"]).toBe("OFFICE_008");
    const other = await scene.save(aMail(scene.matterId), { key: "mine", person: stranger });
    expect([other.status, other.json["duplicate"]]).toEqual([202, false]);
    await finish();
  });

  it("that failed for good is finished when the person repeats it, or an operator its job, and its stream ends in the truth", async () => {
    const omar = aPerson(scene.tenant, 2);
    const mails = [aMail(scene.matterId), aMail(scene.matterId)];
    const save = (index: number) =>
      scene.save(mails[index]!, { key: `failing-${index}`, person: omar });
    const { id: fault } = scene.tenant.faults.arm({
      ...{ kind: "server-error", where: { part: "dataverse", method: "PATCH" } },
      options: { status: 400 },
    });
    const urls = [(await save(0)).json["statusUrl"], (await save(1)).json["statusUrl"]];
    await exhaust();
    const statuses = () =>
      Promise.all(urls.map(async (url) => (await scene.get(url, omar)).json["status"]));
    expect(await statuses()).toEqual(["Failed", "Failed"]);
    const before = scene.rows("sprk_document").length;
    const files = scene.files().length;
    scene.tenant.faults.disarm(fault);

    const again = await save(0);
    expect([again.status, again.json["duplicate"]]).toEqual([202, false]);
    expect(again.json["statusUrl"]).toBe(urls[0]);
    await exhaust();
    expect(await statuses()).toEqual(["Completed", "Failed"]);
    await replayAll();
    await exhaust();
    expect(await statuses()).toEqual(["Completed", "Completed"]);
    const events = await readStream(`${scene.app.url}${urls[1]}/stream`, omar.headers);
    expect(events.at(-1)).toMatchObject({ event: "job-complete", data: { progress: 100 } });
    expect((await save(1)).json["duplicate"]).toBe(true);
    expect(scene.rows("sprk_document").length).toBe(before + 6);
    expect(scene.files()).toHaveLength(files);
  });

  it("that arrives ten times at once is saved once; the others are told so", async () => {
    const mail = aMail(scene.matterId);
    const omar = aPerson(scene.tenant, 2);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => scene.save(mail, { key: "race", person: omar })),
    );
    await finish();
    const codes = answers.map(({ status, json }) => `${status} ${json["errorCode"] ?? ""}`.trim());
    expect(codes.filter((code) => code === "202")).toHaveLength(1);
    for (const code of codes)
      expect(["202", "200", "409 OFFICE_IDEMPOTENCY_CONFLICT"]).toContain(code);
    const saved = scene
      .rows("sprk_document")
      .filter(({ values }) => values["sprk_emailsubject"] === mail.email.subject);
    expect(saved).toHaveLength(1);
  });
});

describe("a refused save", () => {
  const person = () => aPerson(scene.tenant, 3);
  const aDocument = (more: object = {}, document: object = {}) => ({
    contentType: "Document",
    targetEntity: { entityType: "sprk_matter", entityId: scene.matterId },
    document: { fileName: "Draft.docx", contentBase64: base64("PK draft"), ...document },
    ...more,
  });
  const UNKNOWN = "00000000-0000-4000-8000-00000000dead";

  it("has its own code and leaves nothing behind [X-11] [OFF-13]", async () => {
    const before = [scene.rows("sprk_document").length, scene.files().length];
    const cases: [string, number, object][] = [
      ["OFFICE_001", 400, aDocument({ contentType: "Spreadsheet" })],
      ["OFFICE_002", 400, aDocument({ targetEntity: { entityType: "lead", entityId: UNKNOWN } })],
      ["OFFICE_003", 400, aDocument({ targetEntity: undefined })],
      ["OFFICE_006", 400, aDocument({}, { fileName: "run.exe" })],
      ["OFFICE_006", 400, aDocument({}, { contentBase64: base64("MZ program") })],
      [
        "OFFICE_007",
        404,
        aDocument({ targetEntity: { entityType: "sprk_matter", entityId: UNKNOWN } }),
      ],
      ["OFFICE_VALIDATION", 400, aDocument({}, { contentBase64: "not Base64!" })],
      ["OFFICE_VALIDATION", 400, aDocument({ document: undefined })],
    ];
    for (const [code, status, body] of cases) {
      const answer = await scene.save(body, { person: person() });
      expect([code, answer.status, answer.json["errorCode"]]).toEqual([code, status, code]);
      expect(answer.json).toMatchObject({
        type: expect.stringMatching(/^https:\/\/spaarke\.com\/errors\/office\//),
        correlationId: expect.any(String),
        instance: "/office/save",
      });
    }
    expect([scene.rows("sprk_document").length, scene.files().length]).toEqual(before);
  });

  it("tells a row that the caller cannot read from one that they can read but not save to", async () => {
    const { admin } = scene.tenant.dataverse;
    const limited = aPerson(scene.tenant, 4);
    admin.setScope(limited.user.id, "user");
    const body = aDocument();
    const hidden = await scene.save(body, { person: limited });
    expect([hidden.status, hidden.json["errorCode"]]).toEqual([404, "OFFICE_007"]);
    admin.share(limited.user.id, "sprk_matter", scene.matterId, ["ReadAccess"]);
    const readable = await scene.save(body, { person: limited });
    expect([readable.status, readable.json["errorCode"]]).toEqual([403, "OFFICE_009"]);
    admin.share(limited.user.id, "sprk_matter", scene.matterId, ["ReadAccess", "AppendToAccess"]);
    expect((await scene.save(body, { person: limited })).status).toBe(202);
    await finish();
  });
});

/** Runs what waits for its next attempt, until nothing does. */
async function exhaust(): Promise<void> {
  for (;;) {
    await finish();
    const { rowCount } = await scene.app.database.query(
      "UPDATE postroom.job SET due_at = postroom.now() WHERE is_open AND type = 'UploadFinalization'",
    );
    if (rowCount === 0) return;
  }
}

async function replayAll(): Promise<void> {
  const answer = await scene.app.server.inject({
    ...{ method: "POST", url: "/api/dlq/replay", payload: { all: true, why: "it works again" } },
    headers: { authorization: `Bearer ${scene.app.operatorKey}` },
  });
  expect(answer.statusCode).toBe(202);
  await until("the replay", async () => {
    const { body } = await scene.app.server.inject({
      url: answer.json().statusUrl,
      headers: { authorization: `Bearer ${scene.app.operatorKey}` },
    });
    return JSON.parse(body).finishedAt;
  });
}

async function driveItems() {
  const container = scene.tenant.drives.admin
    .containers()
    .find(({ id }) => id === scene.containerId)!;
  return [...container.drive.items.values()].filter((item) => !item.isFolder && !item.isDeleted);
}
