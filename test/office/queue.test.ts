import { ServiceBusClient } from "@azure/service-bus";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  officeDeepAnalysis,
  officeIndexing,
  officeProfile,
  uploadFinalization,
} from "../../src/flows/specs/office.ts";
import { hasLiveWorker } from "../../src/jobs/worker-table.ts";
import { armKillPoint } from "../../src/lib/kill-points.ts";
import type { ServiceBusPart } from "../../tenant/servicebus/service-bus-part.ts";
import { documentSettings } from "../documents/scene.ts";
import { anApp, type TestApp, until } from "../helpers/app.ts";
import { aBus, aMail, anOfficeScene, type OfficeScene } from "./scene.ts";

const QUEUE = "office-upload-finalization";

let bus: ServiceBusPart;
let client: ServiceBusClient;
let scene: OfficeScene;
let worker: TestApp;
beforeAll(async () => {
  bus = await aBus();
  client = new ServiceBusClient(bus.connectionString());
  const settings = { ServiceBus__ConnectionString: bus.connectionString() };
  scene = await anOfficeScene({ app: { roles: ["api"] }, settings });
  const shared = { ...documentSettings(scene.tenant), DATABASE_URL: scene.app.database.url };
  worker = await anApp(scene.tenant, { ...shared, ...settings }, { roles: ["worker"] });
});
afterAll(async () => {
  await worker?.stop();
  await client?.close();
  await bus?.stop();
});

let sent = 0;

/** As the source system writes it: names with capitals, the payload as text. */
async function send(payload: object, more: object = {}): Promise<string> {
  sent += 1;
  const JobId = `0198a2b4-7c1d-4e55-9a10-${String(sent).padStart(12, "0")}`;
  const body = {
    ...{ JobId, JobType: "UploadFinalization", SubjectId: "s", CorrelationId: `trace-${sent}` },
    ...{
      IdempotencyKey: `${JobId}-upload`,
      Attempt: 1,
      MaxAttempts: 3,
      UserId: scene.nina.user.id,
    },
    Payload: JSON.stringify(payload),
    CreatedAt: "2026-02-17T10:00:00Z",
    ...more,
  };
  await client.createSender(QUEUE).sendMessages({ body, contentType: "application/json" });
  return JobId;
}

const payload = (more: object = {}) => ({
  ContentType: "Attachment",
  AssociationType: "sprk_matter",
  AssociationId: scene.matterId,
  ContainerId: scene.containerId,
  FileName: "Statement.txt",
  FileSize: 12,
  EmailMetadata: { Subject: "Statement", SenderEmail: "ada@clients.example" },
  ...more,
});

let announced = 0;

/** Another program puts a file into the container. */
function announce(text: string, containerId = scene.containerId): string {
  announced += 1;
  const path = `temp/announced-${announced}.txt`;
  return scene.tenant.drives.admin.putFile(containerId, path, Buffer.from(text)).id;
}

const anotherContainer = () => scene.tenant.drives.admin.createContainer({}).id;

/** Ends the message that is dead, and says why it is. */
async function reasonOfDead(): Promise<{ reason?: string; description?: string }> {
  const receiver = client.createReceiver(QUEUE, { subQueueType: "deadLetter" });
  const [dead] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 60_000 });
  await receiver.completeMessage(dead!);
  await receiver.close();
  const { deadLetterReason: reason, deadLetterErrorDescription: description } = dead!;
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(description === undefined ? {} : { description }),
  };
}

const endOf = (jobId: string) =>
  until("the end of the job", async () => {
    const { rows } = await scene.app.database.query<{ state: string; error: string | null }>(
      "SELECT state, error_code AS error FROM postroom.job WHERE id = $1 AND NOT is_open",
      [jobId],
    );
    return rows[0];
  });

const untilSaved = (saveId: string) =>
  until("the end of the save", async () => {
    const { rows } = await scene.app.database.query<{ state: string }>(
      `SELECT state FROM postroom.job
        WHERE type = 'UploadFinalization' AND subject_id = $1 AND state = 'Completed'`,
      [saveId],
    );
    return rows[0];
  });

describe("a host with workers", () => {
  it("works on all four types of job from its start, with one handler for each [OFF-01] [OFF-21]", async () => {
    const wanted = [uploadFinalization, officeProfile, officeIndexing, officeDeepAnalysis];
    for (const { type } of wanted)
      expect([type, await hasLiveWorker(scene.app.database, type)]).toEqual([type, true]);
    const types = worker.jobs.handlers.map(({ spec }) => spec.type);
    expect(new Set(types).size).toBe(types.length);
  });
});

describe("a message of the source system", () => {
  it("makes a document of the announced file, as the app, and removes the announced one [OFF-01] [OFF-04] [OFF-05]", async () => {
    const jobId = await send(payload({ TempFileLocation: announce("the statement") }));
    expect(await endOf(jobId)).toEqual({ state: "Completed", error: null });
    expect(scene.files()).toEqual(["documents/Statement.txt"]);
    const [record] = scene.rows("sprk_document");
    expect(record!.values).toMatchObject({
      sprk_filename: "Statement.txt",
      sprk_matter: { id: scene.matterId },
    });
    // The user that the message names has done nothing here.
    const nina = scene.tenant.dataverse.admin.userIdOf(scene.nina.user.id);
    expect(record!.values["createdby"]).not.toMatchObject({ id: nina });
    expect(scene.rows("sprk_attachmentartifact")).toMatchObject([
      { values: { sprk_document: { id: record!.id }, sprk_size: 13 } },
    ]);
  });

  const UNKNOWN = "00000000-0000-4000-8000-00000000dead";
  const at = (TempFileLocation: string) => () => payload({ TempFileLocation });

  it.each([
    ["names its file by a path", at("../../documents/Statement.txt"), "must be the id of an item"],
    ["names its file by a path on the disk", at("/etc/passwd"), "must be the id of an item"],
    [
      "names its file by an address",
      at("https://files.example/Statement.txt"),
      "must be the id of an item",
    ],
    [
      "names another container",
      () => payload({ TempFileLocation: "01ABC", ContainerId: `b!${"x".repeat(64)}` }),
      "the message names a container that is not ours",
    ],
    [
      "names a file that the container does not have",
      at("01MISSING"),
      "the container has no such file",
    ],
    [
      "names a file of another container",
      () => payload({ TempFileLocation: announce("x", anotherContainer()) }),
      "the container has no such file",
    ],
    [
      "is linked to a row that does not exist",
      () => payload({ TempFileLocation: announce("linked"), AssociationId: UNKNOWN }),
      `there is no sprk_matter ${UNKNOWN}`,
    ],
    [
      "leaves its folder",
      () => payload({ TempFileLocation: announce("folder"), FolderPath: "documents/../.." }),
      "folderPath",
    ],
    [
      "announces a program",
      () => payload({ TempFileLocation: announce("MZ program") }),
      "this type of file is blocked",
    ],
    [
      "claims to be a save",
      async () => ({ saveId: await anInterruptedSave() }),
      "there is no such save",
    ],
  ] as const)(
    "that %s is dead at once, with its reason, and changes nothing [OFF-10] [OFF-13]",
    async (_, make, reason) => {
      const body = await make();
      const before = [scene.files(), scene.rows("sprk_document").length];
      expect(await endOf(await send(body))).toEqual({
        ...{ state: "Poisoned", error: "OFFICE_INVALID_DATA" },
      });
      expect([scene.files(), scene.rows("sprk_document").length]).toEqual(before);
      expect(await reasonOfDead()).toEqual({
        ...{ reason: "OFFICE_INVALID_DATA", description: expect.stringContaining(reason) },
      });
    },
  );

  it("that names the document of a person neither copies nor removes it", async () => {
    const { json } = await scene.save(aMail(scene.matterId));
    await untilSaved(json["jobId"]);
    const files = scene.files();
    const [record] = scene
      .rows("sprk_document")
      .filter(({ values }) => values["sprk_emailsubject"]);
    const another = await scene.aMatter();
    const TempFileLocation = record!.values["sprk_graphitemid"];
    const foreign = announce("recorded by another program");
    await scene.tenant.dataverse.admin.create("sprk_document", {
      ...{ sprk_graphitemid: foreign, sprk_graphdriveid: scene.containerId },
    });
    for (const location of [TempFileLocation, foreign]) {
      const stolen = payload({ TempFileLocation: location, AssociationId: another });
      expect(await endOf(await send(stolen))).toMatchObject({ error: "OFFICE_INVALID_DATA" });
      expect((await reasonOfDead()).description).toContain("a document already");
    }
    expect(scene.files()).toEqual(expect.arrayContaining(files));
    expect(record!.values["sprk_matter"]).toMatchObject({ id: scene.matterId });
  });

  it("that calls itself like a person's save does not reach its rows", async () => {
    const { json } = await scene.save(aMail(scene.matterId));
    await untilSaved(json["jobId"]);
    const { artifact } = (await scene.get(json["statusUrl"])).json["result"];
    const mine = () =>
      scene
        .rows("sprk_emailartifact")
        .filter(
          ({ values }) => (values["sprk_document"] as { id: string } | null)?.id === artifact.id,
        );
    const before = JSON.stringify(mine());
    const another = await scene.aMatter();
    await send(
      payload({
        ...{ ContentType: "Email", AssociationId: another, TempFileLocation: announce("a mail") },
        EmailMetadata: { Subject: "Forged", SentDate: "2026-02-17T10:00:00Z" },
      }),
      { JobId: json["jobId"] },
    );
    expect(await endOf(json["jobId"])).toMatchObject({ state: "Completed" });
    expect(JSON.stringify(mine())).toBe(before);
  });
});

/** A save whose files are on the drive and whose request died before its job was added. */
async function anInterruptedSave(): Promise<string> {
  const disarm = armKillPoint("office.files-stored", () => {
    throw new Error("the server is gone");
  });
  expect((await scene.save(aMail(scene.matterId))).status).toBe(500);
  disarm();
  const { rows } = await scene.app.database.query<{ id: string }>(
    "SELECT id FROM postroom.office_save WHERE job_id IS NULL",
  );
  return rows[0]!.id;
}
