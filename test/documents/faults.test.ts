import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sweepFilings } from "../../src/filing/sweep-filings.ts";
import { findJobs } from "../../src/jobs/status/job-status-table.ts";
import { aDocumentScene, type DocumentScene, WEBHOOK_SECRET } from "./scene.ts";

let scene: DocumentScene;
beforeAll(async () => {
  scene = await aDocumentScene({ app: { roles: ["intake", "api", "worker"] } });
});
beforeEach(() => scene.tenant.faults.disarm());

const arm = (kind: string, where: object, options: object = {}, remaining: number | null = 1) =>
  scene.tenant.faults.arm({ kind, where: where as never, options: options as never, remaining });

async function fileMail(subject: string): Promise<string> {
  const { id } = await scene.tenant.dataverse.admin.create("email", {
    subject,
    description: "text",
    actualend: "2026-02-17T10:00:00Z",
  });
  await scene.tenant.dataverse.admin.create("activitymimeattachment", {
    filename: "a.pdf",
    body: Buffer.from(`%PDF-1.4 ${subject}`).toString("base64"),
    "objectid_email@odata.bind": `/emails(${id})`,
  });
  await scene.app.server.inject({
    method: "POST",
    url: "/api/v1/emails/webhook-trigger",
    headers: { "content-type": "application/json", "x-ms-dynamics-msg-keyvalue": WEBHOOK_SECRET },
    payload: JSON.stringify({ PrimaryEntityId: id, PrimaryEntityName: "email" }),
  });
  await scene.app.jobs.workUntilIdle(60_000);
  return id;
}
const recordsOf = (name: string) =>
  scene.records().filter(({ values }) => String(values["sprk_documentname"]) === name);
const filesOf = (part: string) => scene.files().filter((path) => path.includes(part));
const jobOf = async (id: string) =>
  (await findJobs(scene.app.database, { subjectId: id, limit: 1 }))[0]!;

describe("a mail is one file and one record", () => {
  it("when the response to its upload is lost [MAIL2DOC-14] [H-07]", async () => {
    arm("lost-answer", { method: "PUT", path: "/v1.0/drives/*" });
    const id = await fileMail("Lost upload");
    expect((await jobOf(id)).status).toBe("Completed");
    expect(recordsOf("Lost upload")).toHaveLength(1);
    expect(filesOf("Lost_upload")).toHaveLength(1);
  });

  it("when the response to its record is lost [H-07]", async () => {
    arm("lost-answer", { method: "PATCH", path: "/api/data/v9.2/sprk_documents*" });
    await fileMail("Lost record");
    expect(recordsOf("Lost record")).toHaveLength(1);
  });

  it("when Dataverse throttles, and waiting uses up no attempt [R32]", async () => {
    arm("throttle", { part: "dataverse" }, { retryAfterSeconds: 1 }, 3);
    const id = await fileMail("Throttled");
    expect(await jobOf(id)).toMatchObject({ status: "Completed", attempt: 1 });
    expect(recordsOf("Throttled")).toHaveLength(1);
  });

  it("and has neither while its upload fails; the job is retried [MAIL2DOC-13] [DOC-07]", async () => {
    arm("server-error", { method: "PUT", path: "/v1.0/drives/*" }, { status: 500 }, null);
    const before = scene.records().length;
    const { id } = await scene.tenant.dataverse.admin.create("email", {
      subject: "Later",
      actualend: "2026-02-17T10:00:00Z",
    });
    await scene.app.server.inject({
      method: "POST",
      url: `/api/v1/emails/webhook-trigger?code=${WEBHOOK_SECRET}`,
      headers: { "content-type": "application/json" },
      payload: JSON.stringify({ PrimaryEntityId: id, PrimaryEntityName: "email" }),
    });
    await expect.poll(async () => (await jobOf(id)).attempt).toBeGreaterThan(1);
    expect(scene.records()).toHaveLength(before);
    scene.tenant.faults.disarm();
    await scene.app.jobs.workUntilIdle(60_000);
    expect(recordsOf("Later")).toHaveLength(1);
  }, 120_000);

  it("and a renamed column is reported by name immediately, without retries [R32]", async () => {
    arm(
      "server-error",
      { method: "PATCH", path: "/api/data/v9.2/sprk_documents*" },
      { status: 400 },
    );
    const id = await fileMail("Renamed");
    expect(await jobOf(id)).toMatchObject({
      status: "Poisoned",
      errorCode: "dataverse.rejected",
      attempt: 1,
    });
    const { rows } = await scene.app.database.query(
      "SELECT state, reason FROM postroom.filing WHERE path LIKE '%Renamed.eml'",
    );
    expect(rows).toEqual([
      { state: "refused", reason: expect.stringContaining("Dataverse answered 400") },
    ]);
  });
});

describe("the sweep", () => {
  const sweep = () => {
    const { filing, actors } = scene.app.documents!;
    const { clock, log } = scene.app;
    return sweepFilings({ ...filing, actors, clock, log });
  };
  const age = (path: string) =>
    scene.app.database.query(
      "UPDATE postroom.filing SET changed_at = changed_at - interval '2 days', created_at = created_at - interval '2 days', checked_at = NULL WHERE path = $1",
      [path],
    );
  const stateOf = async (path: string) =>
    (
      await scene.app.database.query<{ state: string }>(
        "SELECT state FROM postroom.filing WHERE path = $1",
        [path],
      )
    ).rows[0]?.state ?? null;

  it("writes the record that failed because Dataverse was down, on behalf of the sender [H-07]", async () => {
    arm("server-error", { part: "dataverse", method: "PATCH" }, { status: 503 }, 4);
    const answer = await scene.put("documents/unlinked.txt", "x", { query: "?record=true" });
    expect(answer.status).toBe(502);
    expect(recordsOf("unlinked.txt")).toEqual([]);
    scene.tenant.faults.disarm();
    await age("documents/unlinked.txt");
    expect(await sweep()).toMatchObject({ finished: 1 });
    const [record] = recordsOf("unlinked.txt");
    expect(record!.values["createdby"]).toMatchObject({
      id: scene.tenant.dataverse.admin.userIdOf(scene.nina.user.id),
    });
  });

  it("finds a file whose process died before storing the result, and removes uploads that never arrived [H-07]", async () => {
    await scene.put("documents/unsaid.txt", "x", { query: "?record=true" });
    await scene.app.database.query(
      "UPDATE postroom.filing SET state = 'pending', item_id = NULL, web_url = NULL WHERE path = 'documents/unsaid.txt'",
    );
    await scene.put("documents/never.txt", "x");
    await scene.app.database.query(
      "UPDATE postroom.filing SET state = 'pending', item_id = NULL, path = 'documents/never-came.txt' WHERE path = 'documents/never.txt'",
    );
    await age("documents/unsaid.txt");
    await age("documents/never-came.txt");
    await scene.app.database.query(
      "UPDATE postroom.filing SET created_at = created_at - interval '1 day' WHERE path = 'documents/unsaid.txt'",
    );
    expect(await sweep()).toMatchObject({ finished: 1, forgotten: 1 });
    expect(await stateOf("documents/unsaid.txt")).toBe("recorded");
    expect(recordsOf("unsaid.txt")).toHaveLength(1);
    expect(await stateOf("documents/never-came.txt")).toBeNull();
  });

  it("reports a record without its file, a file without its record, and a file that never had one [H-07]", async () => {
    const paths = ["documents/file-gone.txt", "documents/record-gone.txt"];
    const [one, two] = await Promise.all(
      paths.map((path) => scene.put(path, "x", { query: "?record=true" })),
    );
    await scene.put("documents/no-record.txt", "x");
    await scene.app.documents!.actors.app.drives.remove(scene.containerId, String(one!.json["id"]));
    await scene.tenant.dataverse.admin.remove("sprk_document", String(two!.json["documentId"]));
    for (const path of [...paths, "documents/no-record.txt"]) await age(path);
    expect((await sweep()).reported).toBe(3);
    expect(await stateOf(paths[0]!)).toBe("missing");
    expect(await stateOf(paths[1]!)).toBe("refused");
    expect(await stateOf("documents/no-record.txt")).toBe("refused");
    const { body } = await scene.app.server.inject({
      url: "/metrics",
      headers: { authorization: `Bearer ${scene.app.operatorKey}` },
    });
    expect(body).toContain('postroom_filings{state="missing",source="upload"} 1');
  });
});
