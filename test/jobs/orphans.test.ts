import { beforeAll, expect, it } from "vitest";
import {
  insertJobs,
  releaseJobs,
  releaseOrphans,
  releaseStuck,
  takeJobs,
} from "../../src/jobs/job-table.ts";
import { registerWorker } from "../../src/jobs/worker-table.ts";
import type { Database } from "../../src/store/database.ts";
import { freshDatabase } from "../helpers/database.ts";

const ID = "00000000-0000-7000-8000-000000000001";
const STUCK_MS = 600_000;
let database: Database;

beforeAll(async () => {
  database = await freshDatabase();
  const row = { id: ID, subjectId: "s", correlationId: "c", ownerId: null, key: "k" };
  const spec = { type: "count", queue: "documents", maxAttempts: 3 };
  await database.transaction((tx) =>
    insertJobs(tx, spec, [{ ...row, payload: "{}", runAtMs: null }]),
  );
});

const newWorker = () => registerWorker(database, { name: "w", types: ["count"] }, 60_000);

const take = (workerId: number) =>
  takeJobs(database, { ids: [ID], workerId, types: ["count"], stuckMs: STUCK_MS });

/** The job was lost so often, and is free. */
const lostBefore = (takeovers: number) =>
  database.query(
    "UPDATE postroom.job SET takeovers = $1, lease_owner = NULL, attempt = 0, due_at = postroom.now()",
    [takeovers],
  );

const seconds = (rows: readonly { readonly delayMs: number }[]) =>
  rows.map(({ delayMs }) => Math.round(delayMs / 1_000));

const PAUSES = [0, 0, 1, 2, 4, 8, 16, 32, 60, 60].map((pause, before) => [before, pause] as const);

it.each(PAUSES)(
  "a job that lost %i workers waits %i s when the next one dies or gets stuck",
  async (before, pause) => {
    const worker = await newWorker();
    await lostBefore(before);
    expect(await take(worker)).toHaveLength(1);
    expect(seconds(await releaseOrphans(database, [worker]))).toEqual([pause]);
    expect(await take(worker)).toHaveLength(pause === 0 ? 1 : 0);

    await lostBefore(before);
    expect(await take(worker)).toHaveLength(1);
    await database.query("UPDATE postroom.job SET leased_at = leased_at - interval '11 minutes'");
    expect(seconds(await releaseStuck(database, STUCK_MS))).toEqual([pause]);
  },
);

it("a job whose worker only stops waits for nothing, however many died before", async () => {
  const worker = await newWorker();
  await lostBefore(9);
  expect(await take(worker)).toHaveLength(1);
  expect(seconds(await releaseJobs(database, [worker]))).toEqual([0]);
  expect(await take(worker)).toHaveLength(1);
});

it("a message that is delivered again takes a dead worker's job over at once, but not past its pause", async () => {
  for (const [before, taken] of [
    [1, 1],
    [2, 0],
  ] as const) {
    const [dead, other] = [await newWorker(), await newWorker()];
    await lostBefore(before);
    expect(await take(dead)).toHaveLength(1);
    expect(await take(other)).toEqual([]);
    await database.query(
      "UPDATE postroom.job_worker SET until = now() - interval '1 s' WHERE id = $1",
      [dead],
    );
    expect(await take(other)).toHaveLength(taken);
  }
});
