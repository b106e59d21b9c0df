import { ServiceBusClient } from "@azure/service-bus";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServiceBusPart } from "../../tenant/servicebus/service-bus-part.ts";
import { documentSettings } from "../documents/scene.ts";
import { anApp, type TestApp, until } from "../helpers/app.ts";
import { aBus, anOfficeScene, type OfficeScene } from "./scene.ts";

const QUEUE = "office-upload-finalization";

let bus: ServiceBusPart;
let client: ServiceBusClient;
let scene: OfficeScene;
let worker: TestApp;
beforeAll(async () => {
  bus = await aBus();
  client = new ServiceBusClient(bus.connectionString());
  scene = await anOfficeScene({ app: { roles: ["api"] } });
  worker = await anApp(
    scene.tenant,
    {
      ...documentSettings(scene.tenant),
      DATABASE_URL: scene.app.database.url,
      ServiceBus__ConnectionString: bus.connectionString(),
    },
    { roles: ["worker"] },
  );
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

const endOf = (jobId: string) =>
  until("the end of the job", async () => {
    const { rows } = await scene.app.database.query<{ state: string; error: string | null }>(
      "SELECT state, error_code AS error FROM postroom.job WHERE id = $1 AND NOT is_open",
      [jobId],
    );
    return rows[0];
  });

describe("a message of the source system", () => {
  it("makes a document of the announced file, as the app, and removes the announced one [OFF-01] [OFF-04] [OFF-05] [OFF-21]", async () => {
    const { json } = await scene.put("temp/announced.txt", "the statement");
    const jobId = await send(payload({ TempFileLocation: json["id"] }));
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

  it.each([
    ["names its file by a path", { TempFileLocation: "../../documents/Statement.txt" }],
    ["names another container", { TempFileLocation: "01ABC", ContainerId: `b!${"x".repeat(64)}` }],
    ["names a file that the container does not have", { TempFileLocation: "01MISSING" }],
    [
      "is linked to a row that does not exist",
      { TempFileLocation: "01ABC", AssociationId: "00000000-0000-4000-8000-00000000dead" },
    ],
  ])(
    "that %s is dead at once, with its reason, and changes nothing [OFF-10] [OFF-13]",
    async (_, more) => {
      const before = scene.files();
      const { state } = await endOf(await send(payload(more)));
      expect(state).toBe("Poisoned");
      expect(scene.files()).toEqual(before);
      const receiver = client.createReceiver(QUEUE, { subQueueType: "deadLetter" });
      const [dead] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 60_000 });
      expect(dead!.deadLetterReason).toMatch(
        /OFFICE_INVALID_DATA|job\.malformed|MaxAttempts|Invalid/,
      );
      await receiver.completeMessage(dead!);
      await receiver.close();
    },
  );
});
