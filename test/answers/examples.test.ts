/** The examples of operations that need a model, an index, or something that was saved from Office. */
import { beforeAll, describe, expect, it } from "vitest";
import { aPerson } from "../documents/scene.ts";
import { until } from "../helpers/app.ts";
import { type Given, sendExamples } from "../helpers/examples.ts";
import { type AnalysisScene, anAnalysisScene } from "./analysis-scene.ts";

const KEY = "a-secret-key-of-a-program-that-indexes";
const GROUPS = ["/office/", "/api/v1/emails/", "/api/ai/", "/api/analysis/"];

let scene: AnalysisScene;
let headers: { authorization: string };

beforeAll(async () => {
  scene = await anAnalysisScene({ EMBEDDING_MODEL: "test-embeddings", Rag__ApiKey: KEY });
  const { tenant } = scene;
  Object.assign(tenant.users[1]!, { appRoles: { [tenant.apps[1]!.appId]: ["Postroom.Admin"] } });
  tenant.dataverse.admin.setScope(tenant.users[1]!.id, "organization");
  headers = aPerson(tenant, 1).headers;
  scene.recover();
});

async function post(url: string, payload: object) {
  const { server } = scene.app;
  const answer = await server.inject({ method: "POST", url, payload, headers });
  expect(answer.statusCode, `${url}: ${answer.body}`).toBeLessThan(300);
  return answer;
}

/** A document that was saved from Office, and the job that saved it. */
async function seedSave() {
  const entityId = await scene.aMatter({ sprk_name: "Brown v. Smith" });
  const contentBase64 = Buffer.from("a fee note").toString("base64");
  const targetEntity = { entityType: "sprk_matter", entityId };
  const answer = await post("/office/save", {
    ...{ contentType: "Document", targetEntity, document: { fileName: "fee.txt", contentBase64 } },
  });
  const { jobId, statusUrl } = answer.json() as { jobId: string; statusUrl: string };
  const documentId = await until("the saved document", async () => {
    await scene.app.jobs.workUntilIdle();
    const job = await scene.app.server.inject({ url: statusUrl, headers });
    return (job.json().result?.artifact.id as string | undefined) ?? null;
  });
  return { entityId, jobId, documentId };
}

async function seed(): Promise<Readonly<Record<string, Given>>> {
  const { entityId, jobId, documentId } = await seedSave();
  const { jobId: batch } = (
    await post("/api/v1/emails/admin/batch-process", { since: "2026-01-01", until: "2026-01-31" })
  ).json() as { jobId: string };
  const playbook = { documentIds: [scene.own], playbookId: "contract-key-terms" };
  const { body: stream } = await post("/api/ai/analysis/execute", playbook);
  const [, analysisId = ""] = /"analysisId":"([^"]+)"/.exec(stream) ?? [];
  const id = (value: string): Given => ({ params: { id: value } });
  const analysis = id(analysisId);
  const { tenantId } = scene.tenant;
  const one = { documentId: scene.own, tenantId };
  const many: Given = { body: { documentIds: [scene.own], tenantId } };
  const file = scene.tenant.dataverse.admin
    .rows("sprk_document")
    .find((row) => row.id === scene.own)!.values;
  return {
    saveFromOffice: {
      body: {
        contentType: "Document",
        targetEntity: { entityType: "sprk_matter", entityId },
        document: { fileName: "Draft.docx", contentBase64: "UEsDBA==" },
      },
    },
    ...{ getOfficeJob: id(jobId), streamOfficeJob: id(jobId), findOfficeAnalyses: id(jobId) },
    shareOfficeLinks: { body: { documentIds: [documentId] } },
    shareOfficeAttachment: { body: { documentId } },
    getEmailBatch: id(batch),
    executeAnalysis: { body: playbook },
    ...{ continueAnalysis: analysis, resumeAnalysis: analysis, getAnalysis: analysis },
    ...{ exportAnalysis: analysis, saveAnalysis: analysis },
    enqueueAnalysis: { body: { documentId: scene.own, playbookId: "document-profile" } },
    ragSearch: { body: { query: "monthly rent", options: { tenantId } } },
    ragIndex: { body: one },
    ragIndexFile: {
      body: { ...one, driveId: scene.containerId, itemId: String(file["sprk_graphitemid"]) },
    },
    ...{ ragIndexBatch: many, ragSendToIndex: many },
    ragEnqueueIndexing: { body: one, headers: { "x-api-key": KEY } },
    ragBulkIndex: { body: { tenantId } },
    ragDeleteChunk: { params: { chunkId: `${scene.own}_0_v1` } },
    ragDeleteSource: { params: { documentId: scene.own } },
  };
}

describe("the example of every operation of Office, e-mails, analyses and the index", () => {
  it("is sent and answered as the description declares", async () => {
    const { sent, wrong } = await sendExamples({
      ...{ app: scene.app, headers, given: await seed() },
      isSent: (path) => GROUPS.some((start) => path.startsWith(start)),
      // What others read is removed last, the chunk before its document.
      lastnessOf: ({ method, operation }) =>
        method !== "delete" ? 0 : operation.operationId === "ragDeleteChunk" ? 1 : 2,
      // One request a minute, so that no limit is met.
      before: () => scene.clock.skip(61_000),
    });
    expect(wrong).toEqual({});
    expect(sent.length).toBeGreaterThan(31);
  });
});
