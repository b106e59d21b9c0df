import { Redis } from "ioredis";
import { beforeAll, describe, expect, it } from "vitest";
import { createManualClock } from "../../src/lib/clock.ts";
import { until } from "../helpers/app.ts";
import { startRedis } from "../helpers/redis.ts";
import { aDocumentScene, type DocumentScene } from "./scene.ts";

const JOURNAL = { switches: { journalRequests: true } };
const MATTER = "sprk_document/sprk_matter_document_1n/lookup";

const ask = async (scene: DocumentScene, path: string, headers: object = scene.nina.headers) => {
  const answer = await scene.app.server.inject({
    url: `/api/navmap/${path}`,
    headers: headers as Record<string, string>,
  });
  return { status: answer.statusCode, json: answer.json() };
};
const questions = (scene: DocumentScene) =>
  scene.tenant.journal
    .entries()
    .filter((entry) => String(entry["path"]).includes("RelationshipDefinitions")).length;

describe("a navigation name", () => {
  const clock = createManualClock(Date.now());
  let scene: DocumentScene;
  beforeAll(async () => {
    scene = await aDocumentScene({ tenant: JOURNAL, app: { clock } });
  });

  it("of a lookup has the right case, and says whether it came from the cache [NAV-01] [NAV-03] [NAV-04] [NAV-07] [NAV-08] [NAV-10]", async () => {
    const expected = {
      childEntity: "sprk_document",
      relationship: "sprk_matter_document_1n",
      navigationPropertyName: "sprk_Matter",
    };
    expect((await ask(scene, MATTER)).json).toMatchObject({ ...expected, source: "dataverse" });
    const asked = questions(scene);
    expect((await ask(scene, MATTER)).json).toMatchObject({ ...expected, source: "cache" });
    expect(questions(scene)).toBe(asked);
    expect(scene.app.logLines.map((line) => line["msg"])).toContain(
      "[NavMapEndpoints] Cache hit: navmap:lookup:sprk_document:sprk_matter_document_1n",
    );
  });

  it("is read again after 15 minutes [NAV-05]", async () => {
    await ask(scene, MATTER);
    clock.advance(15 * 60_000 - 1_000);
    expect((await ask(scene, MATTER)).json.source).toBe("cache");
    clock.advance(2_000);
    expect((await ask(scene, MATTER)).json.source).toBe("dataverse");
  });

  it("of a collection is found by either table [NAV-02] [NAV-03]", async () => {
    for (const entity of ["sprk_matter", "sprk_document"]) {
      const { json } = await ask(scene, `${entity}/sprk_matter_document_1n/collection`);
      expect(json).toMatchObject({
        childEntity: "sprk_document",
        parentEntity: "sprk_matter",
        navigationPropertyName: "sprk_matter_document_1n",
        source: "dataverse",
      });
    }
  });

  it("of a relationship that does not exist, or belongs to another table, is 404 [NAV-11]", async () => {
    expect((await ask(scene, "sprk_document/sprk_nothing_1n/lookup")).status).toBe(404);
    expect((await ask(scene, "sprk_matter/sprk_matter_document_1n/lookup")).status).toBe(404);
    expect((await ask(scene, "sprk_document/x%27)%20or%20(%27/lookup")).status).toBe(400);
  });

  it("and the name of a set require a token [NAV-01] [NAV-02]", async () => {
    expect((await ask(scene, MATTER, {})).status).toBe(401);
    expect((await ask(scene, "sprk_matter/sprk_matter_document_1n/collection", {})).status).toBe(
      401,
    );
    expect((await ask(scene, "activityparty/entityset")).json.entitySetName).toBe(
      "activityparties",
    );
  });
});

describe("with Redis", () => {
  it("names are shared under their keys and DEL forces a new lookup; if Redis is down, Dataverse answers [NAV-05] [NAV-06] [NAV-09] [NAV-11]", async () => {
    const server = await startRedis();
    const scene = await aDocumentScene({
      tenant: JOURNAL,
      settings: { Redis__ConnectionString: server.url },
    });
    const redis = new Redis(server.url);
    const key = "navmap:lookup:sprk_document:sprk_matter_document_1n";
    const collection = "sprk_matter/sprk_matter_document_1n/collection";
    // A busy machine may be slow to connect; then Dataverse answers, and nothing is kept for a while.
    await until("both keys", async () => {
      await ask(scene, MATTER);
      await ask(scene, collection);
      return (
        (await redis.exists(key, "navmap:collection:sprk_matter:sprk_matter_document_1n")) === 2
      );
    });
    expect(await redis.pttl(key)).toBeGreaterThan(14 * 60_000);
    expect(
      await redis.pttl("navmap:collection:sprk_matter:sprk_matter_document_1n"),
    ).toBeGreaterThan(14 * 60_000);
    await until("a hit", async () => (await ask(scene, MATTER)).json.source === "cache");
    await redis.del(key);
    expect((await ask(scene, MATTER)).json.source).toBe("dataverse");
    redis.disconnect();
    await server.stop();
    expect((await ask(scene, MATTER)).json).toMatchObject({
      navigationPropertyName: "sprk_Matter",
      source: "dataverse",
    });
  });
});
