import { beforeAll, describe, expect, it } from "vitest";
import { KILL_POINTS } from "../../src/lib/kill-points.ts";
import { settingsFor } from "../helpers/app.ts";
import { bundleProgram } from "../helpers/bundle.ts";
import { runProgram } from "../helpers/run-program.ts";
import { aDocumentScene, type DocumentScene, documentSettings, WEBHOOK_SECRET } from "./scene.ts";

const POINTS = Object.keys(KILL_POINTS).filter((point) => point.startsWith("filing."));
/** Only a file of more than one chunk passes these. */
const OF_LARGE = [
  "filing.session-created",
  "filing.session-stored",
  "filing.chunk-sent",
  "filing.progress-stored",
];
const MB = 1024 * 1024;

let scene: DocumentScene;
let program: string;
let environment: Record<string, string>;

beforeAll(async () => {
  scene = await aDocumentScene({ app: { roles: ["intake"] } });
  environment = await settingsFor(scene.tenant, {
    ...documentSettings(scene.tenant),
    DATABASE_URL: scene.app.database.url,
    LEASE_SECONDS: "2",
    LOG_LEVEL: "silent",
  });
  program = await bundleProgram(
    new URL("./programs/document-worker.ts", import.meta.url),
    new URL("../../src/store/migrate.ts", import.meta.url),
  );
});

describe("a worker that dies", () => {
  it("at any point leaves one file and one record of each mail and attachment [R31] [H-07] [MAIL2DOC-14] [JOB-21]", async () => {
    expect(POINTS).toHaveLength(10);
    for (const point of POINTS) {
      await arrive(point);
      expect([point, await work(point)]).toEqual([point, "SIGKILL"]);
    }
    expect(await work(null)).toBe(0);

    const names = scene.records().map(({ values }) => String(values["sprk_documentname"]));
    expect(names.filter((name) => name.startsWith("Mail at")).sort()).toEqual(
      POINTS.map((point) => `Mail at ${point}`).sort(),
    );
    expect(names.filter((name) => name.startsWith("of-")).sort()).toEqual(
      POINTS.map((point) => `of-${point}.bin`).sort(),
    );
    expect(scene.files()).toHaveLength(2 * POINTS.length);
    const { rows } = await scene.app.database.query(
      "SELECT state, count(*) AS n FROM postroom.filing GROUP BY 1",
    );
    expect(rows).toEqual([{ state: "recorded", n: 2 * POINTS.length }]);
    for (const { values } of scene.records())
      expect(
        scene.tenant.drives.admin
          .containers()
          .some(({ drive }) => drive.items.has(String(values["sprk_graphitemid"]))),
      ).toBe(true);
  }, 900_000);
});

async function arrive(point: string): Promise<void> {
  const { id } = await scene.tenant.dataverse.admin.create("email", {
    subject: `Mail at ${point}`,
    description: "text",
    actualend: "2026-02-17T10:00:00Z",
  });
  const size = OF_LARGE.includes(point) ? 8 * MB : 1_000;
  await scene.tenant.dataverse.admin.create("activitymimeattachment", {
    filename: `of-${point}.bin`,
    body: Buffer.alloc(size, point).toString("base64"),
    "objectid_email@odata.bind": `/emails(${id})`,
  });
  const answer = await scene.app.server.inject({
    method: "POST",
    url: "/api/v1/emails/webhook-trigger",
    headers: { "content-type": "application/json", "x-ms-dynamics-msg-keyvalue": WEBHOOK_SECRET },
    payload: JSON.stringify({ PrimaryEntityId: id, PrimaryEntityName: "email" }),
  });
  expect(answer.statusCode).toBe(202);
}

/** How the worker ended: by signal, or with an exit code. */
function work(killAt: string | null): Promise<string | number> {
  const env = { ...environment, ...(killAt === null ? {} : { POSTROOM_KILL_AT: killAt }) };
  return runProgram([program], env);
}
