import type { ServerResponse } from "node:http";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { followDocuments } from "../../src/flows/specs/search.ts";
import type { Person } from "../documents/scene.ts";
import { until } from "../helpers/app.ts";
import { type AnalysisScene, anAnalysisScene, SECRET } from "./analysis-scene.ts";
import { embed, sendVectors } from "./model-server.ts";

let scene: AnalysisScene;
let tenantId: string;
let operator: Person;
const KEY = "a-secret-key-of-a-program-that-indexes";

beforeAll(async () => {
  scene = await anAnalysisScene({
    ...{ EMBEDDING_MODEL: "test-embeddings", Rag__ApiKey: KEY },
    Analysis__MultiDocumentEnabled: "false",
  });
  tenantId = scene.tenant.tenantId;
  const { priya, tenant } = scene;
  const api = tenant.apps[1]!.appId;
  Object.assign(priya.user, { appRoles: { [api]: ["Postroom.Operator"] } });
  const token = tenant.tokenFor({
    ...{
      user: priya.user.id,
      app: tenant.apps[2]!.appId,
      scope: `api://${api}/user_impersonation`,
    },
  });
  operator = { ...priya, token, headers: { authorization: `Bearer ${token}` } };
});
beforeEach(() => scene.reset());

const rag = (person: Person | null, path: string, body: object) =>
  scene.post(person, `/api/ai/rag/${path}`, body);
const chunksOf = async (documentId: string) => {
  const { rows } = await scene.app.database.query(
    "SELECT id, tenant_id, vector IS NOT NULL AS embedded FROM postroom.chunk WHERE document_id = $1 ORDER BY no",
    [documentId],
  );
  return rows;
};

describe("a search of the index", () => {
  const search = (person: Person, query: string, options: object = { tenantId }) =>
    rag(person, "search", { query, options });

  it("finds what was indexed, as chunks with their whole text [RAG-01] [RAG-03] [RAG-06]", async () => {
    const { status, json } = await search(scene.nina, "monthly rent");
    expect(status).toBe(200);
    expect(json()).toMatchObject({ query: "monthly rent", totalCount: 1, degraded: null });
    expect(json()["results"]).toMatchObject([
      {
        ...{ id: `${scene.own}_0_v1`, documentId: scene.own, fileName: "lease.txt" },
        ...{ fileType: "txt", chunkIndex: 0, chunkCount: 1, score: 1 },
        content: expect.stringContaining("The monthly rent is 4,200 euros."),
      },
    ]);
    expect(await chunksOf(scene.own)).toEqual([
      { id: `${scene.own}_0_v1`, tenant_id: tenantId, embedded: true },
    ]);
  });

  it("shows nothing of a document that the caller may not read, and nothing once a right is gone [H-15] [S64]", async () => {
    const stranger = await search(scene.nina, `code word ${SECRET}`);
    expect(stranger.body).not.toContain("secret.txt");
    expect(
      stranger.json()["results"].map((each: { documentId: string }) => each.documentId),
    ).not.toContain(scene.others);
    expect((await search(scene.omar, "code word")).json()["totalCount"]).toBe(1);
    scene.unshare(scene.omar, scene.others);
    expect((await search(scene.omar, "code word")).json()["totalCount"]).toBe(0);
    scene.share(scene.omar, scene.others);
  });

  it("or a question with an idempotency key is answered anew, so that no kept answer outlives a right [H-15]", async () => {
    const send = (url: string, payload: object) =>
      scene.app.server.inject({
        ...{ method: "POST", url, payload },
        headers: { ...scene.omar.headers, "idempotency-key": `once-${url}` },
      });
    const both = async () => [
      (await send("/api/ai/rag/search", { query: "code word", options: { tenantId } })).body,
      (await send("/api/ask", { question: SECRET })).body,
    ];
    for (const body of await both()) expect(body).toContain(`is ${SECRET}`);
    scene.unshare(scene.omar, scene.others);
    for (const body of await both()) expect(body).not.toContain(`is ${SECRET}`);
    scene.share(scene.omar, scene.others);
  });

  it.each([
    ["without a query", {}, 400, "Query is required"],
    ["without a tenant", { query: "rent" }, 400, "TenantId is required"],
    [
      "for another tenant",
      { query: "rent", options: { tenantId: "another" } },
      403,
      "Access denied to the requested tenant",
    ],
  ])("%s is refused [RAG-03]", async (_, body, status, detail) => {
    expect((await rag(scene.nina, "search", body)).json()).toMatchObject({ status, detail });
  });

  it("with a field that nobody checks is refused [S42]", async () => {
    const hidden = { query: "rent", options: { tenantId, documentId: scene.others } };
    expect((await rag(scene.nina, "search", hidden)).status).toBe(400);
  });

  it("gives nothing while rights cannot be checked [S41]", async () => {
    const fault = scene.tenant.faults.arm({
      ...{ kind: "server-error", where: { part: "dataverse" }, options: { status: 500 } },
    });
    const answer = await search(scene.nina, "rent").finally(() =>
      scene.tenant.faults.disarm(fault.id),
    );
    expect(answer.json()).toMatchObject({ status: 503, errorCode: "rights.unknown" });
  });

  it("finds by meaning what shares no word with the question, and words still count when the model is down", async () => {
    const dear = await scene.aDocument("flat.txt", "Our apartment is costly.", [scene.nina]);
    await scene.follow();
    const found = async () =>
      (await search(scene.nina, "expensive housing", { tenantId, minScore: 0 }))
        .json()
        ["results"].map((each: { documentId: string }) => each.documentId);
    expect((await found())[0]).toBe(dear);
    const { answerEmbeddings } = scene.model;
    scene.model.answerEmbeddings = (response) => response.writeHead(503).end("{}");
    const words = await search(scene.nina, "monthly rent");
    expect(words.json()).toMatchObject({ degraded: expect.stringContaining("only words") });
    expect(words.json()["results"][0].documentId).toBe(scene.own);
    scene.model.answerEmbeddings = answerEmbeddings;
  });
});

describe("a document that was indexed while the model was down", () => {
  const vectors = (documentId: string) =>
    chunksOf(documentId).then((chunks) => chunks.map(({ embedded }) => embedded));
  let rounds = 0;
  const aRound = async () => {
    rounds += 1;
    const job = { subjectId: "all", idempotencyKey: `round ${rounds}`, payload: {} };
    const { jobs, database } = scene.app;
    await database.transaction((tx) => jobs.queue.add(tx, followDocuments, [job]));
    await jobs.workUntilIdle();
  };

  it("gets its vectors in a later round, and another document keeps those that it has", async () => {
    const { answerEmbeddings } = scene.model;
    const { rows: before } = await scene.app.database.query(
      "SELECT no, written_by FROM postroom.chunk WHERE vector IS NOT NULL ORDER BY no",
    );
    scene.model.answerEmbeddings = (response) => response.writeHead(503).end("{}");
    const dear = await scene.aDocument("late.txt", "Our apartment is costly.", [scene.nina]);
    await scene.follow();
    expect(await vectors(dear)).toEqual([false]);
    await aRound();
    expect(await vectors(dear)).toEqual([false]);
    scene.model.answerEmbeddings = answerEmbeddings;
    await aRound();
    expect(await vectors(dear)).toEqual([true]);
    const { rows: after } = await scene.app.database.query(
      "SELECT no, written_by FROM postroom.chunk WHERE document_id <> $1 AND vector IS NOT NULL ORDER BY no",
      [dear],
    );
    expect(after).toEqual(before);
    const found = await rag(scene.nina, "search", {
      query: "expensive housing",
      options: { tenantId, minScore: 0 },
    });
    const ids = found.json()["results"].map((each: { documentId: string }) => each.documentId);
    expect(ids).toContain(dear);
  });

  it("as one that another model embedded, gets those of the model that is set now", async () => {
    const own = await scene.aDocument("other.txt", "A flat of another model.", [scene.nina]);
    await scene.follow();
    await scene.app.database.query(
      "UPDATE postroom.chunk SET embedder = 'yesterday', vector = '\\x0101' WHERE document_id = $1",
      [own],
    );
    await aRound();
    const { rows } = await scene.app.database.query(
      "SELECT embedder, length(vector) > 2 AS whole FROM postroom.chunk WHERE document_id = $1",
      [own],
    );
    expect(rows).toEqual([{ embedder: "test-embeddings", whole: true }]);
  });
});

describe("the model that compares meanings", () => {
  const search = () =>
    rag(scene.nina, "search", { query: "monthly rent", options: { tenantId, minScore: 0 } });
  const usage = async () => {
    const { rows } = await scene.app.database.query(
      `SELECT person_id AS "personId", calls, failed_calls AS failed, prompt_tokens AS tokens
         FROM postroom.model_usage WHERE model = 'test-embeddings' ORDER BY person_id = 'index' DESC`,
    );
    return rows;
  };
  const words = { degraded: expect.stringContaining("only words"), totalCount: 1 };

  it("is paid for by whom it works: by a person for a question, by the index for a document", async () => {
    await scene.aDocument("paid.txt", "A document to embed.", [scene.nina]);
    await scene.follow();
    expect((await search()).json()).toMatchObject({ degraded: null });
    await rag(scene.nina, "embedding", { text: "expensive housing" });
    expect(await usage()).toEqual([
      { personId: "index", calls: 1, failed: 0, tokens: 1 },
      { personId: scene.nina.user.id, calls: 2, failed: 0, tokens: 2 },
    ]);
  });

  it("is not asked for somebody whose budget is spent: a search compares words, and says so", async () => {
    await scene.app.database.query(
      `INSERT INTO postroom.model_usage (person_id, day, model, calls, prompt_tokens)
       VALUES ($1, postroom.now()::date, 'test-model', 1, 100000)`,
      [scene.nina.user.id],
    );
    const before = scene.model.embedded.length;
    expect((await search()).json()).toMatchObject(words);
    expect((await rag(scene.nina, "embedding", { text: "x" })).json()).toMatchObject({
      errorCode: "model.over-budget",
    });
    expect(scene.model.embedded).toHaveLength(before);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["does not answer", () => {}],
    ["stops in the middle", (response) => void response.writeHead(200).write("{")],
  ])("and %s holds up a search for ten seconds at most", async (_, answer) => {
    const { answerEmbeddings } = scene.model;
    scene.model.answerEmbeddings = answer;
    const before = scene.model.embedded.length;
    const searching = search().finally(() => {
      scene.model.answerEmbeddings = answerEmbeddings;
    });
    await until("the model to be asked", async () => scene.model.embedded.length > before);
    scene.clock.skip(10_000);
    expect((await searching).json()).toMatchObject(words);
    expect(await usage()).toMatchObject([{ personId: scene.nina.user.id, calls: 1, failed: 1 }]);
  });
});

describe("a document that is sent to the index", () => {
  it("reports chunks and duration; the same version is not read again, and a new one replaces all chunks [RAG-02] [RAG-04] [RAG-05] [H-15] [JOB-13]", async () => {
    const documentId = await scene.aDocument("new.txt", "Deposit of 500 euros.", [scene.nina]);
    const index = async () => (await rag(scene.nina, "index", { documentId, tenantId })).json();
    expect(await index()).toEqual({
      ...{ documentId, success: true, chunksIndexed: 1, errorMessage: null },
      durationMs: expect.any(Number),
    });
    const first = await chunksOf(documentId);
    const vectors = scene.model.embedded.length;
    expect(await index()).toMatchObject({ success: true, chunksIndexed: 1, durationMs: 0 });
    expect(scene.model.embedded).toHaveLength(vectors);
    expect(await chunksOf(documentId)).toEqual(first);
    const record = scene.tenant.dataverse.admin.get("sprk_document", documentId)!.values;
    expect(record).toMatchObject({ sprk_searchindexed: true, sprk_searchindexname: "postroom" });
    expect(record["sprk_searchindexedon"]).toBeTruthy();

    await scene.rewrite(documentId, "new.txt", "Deposit of 900 euros.");
    expect(await index()).toMatchObject({ success: true, chunksIndexed: 1 });
    expect((await chunksOf(documentId)).map(({ id }) => id)).toEqual([`${documentId}_0_v2`]);
  });

  it.each(["index/batch", "send-to-index"])(
    "through %s is indexed with the others, and one that the caller may not read refuses all [AI-08]",
    async (path) => {
      const ids = [
        await scene.aDocument("one.txt", "One.", [scene.nina]),
        await scene.aDocument("two.txt", "Two.", [scene.nina]),
        await scene.aDocument("no.png", Buffer.alloc(900, 3), [scene.nina]),
      ];
      const refused = await rag(scene.nina, path, {
        documentIds: [...ids, scene.others],
        tenantId,
      });
      expect(refused.json()).toMatchObject({
        ...{ status: 403, title: "Forbidden", detail: "Access denied to one or more documents" },
      });
      expect(await chunksOf(ids[0]!)).toEqual([]);
      const { json } = await rag(scene.nina, path, { documentIds: ids, tenantId });
      expect(json()).toMatchObject({ totalRequested: 3, successCount: 2, failedCount: 1 });
      expect(json()["results"][2]).toMatchObject({
        ...{ documentId: ids[2], success: false, errorMessage: expect.any(String) },
      });
      const none = await rag(scene.nina, path, { documentIds: [], tenantId });
      expect(none.json()).toMatchObject({
        ...{ status: 400, detail: "No document identifier found in request" },
      });
    },
  );

  it("by its file must be the document of that file", async () => {
    const documentId = await scene.aDocument("file.txt", "A file.", [scene.nina]);
    const { sprk_graphitemid: itemId } = scene.tenant.dataverse.admin.get(
      "sprk_document",
      documentId,
    )!.values;
    const send = (more: object) =>
      rag(scene.nina, "index-file", {
        ...{
          driveId: scene.containerId,
          itemId,
          fileName: "file.txt",
          documentId,
          tenantId,
          ...more,
        },
      });
    expect((await send({})).json()).toMatchObject({ success: true, chunksIndexed: 1 });
    expect((await send({ itemId: "another" })).json()).toMatchObject({
      ...{ status: 400, detail: "the document names another file" },
    });
    expect((await send({ documentId: scene.others })).status).toBe(403);
    expect((await send({ documentId: undefined })).status).toBe(400);
    expect((await send({ tenantId: "another" })).status).toBe(403);
  });
});

describe("a program without a user", () => {
  const send = (body: object, headers: Record<string, string> = { "x-api-key": KEY }) =>
    scene.app.server.inject({
      ...{ method: "POST", url: "/api/ai/rag/enqueue-indexing", payload: body, headers },
    });

  it("queues a document with its key, and the same version is one job [RAG-02] [JOB-13]", async () => {
    const documentId = await scene.aDocument("queued.txt", "Queued words.", [scene.nina]);
    const answer = await send({ documentId, tenantId });
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toMatchObject({ accepted: true, jobId: expect.any(String) });
    expect(answer.json().idempotencyKey).toMatch(new RegExp(`^doc-${documentId}-v\\d+$`));
    expect((await send({ documentId, tenantId })).json()).toEqual(answer.json());
    await scene.app.jobs.workUntilIdle();
    expect(await chunksOf(documentId)).toHaveLength(1);
  });

  it("with a wrong key, no key or a person's token is refused before its body is read", async () => {
    const body = { documentId: scene.own, tenantId };
    for (const headers of [{ "x-api-key": `${KEY}x` }, {}, scene.nina.headers] as const) {
      const answer = await send(body, headers as Record<string, string>);
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({ detail: "Missing or invalid API key" });
    }
    expect((await send({ nonsense: true }, {})).statusCode).toBe(401);
  });

  it("for another tenant, an unknown document or none is refused [RAG-03]", async () => {
    const documentId = scene.own;
    expect((await send({ documentId, tenantId: "another" })).json()).toMatchObject({
      ...{ status: 403, detail: "Access denied to the requested tenant" },
    });
    expect((await send({ documentId, tenantId: tenantId.toUpperCase() })).statusCode).toBe(202);
    expect((await send({ documentId })).statusCode).toBe(400);
    expect((await send({ tenantId })).statusCode).toBe(400);
    const unknown = "00000000-0000-4000-8000-000000000001";
    expect((await send({ documentId: unknown, tenantId })).statusCode).toBe(404);
  });
});

describe("an analysis of several documents", () => {
  it("is refused unless it is enabled, and nothing starts", async () => {
    const two = [scene.own, await scene.aDocument("two.txt", "Two.", [scene.nina])];
    const answer = await scene.execute(scene.nina, { documentIds: two });
    expect(answer.json()).toMatchObject({ status: 400, title: "Bad Request" });
    expect(scene.model.asked).toEqual([]);
  });
});

describe("the upkeep of the index", () => {
  const remove = async (headers: Record<string, string>, path: string) => {
    const answer = await scene.app.server.inject({
      ...{ method: "DELETE", url: `/api/ai/rag/${path}`, headers },
    });
    return { status: answer.statusCode, body: answer.json() };
  };

  it("removes a chunk or a document, for operators only", async () => {
    const documentId = await scene.aDocument("gone.txt", "Gone soon, zanzibar.", [scene.nina]);
    await rag(scene.nina, "index", { documentId, tenantId });
    const chunk = `${documentId}_0_v1`;
    expect(await remove(scene.nina.headers, chunk)).toMatchObject({ status: 403 });
    expect(await remove(operator.headers, chunk)).toEqual({
      ...{ status: 200, body: { id: chunk, deleted: true } },
    });
    expect(await remove(operator.headers, chunk)).toMatchObject({ status: 404 });
    const { rows } = await scene.app.database.query(
      "SELECT chunks FROM postroom.stem WHERE stem LIKE 'zanzibar%'",
    );
    expect(rows).toEqual([]);

    expect(await remove(scene.nina.headers, `source/${scene.own}`)).toMatchObject({ status: 403 });
    expect(await remove(operator.headers, `source/${scene.own}`)).toEqual({
      ...{ status: 200, body: { sourceDocumentId: scene.own, deletedCount: 1 } },
    });
    expect(await remove(operator.headers, `source/${scene.own}`)).toMatchObject({ status: 404 });
    expect(await chunksOf(scene.own)).toEqual([]);
  });

  it("compares all documents with the index, for admins only, under a status address that works [JOB-17]", async () => {
    const bulk = (person: Person | null, body: object = { tenantId }) =>
      rag(person, "admin/bulk-index", body);
    expect((await bulk(operator)).status).toBe(403);
    expect((await bulk(null, { tenantId: "another" })).status).toBe(403);
    const answer = await bulk(null);
    expect(answer.status).toBe(202);
    const { jobId, statusUrl } = answer.json();
    expect(statusUrl).toBe(`/api/jobs/${jobId}/status`);
    await scene.app.jobs.workUntilIdle();
    expect(await chunksOf(scene.own)).toHaveLength(1);
    const status = await scene.app.server.inject({
      url: statusUrl,
      headers: { authorization: `Bearer ${scene.app.operatorKey}` },
    });
    expect(status.json()).toMatchObject({ status: "Completed", jobType: "follow-documents" });
  });

  it("brings back a document that was removed, as often as it is removed, although its version was read before [JOB-13]", async () => {
    const queue = async () =>
      (
        await scene.app.server.inject({
          ...{ method: "POST", url: "/api/ai/rag/enqueue-indexing" },
          ...{ headers: { "x-api-key": KEY }, payload: { documentId: scene.own, tenantId } },
        })
      ).json().jobId;
    const jobs = new Set<string>();
    for (const round of [1, 2, 3]) {
      expect((await remove(operator.headers, `source/${scene.own}`)).status).toBe(200);
      jobs.add(await queue());
      await scene.app.jobs.workUntilIdle();
      expect([round, await chunksOf(scene.own)]).toMatchObject([round, [{}]]);
    }
    expect(jobs.size).toBe(3);
    expect(jobs).toContain(await queue());
  });

  it("gives the vector of a text, and says if there is no model", async () => {
    const answer = await rag(scene.nina, "embedding", { text: "expensive housing" });
    expect(answer.json()).toMatchObject({ model: "test-embeddings", dimensions: 64 });
    expect(answer.json()["embedding"]).toHaveLength(64);
    expect((await rag(scene.nina, "embedding", { text: " " })).status).toBe(400);
    scene.model.answerEmbeddings = (response) => response.writeHead(503).end("{}");
    expect((await rag(scene.nina, "embedding", { text: "x" })).json()).toMatchObject({
      ...{ status: 502, errorCode: "model.unavailable" },
    });
    scene.model.answerEmbeddings = (response, texts) => sendVectors(response, texts.map(embed));
  });
});
