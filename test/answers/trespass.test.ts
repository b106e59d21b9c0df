/** A colleague without rights uses what they know or may write: ids of others, records of their own, the right moment. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { removeFromIndex } from "../../src/search/write-index.ts";
import type { Person } from "../documents/scene.ts";
import { until } from "../helpers/app.ts";
import type { Operation } from "../helpers/examples.ts";
import { type AnalysisScene, anAnalysisScene, PROFILE_ANSWER, SECRET } from "./analysis-scene.ts";
import { completion, sendJson, sendPieces } from "./model-server.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000001";
let scene: AnalysisScene;

beforeAll(async () => {
  scene = await anAnalysisScene({ EMBEDDING_MODEL: "test-embeddings" });
});
beforeEach(() => scene.reset());

/** Ids that only Omar may use: of his document, of what was made of it, and of a job of his. */
interface Ids {
  readonly document: string;
  readonly analysis: string;
  readonly job: string;
}

const idsOfOmar = async (): Promise<Ids> => {
  const document = scene.others;
  const playbookId = "questions-to-a-document";
  const summary = `The code word is ${SECRET}.`;
  const profile = JSON.stringify({ ...PROFILE_ANSWER, summary, tldr: summary });
  scene.model.answer = (response, { stream }) =>
    stream ? sendPieces(response, [summary], "stop") : sendJson(response, completion(profile));
  const events = (
    await scene.execute(scene.omar, { documentIds: [document], playbookId })
  ).events();
  const job = (
    await scene.post(scene.omar, "/api/analysis/enqueue", { documentId: document })
  ).json();
  await scene.app.jobs.workUntilIdle();
  return { document, analysis: events[0]!.analysisId!, job: job["jobId"] };
};

type Asked = readonly [method: "GET" | "POST" | "DELETE", url: string, body?: object];

/** How a request to each operation would name these ids. */
const OPERATIONS: Readonly<Record<string, (ids: Ids, tenantId: string) => Asked>> = {
  search: () => ["GET", "/api/search?q=code%20word"],
  suggest: () => ["GET", "/api/search/suggestions?q=secret"],
  searchRecords: () => ["GET", "/api/search/records?q=secret"],
  ask: ({ document }) => ["POST", "/api/ask", { question: "code word?", documentIds: [document] }],
  executeAnalysis: ({ document }) => [
    ...(["POST", "/api/ai/analysis/execute"] as const),
    { documentIds: [scene.own, document] },
  ],
  continueAnalysis: ({ analysis }) => [
    ...(["POST", `/api/ai/analysis/${analysis}/continue`] as const),
    { message: "What is the code word?" },
  ],
  resumeAnalysis: ({ analysis }) => ["POST", `/api/ai/analysis/${analysis}/resume`, {}],
  getAnalysis: ({ analysis }) => ["GET", `/api/ai/analysis/${analysis}`],
  exportAnalysis: ({ analysis }) => ["POST", `/api/ai/analysis/${analysis}/export`, {}],
  saveAnalysis: ({ analysis }) => ["POST", `/api/ai/analysis/${analysis}/save`, {}],
  listPlaybooks: () => ["GET", "/api/ai/playbooks"],
  listModelUsage: () => ["GET", "/api/ai/usage"],
  enqueueAnalysis: ({ document }) => [
    ...(["POST", "/api/analysis/enqueue"] as const),
    { documentId: document },
  ],
  getJobStatus: ({ job }) => ["GET", `/api/jobs/${job}/status`],
  ragSearch: ({ document }, tenantId) => [
    ...(["POST", "/api/ai/rag/search"] as const),
    { query: "code word", options: { tenantId, documentIds: [document] } },
  ],
  ragEmbedding: () => ["POST", "/api/ai/rag/embedding", { text: "code word" }],
  ragIndex: ({ document }, tenantId) => [
    ...(["POST", "/api/ai/rag/index"] as const),
    { documentId: document, tenantId },
  ],
  ragIndexFile: ({ document }, tenantId) => [
    ...(["POST", "/api/ai/rag/index-file"] as const),
    { documentId: document, tenantId, driveId: scene.containerId, itemId: "x" },
  ],
  ragIndexBatch: ({ document }, tenantId) => [
    ...(["POST", "/api/ai/rag/index/batch"] as const),
    { documentIds: [scene.own, document], tenantId },
  ],
  ragSendToIndex: ({ document }, tenantId) => [
    ...(["POST", "/api/ai/rag/send-to-index"] as const),
    { documentIds: [scene.own, document], tenantId },
  ],
  ragEnqueueIndexing: ({ document }, tenantId) => [
    ...(["POST", "/api/ai/rag/enqueue-indexing"] as const),
    { documentId: document, tenantId },
  ],
  ragBulkIndex: (_, tenantId) => ["POST", "/api/ai/rag/admin/bulk-index", { tenantId }],
  ragDeleteChunk: ({ document }) => ["DELETE", `/api/ai/rag/${document}_0_v1`],
  ragDeleteSource: ({ document }) => ["DELETE", `/api/ai/rag/source/${document}`],
};

const PATHS = /^\/api\/(?:ai\/|analysis\/|ask$|search)/;

async function send([method, url, payload]: Asked) {
  scene.clock.skip(61_000);
  const answer = await scene.app.server.inject({
    method,
    url,
    headers: scene.nina.headers,
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, body: answer.body };
}

/** Without what differs between any two answers. */
const timeless = (body: string, ids: Ids): string =>
  Object.values(ids)
    .reduce((text, id) => text.replaceAll(id, UNKNOWN), body)
    .replace(/"(?:searchDurationMs|promptTokens|calls)":\d+/g, "")
    .replace(/"(?:correlationId|traceId|instance|requestId)":"[^"]*"/g, "");

describe("the ids of others", () => {
  it("are answered like ids that do not exist, by every operation of search and analyses, and change nothing [S39] [S40] [S45]", async () => {
    const described = (await scene.app.server.inject({ url: "/api/openapi.json" })).json() as {
      readonly paths: Record<string, Record<string, Operation>>;
    };
    const operations = Object.entries(described.paths)
      .filter(([path]) => PATHS.test(path))
      .flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId));
    expect(operations.filter((name) => OPERATIONS[name] === undefined)).toEqual([]);
    const ids = await idsOfOmar();
    const unknown = { document: UNKNOWN, analysis: UNKNOWN, job: UNKNOWN };
    const { tenantId } = scene.tenant;
    const kept = () =>
      scene.app.database.query(
        "SELECT id, state, attempt, content, turns, saved_as FROM postroom.analysis ORDER BY id",
      );
    const before = (await kept()).rows;
    expect(before).toMatchObject([{ state: "completed" }, { state: "completed" }]);
    scene.model.asked.length = 0;
    for (const [name, request] of Object.entries(OPERATIONS)) {
      const answer = await send(request(ids, tenantId));
      expect(answer.body, name).not.toMatch(new RegExp(`${SECRET}|secret\\.txt`));
      const other = await send(request(unknown, tenantId));
      expect([name, answer.status], answer.body).toEqual([name, other.status]);
      expect(timeless(answer.body, ids), name).toBe(timeless(other.body, ids));
    }
    expect((await kept()).rows).toEqual(before);
    expect(JSON.stringify(scene.model.asked)).not.toContain(SECRET);
    expect((await scene.ask(scene.omar, `code word ${SECRET}`)).kind).not.toBe("none");
  });
});

describe("a record that names the file of another document", () => {
  const valuesOf = (id: string) => scene.tenant.dataverse.admin.get("sprk_document", id)!.values;
  const fileOf = (id: string) => {
    const { sprk_graphdriveid, sprk_graphitemid } = valuesOf(id);
    return { sprk_graphdriveid, sprk_graphitemid };
  };
  /** Whoever may file documents may write their own records, with any values. */
  const aRecord = async (file: object): Promise<string> => {
    const names = { sprk_documentname: "mine.txt", sprk_filename: "mine.txt" };
    const row = await scene.tenant.dataverse.admin.create("sprk_document", { ...names, ...file });
    scene.share(scene.nina, row.id);
    return row.id;
  };
  const found = async (person: Person, q: string): Promise<string[]> =>
    (await scene.search(person, { q })).results.map(({ documentId }) => documentId);
  const reasonOf = async (id: string) => {
    const { rows } = await scene.app.database.query(
      "SELECT chunk_count, reason FROM postroom.indexed_document WHERE document_id = $1",
      [id],
    );
    return rows[0];
  };
  const REFUSED = { chunk_count: 0, reason: "another document has this file" };

  it("is listed without its text, whether it is new or named another file before [H-15]", async () => {
    const word = "Quillfeather";
    const theirs = await scene.aDocument("deal.txt", `The ${word} settlement.`, [scene.omar]);
    const own = await scene.aDocument("own.txt", "The Marrowby settlement.", [scene.nina]);
    await scene.follow();
    const made = await aRecord(fileOf(theirs));
    await scene.tenant.dataverse.admin.update("sprk_document", own, fileOf(theirs));
    await scene.follow();
    expect(await found(scene.nina, word)).toEqual([]);
    expect(await found(scene.nina, "Marrowby")).toEqual([]);
    expect([await reasonOf(made), await reasonOf(own)]).toEqual([REFUSED, REFUSED]);
    // The document itself stays, also if it is read again.
    await scene.tenant.dataverse.admin.update("sprk_document", theirs, { sprk_documentname: "x" });
    await scene.follow();
    expect(await found(scene.omar, word)).toEqual([theirs]);
    expect((await scene.ask(scene.nina, `What about ${word}?`)).kind).toBe("none");
  });

  it("is not read before the document that we filed with it [H-15]", async () => {
    const word = "Thistlewick";
    const { json } = await scene.put("deals/thistlewick.txt", `The ${word} settlement.`, {
      person: scene.omar,
      query: "?record=true",
    });
    const theirs = String(json["documentId"]);
    const made = await aRecord(fileOf(theirs));
    const tenantId = scene.tenant.tenantId;
    await scene.post(scene.nina, "/api/ai/rag/index", { documentId: made, tenantId });
    expect(await reasonOf(made)).toEqual(REFUSED);
    await scene.follow();
    expect(await found(scene.omar, word)).toEqual([theirs]);
    expect(await found(scene.nina, word)).toEqual([]);
  });

  it("gets no profile and no analysis in the background, and no model is asked", async () => {
    const made = await aRecord(fileOf(scene.others));
    await scene.post(scene.nina, "/api/analysis/enqueue", { documentId: made });
    await scene.app.jobs.workUntilIdle();
    expect(scene.model.asked).toEqual([]);
    expect(await scene.analysis()).toBeUndefined();
    expect(valuesOf(made)).toMatchObject({ sprk_filesummarystatus: 100000005 });
    expect(JSON.stringify(valuesOf(made))).not.toContain(SECRET);
  });
});

describe("a question", () => {
  const QUESTION = "How much is the Ravensgate garage?";
  const NAME = "garage.txt";

  it.each([
    [
      "was replaced",
      async (id: string) => {
        await scene.rewrite(id, NAME, "The Ravensgate garage costs 310 euros a month.");
        await scene.follow();
      },
    ],
    ["left the index", (id: string) => removeFromIndex(scene.app.database, id)],
  ])(
    "whose cited document %s while the model wrote cites nothing that is gone [RAG-06]",
    async (_, change) => {
      const text = "The Ravensgate garage costs 210 euros a month.";
      const id = await scene.aDocument(NAME, text, [scene.nina]);
      await scene.follow();
      const citations = [{ passage: 1, words: "garage costs 210 euros" }];
      const content = { answered: true, answer: "It costs 210 euros.", citations };
      scene.model.answer = (response) =>
        void (async () => {
          await change(id);
          sendJson(response, completion(JSON.stringify(content)));
        })();
      const answer = await scene.ask(scene.nina, QUESTION);
      expect(answer.status).toBe(200);
      expect(answer).toMatchObject({ degraded: "a cited document changed while the model wrote" });
      expect(JSON.stringify(answer)).not.toContain("210");
      await scene.tenant.dataverse.admin.remove("sprk_document", id);
      await scene.follow();
    },
  );
});

describe("the budget of a person", () => {
  const LEFT = 10;
  const used = async () => {
    const { rows } = await scene.app.database.query(
      `SELECT calls, failed_calls, prompt_tokens, completion_tokens FROM postroom.model_usage
        WHERE person_id = $1 AND model = 'test-model'`,
      [scene.nina.user.id],
    );
    return rows[0];
  };

  it("lets one call begin with the rest of it, however many ask at the same time", async () => {
    await scene.app.database.query(
      `INSERT INTO postroom.model_usage (person_id, day, model, calls, prompt_tokens)
       VALUES ($1, postroom.now()::date, 'test-model', 1, 100000 - $2)`,
      [scene.nina.user.id, LEFT],
    );
    const held: (() => void)[] = [];
    scene.model.answer = (response) =>
      held.push(() =>
        sendJson(response, completion('{"answered":false,"answer":"","citations":[]}')),
      );
    let settled = 0;
    const asking = Array.from({ length: 8 }, async () => {
      const answer = await scene.ask(scene.nina, "How much is the monthly rent?");
      settled += 1;
      return answer;
    });
    await until(
      "all to be refused or to wait",
      async () => held.length + settled === asking.length,
    );
    expect(held).toHaveLength(1);
    for (const release of held) release();
    const kinds = (await Promise.all(asking)).map(({ kind, degraded }) => `${kind} ${degraded}`);
    expect(kinds.filter((kind) => kind.includes("over-budget"))).toHaveLength(7);
    expect(await used()).toMatchObject({ calls: 2, failed_calls: 0 });
  });

  it("counts what was read and written by its length if the endpoint does not say", async () => {
    const none = '{"answered":false,"answer":"","citations":[]}';
    const { usage: _, ...silent } = completion(none);
    scene.model.answer = (response) => sendJson(response, silent);
    await scene.ask(scene.nina, "How much is the monthly rent?");
    const letters = scene.model.asked[0]!.messages.map(({ content }) => content).join("").length;
    const { prompt_tokens: prompt, completion_tokens: written } = (await used())!;
    expect(Number(prompt)).toBeGreaterThan(letters / 5);
    expect(Number(prompt)).toBeLessThan(letters / 3);
    expect(Number(written)).toBe(Math.ceil(none.length / 4));
  });

  it("is charged what the model reports, and nothing for a call that no model answered", async () => {
    await scene.ask(scene.nina, "How much is the monthly rent?");
    expect(await used()).toMatchObject({ calls: 1, prompt_tokens: 100, completion_tokens: 20 });
    scene.model.answer = (response) => sendJson(response, {}, 503);
    await scene.ask(scene.nina, "How much is the monthly rent?");
    expect(await used()).toEqual({
      calls: 2,
      failed_calls: 1,
      prompt_tokens: 100,
      completion_tokens: 20,
    });
  });
});
