import { beforeAll, describe, expect, it } from "vitest";
import { pollEmails, processEmailToDocument } from "../../src/flows/specs/documents.ts";
import { findJobs } from "../../src/jobs/status/job-status-table.ts";
import { anApp, type TestApp } from "../helpers/app.ts";
import { aDocumentScene, type DocumentScene, documentSettings, WEBHOOK_SECRET } from "./scene.ts";

let scene: DocumentScene;
let other: TestApp;

beforeAll(async () => {
  scene = await aDocumentScene({ app: { roles: ["intake", "api", "worker"] } });
  const settings = { ...documentSettings(scene.tenant), DATABASE_URL: scene.app.database.url };
  other = await anApp(scene.tenant, settings, { roles: ["worker"] });
});

const anEmail = async (subject: string, more: object = {}): Promise<string> => {
  const values = { subject, description: "text", statecode: 1, statuscode: 4 };
  return (await scene.tenant.dataverse.admin.create("email", { ...values, ...more })).id;
};

let polls = 0;
const poll = async (app: TestApp) => {
  polls += 1;
  const job = { subjectId: "poll", idempotencyKey: `poll-${polls}`, payload: {} };
  await app.database.transaction((tx) => app.jobs.queue.add(tx, pollEmails, [job]));
};

const announce = (emailId: string) =>
  scene.app.server.inject({
    method: "POST",
    url: "/api/v1/emails/webhook-trigger",
    headers: { "content-type": "application/json", "x-ms-dynamics-msg-keyvalue": WEBHOOK_SECRET },
    payload: JSON.stringify({ PrimaryEntityId: emailId, PrimaryEntityName: "email" }),
  });

const idle = async () => {
  await scene.app.jobs.workUntilIdle();
  await other.jobs.workUntilIdle();
};
const recordsOf = (emailId: string) =>
  scene
    .records()
    .filter(({ values }) => (values["sprk_email"] as { id: string } | null)?.id === emailId);
const jobsOf = (subjectId: string) =>
  findJobs(scene.app.database, { subjectId, type: processEmailToDocument.type, limit: 10 });

const headers = () => ({ authorization: `Bearer ${scene.app.operatorKey}` });
const call = (method: "GET" | "POST", url: string, payload?: object) =>
  scene.app.server.inject({
    ...{ method, url, headers: headers() },
    ...(payload === undefined ? {} : { payload }),
  });

describe("the search for e-mails that no webhook announced", () => {
  it("files them, leaves drafts and what is done alone, and does not repeat a failure [X-13]", async () => {
    const missed = await anEmail("Missed");
    const draft = await anEmail("Draft", { statecode: 0, statuscode: 1 });
    const done = await anEmail("Done", { sprk_documentprocessingstatus: 100000001 });
    await scene.tenant.dataverse.admin.create("sprk_emailprocessingrule", {
      ...{ sprk_name: "Nowhere", sprk_ruletype: 2, sprk_isactive: true, sprk_priority: 1 },
      ...{ sprk_targetfield: "subject", sprk_pattern: "^broken$" },
      sprk_criteriajson: JSON.stringify({ parent: "no row" }),
    });
    for (const app of [scene.app, other]) app.documents!.rules.forget();
    const broken = await anEmail("Broken");
    await poll(scene.app);
    await idle();
    await poll(scene.app);
    await idle();
    expect(recordsOf(missed)).toHaveLength(1);
    expect([await jobsOf(draft), await jobsOf(done)]).toEqual([[], []]);
    expect(await jobsOf(broken)).toMatchObject([{ status: "Poisoned", errorCode: "settings.bad" }]);
  });

  it("races the webhook on two workers, and each e-mail is one job and one document [MAIL2DOC-08] [MAIL2DOC-14] [X-13]", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push(await anEmail(`Race ${n}`));
    await Promise.all([
      poll(scene.app),
      ...ids.map((id) => announce(id)),
      poll(other),
      ...ids.map((id) => announce(id)),
    ]);
    await idle();
    for (const id of ids) {
      expect(await jobsOf(id)).toMatchObject([{ status: "Completed" }]);
      expect(recordsOf(id)).toHaveLength(1);
    }
    const { rows } = await scene.app.database.query(
      "SELECT 1 FROM postroom.job WHERE lease_owner IS NOT NULL",
    );
    expect(rows).toEqual([]);
  });

  it("is on a schedule of five minutes, unless it is switched off [X-13]", async () => {
    const { rows } = await scene.app.database.query(
      "SELECT rule FROM postroom.job_schedule WHERE name = 'poll-emails'",
    );
    expect(rows).toEqual([{ rule: "every 5m" }]);
    const settings = { EmailProcessing__EnablePolling: "false" };
    const quiet = await anApp(
      scene.tenant,
      { ...documentSettings(scene.tenant), ...settings },
      { roles: ["worker"] },
    );
    expect(quiet.documents!.schedules.map(({ name }) => name)).not.toContain("poll-emails");
  });
});

describe("a batch of e-mails", () => {
  const BATCH = "/api/v1/emails/admin/batch-process";

  it("counts, then files a time range and shows its progress [X-13]", async () => {
    const emailId = await anEmail("Of the batch");
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const dry = await call("POST", BATCH, { since, dryRun: true });
    expect(dry.json()).toMatchObject({ dryRun: true, found: expect.any(Number) });
    expect(await jobsOf(emailId)).toEqual([]);
    const begun = (await call("POST", BATCH, { since })).json();
    await idle();
    const status = (await call("GET", begun.statusUrl)).json();
    expect(status).toMatchObject({ jobId: begun.jobId, status: "Completed", open: 0 });
    expect(status.found).toBeGreaterThan(0);
    expect(recordsOf(emailId)).toHaveLength(1);
  });

  it.each([
    ["more than a year", { since: "2020-01-01" }, 422],
    ["a range in the future", { since: "2026-01-01", until: "2999-01-01" }, 422],
    ["no time", {}, 400],
  ])("with %s is refused", async (_what, body, status) => {
    expect((await call("POST", BATCH, body)).statusCode).toBe(status);
  });

  it("that does not exist, or whose id is no GUID, has no status", async () => {
    expect((await call("GET", `${BATCH}/x/status`)).statusCode).toBe(400);
    const unknown = "00000000-0000-4000-8000-000000000000";
    expect((await call("GET", `${BATCH}/${unknown}/status`)).statusCode).toBe(404);
  });
});
