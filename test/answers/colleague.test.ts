/** A colleague who may read some documents tries to learn something of the others. */
import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { createSearchIndex } from "../../src/search/search-index.ts";
import { type AnswerScene, anAnswerScene } from "./scene.ts";

let scene: AnswerScene;
let matterOfOmar: string;
let secret: string;

const QUESTIONS = ["Kestrelbrook", "deliveries", "Kestrelbrook deliveries", "Kestrelbrok"];

beforeAll(async () => {
  scene = await anAnswerScene();
  await scene.aDocument(
    "deliveries.txt",
    "Framework for deliveries by Kestrelbrooc of Graz. Deliveries are made on Mondays.",
    [scene.nina],
  );
  await scene.aDocument("parking.txt", "Deliveries use the ramp behind the house.", [scene.nina]);
  await scene.follow();
});

const askAll = (fields: Record<string, string | number> = {}) =>
  Promise.all(QUESTIONS.map((q) => scene.search(scene.nina, { q, ...fields })));

const send = async (method: "GET" | "POST", url: string, payload?: object) => {
  const answer = await scene.app.server.inject({
    ...{ method, url, headers: scene.nina.headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, body: answer.json() };
};

describe("documents of others", () => {
  it("change nothing of what is found: no score, no count, no tolerance for typing errors [H-15] [S40]", async () => {
    const before = await askAll();
    expect(before.map(({ results }) => results.length)).toEqual([1, 2, 2, 1]);
    matterOfOmar = await scene.aMatter({ sprk_name: "Takeover of Kestrelbrook" });
    for (const number of [1, 2, 3])
      secret = await scene.aDocument(
        `takeover-${number}.txt`,
        `Kestrelbrook, Kestrelbrok. Takeover ${number}: deliveries, deliveries of Kestrelbrook.`,
        [scene.omar],
        matterOfOmar,
      );
    await scene.follow();
    expect((await scene.search(scene.omar, { q: "Kestrelbrook" })).results).toHaveLength(3);
    expect(await askAll()).toEqual(before);
  });

  it("cannot be reached by their ids, their matter or a later page [S42]", async () => {
    const nothing = { results: [], count: { documents: 0, isMore: false }, next: null };
    const ofMatter = await askAll({ parent: `sprk_matter:${matterOfOmar}` });
    for (const answer of ofMatter) {
      expect(answer).toMatchObject({ ...nothing, facets: { kind: {}, parent: [] } });
    }
    for (const answer of await askAll({ cursor: 2 }))
      expect(answer).toMatchObject({ results: [], next: null });
    const asked = { question: "What about Kestrelbrook?", documentIds: [secret] };
    expect((await send("POST", "/api/ask", asked)).body).toMatchObject({
      ...{ kind: "none", citations: [] },
    });
  });

  it("do not show in how often rights are asked for, however similar their words are [H-15]", async () => {
    const { database } = scene.app;
    const index = createSearchIndex({ database, clock: systemClock, vectors: null });
    const filter = { tenantId: scene.tenant.tenantId };
    const asked: Record<string, number> = {};
    for (const word of ["kestrelbrook", "kestrelbruuk", "xylophonist"]) {
      asked[word] = 0;
      await index.find(word, filter, async () => {
        asked[word]! += 1;
        return new Set();
      });
    }
    expect(asked).toEqual({ kestrelbrook: 2, kestrelbruuk: 2, xylophonist: 2 });
  });

  it("do not show in how a request fails while rights cannot be checked [S41]", async () => {
    const { tenantId } = scene.tenant;
    const doors = (word: string) =>
      [
        ["GET", `/api/search?q=${word}`],
        ["GET", `/api/search/suggestions?q=${word}`],
        ["POST", "/api/ask", { question: word }],
        ["POST", "/api/ai/rag/search", { query: word, options: { tenantId } }],
      ] as const;
    const { id } = scene.tenant.faults.arm({
      ...{ kind: "server-error", where: { part: "dataverse" }, options: { status: 403 } },
    });
    for (const word of ["takeover", "xylophone"])
      for (const [method, url, body] of doors(word)) {
        const answer = await send(method, url, body);
        expect([url, answer.status, answer.body.errorCode]).toEqual([url, 503, "rights.unknown"]);
      }
    scene.tenant.faults.disarm(id);
  });
});
