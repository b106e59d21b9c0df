/** What happens to a saved document afterwards: its profile, its place in the index, and a deep analysis. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { officeIndexing, officeProfile } from "../../src/flows/specs/office.ts";
import { LEASE, PROFILE_ANSWER } from "../answers/analysis-scene.ts";
import {
  aModelServer,
  completion,
  type ModelServer,
  sendJson,
  sendPieces,
} from "../answers/model-server.ts";
import { anOfficeScene, base64, type OfficeScene } from "./scene.ts";

/** The value of the record's status column. */
const FAILED = 100000004;

let scene: OfficeScene;
let model: ModelServer;
beforeAll(async () => {
  model = await aModelServer();
  scene = await anOfficeScene({
    settings: {
      MODEL_BASE_URL: model.url,
      MODEL_API_KEY: "a-key-for-tests",
      MODEL_NAME: "test-model",
    },
  });
});
beforeEach(() => {
  model.answer = (response, { stream }) =>
    stream
      ? sendPieces(response, ["The rent ", "is 4,200 euros."], "stop")
      : sendJson(response, completion(JSON.stringify(PROFILE_ANSWER)));
});

let saved = 0;

/** Of the last save. */
let statusUrl: string;

/** Saves a lease and returns the id that its document gets. */
async function saveLease(aiOptions: object): Promise<string> {
  saved += 1;
  const { json } = await scene.save({
    contentType: "Document",
    targetEntity: { entityType: "sprk_matter", entityId: scene.matterId },
    document: { fileName: `Lease ${saved}.txt`, contentBase64: base64(`${LEASE} No. ${saved}.`) },
    aiOptions: { profileSummary: false, ragIndex: false, ...aiOptions },
  });
  await scene.app.jobs.workUntilIdle();
  statusUrl = json["statusUrl"];
  const { json: job } = await scene.get(statusUrl);
  expect(job["status"]).toBe("Completed");
  return job["result"].artifact.id;
}

const record = (id: string) => scene.tenant.dataverse.admin.get("sprk_document", id)!.values;

async function jobOf(documentId: string, type: string) {
  const { rows } = await scene.app.database.query(
    `SELECT id, key, state, is_open AS "isOpen", note, error_code AS "errorCode" FROM postroom.job
      WHERE subject_id = $1 AND type = $2`,
    [documentId, type],
  );
  return rows[0]!;
}

/** Runs what waits for its next attempt, until nothing does. */
async function exhaust(documentId: string, type: string): Promise<void> {
  while ((await jobOf(documentId, type))["isOpen"]) {
    await scene.app.database.query("UPDATE postroom.job SET due_at = postroom.now() WHERE is_open");
    await scene.app.jobs.workUntilIdle();
  }
}

describe("a document saved from Office", () => {
  it("gets a profile with summary, keywords and type on its record [JOB-14] [OFF-01] [OFF-16]", async () => {
    const id = await saveLease({ profileSummary: true });
    expect(record(id)).toMatchObject({
      sprk_filesummary: PROFILE_ANSWER.summary,
      sprk_filekeywords: "lease, rent",
      sprk_extractdocumenttype: "Contract",
      sprk_filesummarystatus: 100000002,
    });
    expect(await jobOf(id, "Profile")).toMatchObject({
      ...{ state: "Completed", note: "Document Profile by test-model" },
      key: expect.stringMatching(new RegExp(`^analysis-${id}-Document Profile-\\d+$`)),
    });
  });

  it("is indexed by its drive, item, name and tenant, and the log says how many chunks and how long [JOB-13] [OFF-01] [OFF-18]", async () => {
    const id = await saveLease({ ragIndex: true });
    const { rows } = await scene.app.database.query(
      `SELECT drive_id AS "driveId", item_id AS "itemId", name, tenant_id AS "tenantId"
         FROM postroom.indexed_document WHERE document_id = $1`,
      [id],
    );
    const { sprk_graphitemid: itemId } = record(id);
    expect(rows).toEqual([
      {
        ...{ driveId: scene.containerId, itemId, tenantId: scene.tenant.tenantId },
        name: record(id)["sprk_filename"],
      },
    ]);
    const line = scene.app.logLines.find(
      ({ documentId, msg }) => documentId === id && msg === "a saved document was indexed",
    );
    expect(line).toMatchObject({ chunks: 1, tookMs: expect.any(Number) });
    expect((await jobOf(id, "Indexing"))["key"]).toMatch(new RegExp(`^doc-${id}-v\\d+$`));
  });

  it("gets a deep analysis only if asked, which belongs to the person who saved it [OFF-01]", async () => {
    const id = await saveLease({ deepAnalysis: true });
    const { id: jobId } = await jobOf(id, "DeepAnalysis");
    const url = `/api/ai/analysis/${jobId}`;
    expect(await scene.get(url)).toMatchObject({
      ...{ status: 200, json: { documentId: id, content: "The rent is 4,200 euros." } },
    });
    expect((await scene.get(url, scene.omar)).status).toBe(404);
    expect(record(id)["sprk_filesummary"] ?? null).toBeNull();
    const without = await saveLease({ profileSummary: true });
    expect(await jobOf(without, "DeepAnalysis")).toBeUndefined();
  });
});

describe("the deep analyses of a save", () => {
  const analyses = async (person = scene.nina) => {
    const { status, json } = await scene.get(`${statusUrl}/analyses`, person);
    return status === 200 ? json["analyses"] : json["errorCode"];
  };

  it("are shown to the person who saved, as long as that person may read the document", async () => {
    const documentId = await saveLease({ deepAnalysis: true });
    const written = [
      {
        ...{ documentId, name: `Lease ${saved}.txt`, state: "completed", author: "test-model" },
        ...{ content: "The rent is 4,200 euros.", error: null },
      },
    ];
    expect(await analyses()).toEqual(written);
    expect(await analyses(scene.omar)).toBe("OFFICE_008");
    const { admin } = scene.tenant.dataverse;
    admin.setScope(scene.nina.user.id, "user");
    expect(await analyses()).toEqual(written);
    await admin.update("sprk_document", documentId, {
      "ownerid@odata.bind": `/systemusers(${admin.userIdOf(scene.omar.user.id)})`,
    });
    expect(await analyses()).toEqual([]);
    admin.share(scene.nina.user.id, "sprk_document", documentId, ["ReadAccess"]);
    expect(await analyses()).toEqual(written);
    admin.setScope(scene.nina.user.id, "organization");
  });

  it("are none if the save did not ask for them", async () => {
    await saveLease({ profileSummary: true });
    expect(await analyses()).toEqual([]);
  });

  it("wait after a failed attempt and fail after the last, and show nothing of what it wrote", async () => {
    model.answer = (response) => sendPieces(response, ["The rent is 9,999 euros."], "stop");
    const documentId = await saveLease({ deepAnalysis: true });
    const about = { documentId, content: "", error: "model.bad-answer" };
    expect(await analyses()).toMatchObject([{ ...about, state: "waiting" }]);
    await exhaust(documentId, "DeepAnalysis");
    expect(await analyses()).toMatchObject([{ ...about, state: "failed" }]);
  });
});

describe("a failure after a save", () => {
  const fail = (part: string, method: string) => () => {
    const where = { part, method };
    const { id } = scene.tenant.faults.arm({ kind: "server-error", where });
    return () => scene.tenant.faults.disarm(id);
  };
  const failModel = () => {
    model.answer = (response) => sendJson(response, completion('{"summary":1}'));
    return () => {};
  };
  const about = (documentId: string) => ({
    ...{ subjectId: documentId, idempotencyKey: `again-${documentId}`, payload: { documentId } },
  });

  it.each([
    ["a profile with a bad result", officeProfile, failModel, FAILED],
    ["a profile that throws", officeProfile, fail("dataverse", "PATCH"), null],
    ["an index that throws", officeIndexing, fail("dataverse", "GET"), null],
  ] as const)(
    "%s is tried again, then a warning: the job succeeds and the document stands [OFF-17] [OFF-19]",
    async (_, spec, begin, status) => {
      const id = await saveLease({});
      const end = begin();
      await scene.app.database.transaction((tx) => scene.app.jobs.queue.add(tx, spec, [about(id)]));
      await scene.app.jobs.workUntilIdle();
      expect(await jobOf(id, spec.type)).toMatchObject({
        ...{ isOpen: true, errorCode: "OFFICE_UNEXPECTED" },
      });
      await exhaust(id, spec.type);
      end();
      expect(await jobOf(id, spec.type)).toMatchObject({
        ...{ state: "Completed", note: expect.stringMatching(/^warning: /) },
      });
      expect(scene.app.logLines).toContainEqual(
        expect.objectContaining({ level: "warn", documentId: id, jobType: spec.type }),
      );
      expect(record(id)["sprk_filesummarystatus"] ?? null).toBe(status);
    },
  );
});
