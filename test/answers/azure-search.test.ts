import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { followDocuments } from "../../src/flows/specs/search.ts";
import { type AzureSearchServer, anAzureSearch } from "../servers/azure-search.ts";
import { installPackages } from "../servers/packages.ts";
import { type AnalysisScene, anAnalysisScene, SECRET } from "./analysis-scene.ts";

let service: AzureSearchServer;
let scene: AnalysisScene;
// biome-ignore lint/suspicious/noExplicitAny: the SDK is not among the packages that are checked.
let sdk: any;

beforeAll(async () => {
  const folder = await installPackages();
  const path = createRequire(`${folder}package.json`).resolve("@azure/search-documents");
  sdk = await import(pathToFileURL(path).href);
  service = await anAzureSearch();
  scene = await anAnalysisScene({
    ...{ EMBEDDING_MODEL: "test-embeddings", Search__Endpoint: service.url },
    ...{ Search__ApiKey: service.apiKey, Analysis__Enabled: "false" },
  });
});

const copies = (documentId: string) =>
  [...(service.indexes.get("postroom")?.rows.values() ?? [])]
    .filter((row) => row["documentId"] === documentId)
    .map(({ id }) => id);

/** Microsoft's SDK allows a plain address only if it is told to. */
const clientOf = (index: string, key = service.apiKey) =>
  new sdk.SearchClient(service.url, index, new sdk.AzureKeyCredential(key), {
    allowInsecureConnection: true,
    retryOptions: { maxRetries: 0 },
  });

async function found(index: string, text: string, options: object): Promise<string[]> {
  const { results } = await clientOf(index).search(text, { select: ["id"], ...options });
  const ids: string[] = [];
  for await (const { document } of results) ids.push(document.id);
  return ids;
}

describe("the stand-in for Azure AI Search", () => {
  it("serves Microsoft's own SDK, unmodified, and refuses what the service refuses", async () => {
    const key = new sdk.AzureKeyCredential(service.apiKey);
    const admin = new sdk.SearchIndexClient(service.url, key, { allowInsecureConnection: true });
    const fields = [
      { name: "id", type: "Edm.String", key: true },
      { name: "kind", type: "Edm.String", filterable: true },
      { name: "content", type: "Edm.String", searchable: true },
    ];
    await admin.createIndex({ name: "sdk", fields });
    const client = clientOf("sdk");
    const stored = await client.mergeOrUploadDocuments([
      { id: "a_1", kind: "pdf", content: "monthly rent" },
      { id: "b_1", kind: "txt", content: "monthly report" },
    ]);
    expect(stored.results).toMatchObject([{ succeeded: true }, { succeeded: true }]);
    expect(await found("sdk", "monthly", { filter: "kind eq 'pdf'" })).toEqual(["a_1"]);
    await client.deleteDocuments("id", ["a_1"]);
    expect(await client.getDocumentsCount()).toBe(1);
    const refused = (status: number) => ({ statusCode: status });
    const unknown = client.uploadDocuments([{ id: "c", nonsense: 1 }]);
    await expect(unknown).rejects.toMatchObject(refused(400));
    const badKey = client.uploadDocuments([{ id: "no spaces" }]);
    await expect(badKey).rejects.toMatchObject(refused(400));
    const unfilterable = found("sdk", "monthly", { filter: "content eq 'x'" });
    await expect(unfilterable).rejects.toMatchObject(refused(400));
    const lost = admin.createOrUpdateIndex({ name: "sdk", fields: fields.slice(0, 2) });
    await expect(lost).rejects.toMatchObject(refused(400));
    await expect(clientOf("sdk", "wrong").getDocumentsCount()).rejects.toMatchObject(refused(403));
    await expect(clientOf("none").getDocumentsCount()).rejects.toMatchObject(refused(404));
  });
});

describe("a document with Azure AI Search as the index", () => {
  it("is copied with its vector, and Microsoft's own SDK finds the copy by words and by vector", async () => {
    expect(copies(scene.own)).toEqual([`${scene.own}_0_v1`]);
    const row = service.indexes.get("postroom")!.rows.get(`${scene.own}_0_v1`)!;
    expect(row).toMatchObject({ tenantId: scene.tenant.tenantId, fileName: "lease.txt" });
    const filter = `documentId eq '${scene.own}'`;
    expect(await found("postroom", "monthly", { filter })).toEqual([`${scene.own}_0_v1`]);
    const vector = row["contentVector64"] as number[];
    expect(vector).toHaveLength(64);
    const queries = [
      { kind: "vector", vector, fields: ["contentVector64"], kNearestNeighborsCount: 1 },
    ];
    const near = await found("postroom", undefined!, { vectorSearchOptions: { queries } });
    expect(near).toEqual([`${scene.own}_0_v1`]);
  });

  it("is found by words and by meaning, and only by its readers [RAG-01] [RAG-06] [H-15]", async () => {
    const byWords = await scene.search(scene.nina, { q: "monthly rent", mode: "text" });
    expect(byWords.results[0]).toMatchObject({ documentId: scene.own });
    expect(byWords.results[0]!.passages[0]!.highlights.length).toBeGreaterThan(0);
    const dear = await scene.aDocument("flat.txt", "Our apartment is costly.", [scene.nina]);
    await scene.follow();
    for (const mode of ["hybrid", "vector"]) {
      const meant = await scene.search(scene.nina, { q: "expensive housing", mode });
      expect(meant.results[0]).toMatchObject({ documentId: dear });
    }
    const none = await scene.search(scene.nina, { q: "expensive housing", mode: "text" });
    expect(none.results).toEqual([]);
    const stranger = await scene.search(scene.nina, { q: SECRET });
    expect(stranger.results.map(({ documentId }) => documentId)).not.toContain(scene.others);
    const reader = await scene.search(scene.omar, { q: SECRET });
    expect(reader.results[0]).toMatchObject({ documentId: scene.others });
  });

  it("is found by the words of a question, whatever its signs mean to the service", async () => {
    const answer = await scene.search(scene.nina, { q: '-monthly +"rent" (lease)*', mode: "text" });
    expect(answer).toMatchObject({ status: 200, results: [{ documentId: scene.own }] });
    expect(await scene.search(scene.nina, { q: "(-)", mode: "text" })).toMatchObject({
      results: [],
    });
  });

  it("in a new version replaces its copy, and a deleted one or a deleted chunk leaves it [H-15]", async () => {
    const id = await scene.aDocument("note.txt", "Deposit of 500 euros.", [scene.nina]);
    await scene.follow();
    expect(copies(id)).toEqual([`${id}_0_v1`]);
    await scene.rewrite(id, "note.txt", "Deposit of 900 euros.");
    await scene.follow();
    expect(copies(id)).toEqual([`${id}_0_v2`]);
    await scene.app.answers!.rag.removeChunk(`${id}_0_v2`);
    expect(copies(id)).toEqual([]);
    await scene.rewrite(id, "note.txt", "Deposit of 700 euros.");
    await scene.follow();
    expect(copies(id)).toEqual([`${id}_0_v3`]);
    await scene.tenant.dataverse.admin.remove("sprk_document", id);
    await scene.follow();
    expect(copies(id)).toEqual([]);
  });

  it("that the service could not store is copied later, and what only the service holds is not shown", async () => {
    const id = await scene.aDocument("late.txt", "Zanzibar.", [scene.nina]);
    service.busyWith = "Zanzibar.";
    await scene.follow();
    service.busyWith = null;
    expect(copies(id)).toEqual([]);
    await scene.app.database.query("UPDATE postroom.job SET due_at = postroom.now() WHERE is_open");
    await scene.app.jobs.workUntilIdle();
    expect(copies(id)).toEqual([`${id}_0_v1`]);
    const found = await scene.search(scene.nina, { q: "zanzibar", mode: "text" });
    expect(found.count.documents).toBe(1);
    const { rows } = service.indexes.get("postroom")!;
    const copy = rows.get(`${id}_0_v1`)!;
    rows.set(`${id}_9_v9`, { ...copy, id: `${id}_9_v9`, content: "forged madagascar" });
    const forged = await scene.search(scene.nina, { q: "madagascar", mode: "text" });
    expect(forged.results).toEqual([]);
  });

  it("that was indexed before the service had an index is copied too, also if somebody deletes the index", async () => {
    const { database, jobs } = scene.app;
    service.indexes.delete("postroom");
    const job = { subjectId: "test", idempotencyKey: "copy-what-is-missing", payload: {} };
    await database.transaction((tx) => jobs.queue.add(tx, followDocuments, [job]));
    await jobs.workUntilIdle();
    expect(copies(scene.own)).toEqual([`${scene.own}_0_v1`]);
  });

  it("says that the service is down instead of finding nothing", async () => {
    service.failWith = 503;
    const answer = await scene.search(scene.nina, { q: "rent" });
    service.failWith = null;
    expect(answer).toMatchObject({ status: 502, errorCode: "search.unavailable" });
  });
});

describe("analyses that are turned off", () => {
  it("are refused with 503, in a stream and in the background", async () => {
    const documentId = scene.own;
    const streamed = await scene.execute(scene.nina, { documentIds: [documentId] });
    const queued = await scene.post(scene.nina, "/api/analysis/enqueue", { documentId });
    for (const answer of [streamed, queued])
      expect(answer.json()).toMatchObject({ status: 503, title: "Service Unavailable" });
    expect(scene.model.asked).toEqual([]);
  });
});
