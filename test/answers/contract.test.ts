/** What programs may rely on beside the flows of the other tests: bodies, refusals and limits of analyses and of the index. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../documents/scene.ts";
import { type AnalysisScene, anAnalysisScene } from "./analysis-scene.ts";
import { sendPieces } from "./model-server.ts";

const TERMS = "contract-key-terms";
let scene: AnalysisScene;

beforeAll(async () => {
  scene = await anAnalysisScene({ Analysis__MultiDocumentEnabled: "false" });
});
beforeEach(() => scene.reset());

const inject = (person: Person, method: "GET" | "POST", url: string, payload?: object) =>
  scene.app.server.inject({ method, url, headers: person.headers, ...(payload && { payload }) });

describe("a request for an analysis", () => {
  it("takes every field of the agreed body, and the action names the playbook if nothing else does", async () => {
    const answer = await scene.execute(scene.nina, {
      ...{ documentIds: [scene.own], actionId: TERMS, skillIds: ["s"], knowledgeIds: ["k"] },
      ...{ toolIds: ["t"], outputType: "Document" },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/event-stream");
    expect(answer.body).toMatch(/^data: \{"type":"metadata"/);
    expect(await scene.analysis()).toMatchObject({ playbook_id: TERMS, state: "completed" });
  });

  it.each([
    ["another kind of output", { outputType: "Fax" }],
    ["a playbook that does not exist", { playbookId: "no-such-playbook" }],
    ["a field that nobody checks", { documentId: "x" }],
    ["an id that is none", { documentIds: ["../other"] }],
  ])("with %s is refused, and no model is asked", async (_, wrong) => {
    const answer = await scene.execute(scene.nina, { documentIds: [scene.own], ...wrong });
    expect(answer.json()).toMatchObject({ status: 400, title: "Bad Request" });
    expect(scene.model.asked).toEqual([]);
  });

  it("can name any of the playbooks that are listed", async () => {
    const answer = await inject(scene.nina, "GET", "/api/ai/playbooks");
    const { playbooks } = answer.json();
    expect(playbooks.map(({ id }: { id: string }) => id)).toEqual([
      "document-profile",
      TERMS,
      "mail-thread-summary",
      "obligations-and-dates",
      "questions-to-a-document",
      "deep-analysis",
    ]);
    const named = { documentIds: [scene.own], playbookId: playbooks[1].name };
    expect((await scene.execute(scene.nina, named)).events().at(-1)).toMatchObject({
      type: "done",
    });
  });
});

describe("an analysis", () => {
  it("whose result cannot be stored says so in its last event, and is not called completed", async () => {
    const { database } = scene.app;
    await database.query(
      "ALTER TABLE postroom.analysis ADD CONSTRAINT test_full CHECK (state <> 'completed')",
    );
    const body = { documentIds: [scene.own], playbookId: TERMS };
    const answer = await scene
      .execute(scene.nina, body)
      .finally(() => database.query("ALTER TABLE postroom.analysis DROP CONSTRAINT test_full"));
    expect(answer.events().at(-1)).toMatchObject({
      ...{ type: "done", done: true, partialStorage: true },
      storageMessage: "the result could not be stored; keep your copy",
    });
    expect((await scene.analysis())!["state"]).not.toBe("completed");
  });

  it("that is not complete is not saved as a document", async () => {
    scene.model.answer = (response) => sendPieces(response, ["The rent"], "length");
    const events = (
      await scene.execute(scene.nina, { documentIds: [scene.own], playbookId: TERMS })
    ).events();
    const url = `/api/ai/analysis/${events[0]!.analysisId}`;
    const before = scene.files();
    expect((await scene.post(scene.nina, `${url}/save`, {})).json()).toMatchObject({
      ...{ status: 409, detail: "the analysis is not complete" },
    });
    expect(scene.files()).toEqual(before);
    const stored = (await inject(scene.nina, "GET", url)).json();
    expect(stored).toMatchObject({ state: "degraded", error: "model.bad-answer", savedAs: null });
  });

  it.each(["continue", "save", "export", "resume"])(
    "that does not exist is not found by %s",
    async (verb) => {
      const url = `/api/ai/analysis/00000000-0000-4000-8000-000000000001/${verb}`;
      const body = verb === "continue" ? { message: "Why?" } : {};
      expect((await scene.post(scene.nina, url, body)).status).toBe(404);
    },
  );
});

describe("the limit of a person", () => {
  const tenantId = () => scene.tenant.tenantId;

  it.each([
    ["20 jobs and files of analyses", "/api/analysis/enqueue", () => ({})],
    ["20 calls of the index", "/api/ai/rag/index", () => ({ tenantId: tenantId() })],
  ])("is %s in a minute; another person's is their own", async (_, url, body) => {
    const send = async (person: Person) => (await inject(person, "POST", url, body())).statusCode;
    scene.clock.skip(61_000);
    for (let count = 0; count < 20; count++) expect(await send(scene.nina)).toBe(400);
    expect(await send(scene.nina)).toBe(429);
    expect(await send(scene.omar)).toBe(400);
    scene.clock.skip(61_000);
    expect(await send(scene.nina)).toBe(400);
  });
});

describe("a search of the index", () => {
  it("gives the five best chunks unless the request asks for another number, score, kind or document", async () => {
    const ids: string[] = [];
    for (const number of [1, 2, 3, 4, 5, 6, 7])
      ids.push(
        await scene.aDocument(`numbers-${number}.txt`, `Quintessence ${number}.`, [scene.nina]),
      );
    await scene.follow();
    const { tenantId } = scene.tenant;
    const find = async (more: object) => {
      const options = { tenantId, ...more };
      const answer = await inject(scene.nina, "POST", "/api/ai/rag/search", {
        ...{ query: "quintessence", options },
      });
      return answer.json().results?.length ?? answer.statusCode;
    };
    expect(await find({})).toBe(5);
    expect(await find({ topK: 7 })).toBe(7);
    expect(await find({ topK: 7, minScore: 1 })).toBe(1);
    expect(await find({ topK: 7, fileTypes: ["pdf"] })).toBe(0);
    expect(await find({ topK: 7, documentIds: ids.slice(2, 4) })).toBe(2);
    for (const wrong of [{ topK: 0 }, { topK: 51 }, { minScore: 2 }, { fileTypes: ["exe"] }])
      expect(await find(wrong)).toBe(400);
  });
});
