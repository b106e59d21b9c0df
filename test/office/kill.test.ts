/** One save on each engine, whose server is killed at one step after the other. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KILL_POINTS, type KillPoint } from "../../src/lib/kill-points.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import type { ServiceBusPart } from "../../tenant/servicebus/service-bus-part.ts";
import { documentSettings } from "../documents/scene.ts";
import { settingsFor } from "../helpers/app.ts";
import { startRedis, type TestRedis } from "../helpers/redis.ts";
import { readStream } from "./read-stream.ts";
import { aBus, aMail, anOfficeScene, type OfficeScene } from "./scene.ts";
import { bundleServer, type ServerProcess, startServer } from "./server-process.ts";

const isLong = process.env["POSTROOM_LONG"] === "1";

/** In the request, which an engine does not touch; then in the job. */
const SAVING: readonly KillPoint[] = [
  "office.save-begun",
  "filing.file-complete",
  "filing.item-stored",
  "office.files-stored",
];
const FINISHING: readonly KillPoint[] = [
  "office.accepted",
  "office.main-recorded",
  "filing.record-written",
  "filing.record-stored",
  "office.artifacts-written",
];

let scene: OfficeScene;
let program: string;
let redis: TestRedis;
let bus: ServiceBusPart;

beforeAll(async () => {
  scene = await anOfficeScene({ app: { roles: ["intake"] } });
  redis = await startRedis();
  bus = await aBus();
  program = await bundleServer();
});
afterAll(async () => {
  await redis?.stop();
  await bus?.stop();
});

describe("a save whose server dies", () => {
  it("at every step leaves one file, one record and the right links on each engine, and its stream ends in the truth [OFF-15] [JOB-21]", async () => {
    const known = Object.keys(KILL_POINTS).filter((point) => point.startsWith("office."));
    expect([...SAVING, ...FINISHING]).toEqual(expect.arrayContaining(known));
    const engines = [
      ["PostgreSQL", {}, [...SAVING, ...FINISHING]],
      ["Redis", { Redis__ConnectionString: redis.url }, FINISHING],
      ["Service Bus", { ServiceBus__ConnectionString: bus.connectionString() }, FINISHING],
    ] as const;
    const ends = await Promise.all(
      engines.map(([engine, settings, points]) =>
        surviveKills(settings, isLong ? [...SAVING, ...FINISHING] : points).catch((error) => {
          throw new Error(`on ${engine}: ${error}`, { cause: error });
        }),
      ),
    );
    for (const { matterId, events, followUps, filings } of ends) {
      const end = events.at(-1)!;
      expect(end).toMatchObject({ event: "job-complete", data: { progress: 100, error: null } });
      const numbers = events.flatMap(({ id }) => (id ? [Number(id.split(":")[1])] : []));
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      const linked = (table: string, column: string, ids: readonly string[]) =>
        scene
          .rows(table)
          .filter(({ values }) =>
            ids.includes((values[column] as { id: string } | null)?.id ?? ""),
          );
      const documents = linked("sprk_document", "sprk_matter", [matterId]);
      expect(documents).toHaveLength(3);
      const ids = documents.map(({ id }) => id);
      const { artifact } = end.data["result"] as Record<string, { id: string }>;
      expect(ids).toContain(artifact!.id);
      const [mail, ...others] = linked("sprk_emailartifact", "sprk_document", ids);
      expect([mail!.values["sprk_document"], others]).toMatchObject([{ id: artifact!.id }, []]);
      const attached = linked("sprk_attachmentartifact", "sprk_emailartifact", [mail!.id]);
      expect(
        attached.map(({ values }) => (values["sprk_document"] as { id: string }).id).sort(),
      ).toEqual(ids.filter((id) => id !== artifact!.id).sort());
      expect(filings).toEqual([{ state: "recorded", n: 3 }]);
      expect(followUps).toEqual([
        { type: "Indexing", n: 3 },
        { type: "Profile", n: 3 },
      ]);
    }
    expect(scene.files()).toHaveLength(3 * engines.length);
  }, 600_000);
});

async function surviveKills(settings: Record<string, string>, points: readonly KillPoint[]) {
  const environment = await settingsFor(scene.tenant, {
    ...documentSettings(scene.tenant),
    ...settings,
    LEASE_SECONDS: "2",
    LOG_LEVEL: "silent",
  });
  const database = openDatabase({ url: environment["DATABASE_URL"]!, connections: 1 });
  await migrate(database);
  const matterId = await scene.aMatter();
  const body = JSON.stringify(aMail(matterId));
  for (const point of points) {
    const server = startServer(program, { ...environment, POSTROOM_KILL_AT: point });
    // It may die of the job that the one before it left, or of this request.
    if ((await server.url) !== null) await send(database, server, body).catch(() => null);
    expect([point, await server.end]).toEqual([point, "SIGKILL"]);
  }
  const server = startServer(program, environment);
  const { jobId } = await send(database, server, body);
  const url = `${await server.url}/office/jobs/${jobId}/stream`;
  const events = await readStream(url, scene.nina.headers);
  const rowsOf = async (sql: string) => (await database.query(sql)).rows;
  const filings = await rowsOf("SELECT state, count(*) AS n FROM postroom.filing GROUP BY 1");
  const followUps = await rowsOf(
    `SELECT type, count(*) AS n FROM postroom.job WHERE type IN ('Profile', 'Indexing')
      GROUP BY 1 ORDER BY 1`,
  );
  server.child.kill("SIGKILL");
  await server.end;
  await database.close();
  return { matterId, events, filings, followUps };
}

async function send(
  database: Database,
  { url }: ServerProcess,
  body: string,
): Promise<{ jobId: string }> {
  // The lock of a request lasts two minutes; a person who repeats it later finds it free.
  await database.query(
    "UPDATE postroom.office_save SET locked_until = '2000-01-01' WHERE job_id IS NULL",
  );
  const answer = await fetch(`${await url}/office/save`, {
    method: "POST",
    headers: {
      ...scene.nina.headers,
      "content-type": "application/json",
      "x-idempotency-key": "the-save",
    },
    body,
  });
  const json = (await answer.json()) as { jobId: string };
  if (!answer.ok) throw new Error(JSON.stringify(json));
  return json;
}
