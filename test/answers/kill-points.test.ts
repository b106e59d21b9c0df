import { afterAll, describe, expect, it } from "vitest";
import { KILL_POINTS } from "../../src/lib/kill-points.ts";
import { aDocumentScene, type DocumentScene, documentSettings } from "../documents/scene.ts";
import { settingsFor } from "../helpers/app.ts";
import { bundleProgram } from "../helpers/bundle.ts";
import { startRedis } from "../helpers/redis.ts";
import { runProgram } from "../helpers/run-program.ts";
import { aBus } from "../office/scene.ts";
import { aModelServer, completion, type ModelServer, sendJson } from "./model-server.ts";

const POINTS = Object.keys(KILL_POINTS).filter((point) => /^(?:index|profile)\./.test(point));

const isLong = process.env["POSTROOM_LONG"] === "1";

/** What carries the jobs of the worker: PostgreSQL in every run, the others in the long one. */
const ENGINES: readonly (readonly [string, () => Promise<Record<string, string>>])[] = [
  ["PostgreSQL", async () => ({})],
  [
    "Redis",
    async () => {
      const redis = await startRedis();
      afterAll(() => redis.stop());
      return { Redis__ConnectionString: redis.url };
    },
  ],
  [
    "Service Bus",
    async () => {
      const bus = await aBus();
      afterAll(() => bus.stop());
      return { ServiceBus__ConnectionString: bus.connectionString() };
    },
  ],
];

let scene: DocumentScene;
let model: ModelServer;
let program: string;
let environment: Record<string, string>;

async function start(engine: Record<string, string>): Promise<void> {
  model = await aModelServer();
  const profile = {
    ...{ summary: "A lease.", tldr: "A lease.", keywords: [], kind: "Contract", parties: [] },
    ...{ people: [], dates: [], amounts: [], references: [] },
  };
  model.answer = (response) => sendJson(response, completion(JSON.stringify(profile)));
  const settings = {
    MODEL_BASE_URL: model.url,
    MODEL_API_KEY: "a-key-for-tests",
    MODEL_NAME: "test-model",
    Documents__Profiles: "true",
    EMBEDDING_MODEL: "test-embeddings",
    ...engine,
  };
  scene = await aDocumentScene({ settings });
  environment = await settingsFor(scene.tenant, {
    ...documentSettings(scene.tenant),
    ...settings,
    DATABASE_URL: scene.app.database.url,
    LOG_LEVEL: "silent",
  });
  program = await bundleProgram(
    new URL("./programs/answer-worker.ts", import.meta.url),
    new URL("../../src/store/migrate.ts", import.meta.url),
  );
}

describe("a worker that dies", () => {
  it.each(isLong ? ENGINES : ENGINES.slice(0, 1))(
    "on %s at any point of indexing and profiling leaves one set of chunks and one profile, which follow an upload by themselves [DOC-27] [RAG-04]",
    async (_, engine) => {
      await start(await engine());
      expect(POINTS).toHaveLength(6);
      for (const point of POINTS) {
        const { status } = await scene.put(`${point}.txt`, `Lease at ${point}, unlike others.`, {
          query: "?record=true",
        });
        expect(status).toBe(201);
        expect([point, await work(point)]).toEqual([point, "SIGKILL"]);
      }
      // Until now each worker had only its own document, because the jobs of the dead were still leased.
      await scene.app.database.query("UPDATE postroom.job_worker SET until = clock_timestamp()");
      expect(await work(null)).toBe(0);
      // Only the answer that was not stored when the worker died is asked for again.
      expect(model.asked).toHaveLength(POINTS.length + 1);

      const { rows } = await scene.app.database.query(
        `SELECT d.name, d.generation, d.chunk_count, count(c.no) AS chunks, count(c.vector) AS vectors,
              (SELECT count(*) FROM postroom.analysis a WHERE a.document_id = d.document_id) AS analyses,
              (SELECT state FROM postroom.analysis a WHERE a.document_id = d.document_id) AS state
         FROM postroom.indexed_document d LEFT JOIN postroom.chunk c USING (document_id)
        GROUP BY d.document_id ORDER BY d.name`,
      );
      expect(rows).toEqual(
        POINTS.map((point) => ({
          ...{ name: `${point}.txt`, generation: 1, chunk_count: 1, chunks: 1, vectors: 1 },
          ...{ analyses: 1, state: "completed" },
        })).sort((a, b) => (a.name < b.name ? -1 : 1)),
      );
      expect(scene.records()).toHaveLength(POINTS.length);
      for (const { values } of scene.records())
        expect(values).toMatchObject({
          ...{ sprk_filesummarystatus: 100000002, sprk_filesummary: "A lease." },
          sprk_searchindexed: true,
        });
    },
    300_000,
  );
});

/** How the worker ended: by signal, or with an exit code. */
function work(killAt: string | null): Promise<string | number> {
  const ending =
    killAt === null ? { LEASE_SECONDS: "2" } : { LEASE_SECONDS: "600", POSTROOM_KILL_AT: killAt };
  const env = { ...environment, ...ending };
  return runProgram([program], env);
}
