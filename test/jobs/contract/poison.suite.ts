import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { defineJob } from "../../../src/jobs/job.ts";
import { loadWorkerViews } from "../../../src/jobs/status/worker-views.ts";
import {
  countingHandler,
  countJob,
  type EngineUnderTest,
  Numbered,
  numbered,
  useWorkshop,
} from "./workshop.ts";

export function testPoison(under: EngineUnderTest): void {
  describe(`${under.name} with poison in the queue`, () => {
    const shop = useWorkshop(under);
    const envelope = (more: object) => ({
      jobId: randomUUID(),
      jobType: "count",
      subjectId: "s",
      correlationId: "c",
      idempotencyKey: `foreign-${randomUUID()}`,
      attempt: 1,
      maxAttempts: 3,
      payload: { n: 5 },
      createdAt: "2026-01-05T08:00:00Z",
      ...more,
    });

    it("a job of an unknown type is parked and runs once a worker knows the type [JOB-06]", async () => {
      const newer = defineJob({ type: "newer", queue: "documents", payload: Numbered });
      const old = await shop.open([countingHandler()]);
      await shop.add(old, newer, numbered(1));
      await shop.workUntil(old, async () => (await shop.rows())[0]!.error_code !== null);
      const parked = {
        state: "Queued",
        error_code: "job.unknown-type",
        attempt: 0,
        is_dead: false,
      };
      expect(await shop.rows()).toMatchObject([parked]);
      await shop.database.query("UPDATE postroom.job SET due_at = now() - interval '1 minute'");
      const young = await shop.open([countingHandler(), countingHandler({ spec: newer })]);
      await old.stop();
      await young.workUntilIdle();
      expect(await shop.rows()).toMatchObject([{ state: "Completed", attempt: 1 }]);
    });

    it("a job whose type no running worker has known for 15 minutes is a dead letter with that reason [JOB-06]", async () => {
      const newer = defineJob({ type: "newer", queue: "documents", payload: Numbered });
      const old = await shop.open([countingHandler()]);
      await shop.add(old, newer, numbered(1));
      await shop.workUntil(old, async () => (await shop.rows())[0]!.error_code !== null);
      const ages = { job: 16, worker: 16, served: 16 };
      const rowsAfter = async (minutes: typeof ages) => {
        const ago = "clock_timestamp() - $1 * interval '1 minute'";
        const { query } = shop.database;
        await query(`UPDATE postroom.job SET created_at = ${ago}`, [minutes.job]);
        await query(`UPDATE postroom.job_worker SET started_at = ${ago}`, [minutes.worker]);
        await query(
          `INSERT INTO postroom.job_type VALUES ('newer', ${ago})
           ON CONFLICT (type) DO UPDATE SET served_at = EXCLUDED.served_at`,
          [minutes.served],
        );
        await old.tick();
        return shop.rows();
      };
      // Each of the three alone keeps it: a young job, young workers, a worker that knew it a moment ago.
      for (const [what] of Object.entries(ages)) {
        const kept = await rowsAfter({ ...ages, [what]: 14 });
        expect(kept, what).toMatchObject([{ state: "Queued", is_dead: false }]);
      }
      expect(await rowsAfter(ages)).toMatchObject([
        { state: "Poisoned", error_code: "NoHandler", is_dead: true },
      ]);
    });

    it("a message in a queue without any handler is seen, and a job there moves to the queue of its type [JOB-06]", async () => {
      const jobs = await shop.open([countingHandler()]);
      await shop.place.sendRaw("jobs", JSON.stringify(envelope({})));
      await shop.place.sendRaw("jobs", JSON.stringify(envelope({ jobType: "unheard-of" })));
      await shop.place.sendRaw("jobs", "nonsense");
      await shop.workUntil(jobs, async () => {
        const rows = await shop.rows();
        return (
          rows.length === 3 &&
          rows.every((row) => row.state === "Completed" || row.error_code !== null)
        );
      });
      expect(await shop.effects()).toEqual([5]);
      const codes = (await shop.rows()).map((row) => row.error_code).sort();
      expect(codes).toEqual(["job.malformed", "job.unknown-type", null]);
      const { parked } = await loadWorkerViews(shop.database, { sinceMs: 0, stageOf: String });
      expect(parked).toMatchObject([{ queue: "jobs", type: "unheard-of", jobs: 1 }]);
    });

    it("a job with an invalid payload becomes a dead letter with a reason, and the worker continues [JOB-25] [S66]", async () => {
      const jobs = await shop.open([countingHandler()]);
      const wrong = { subjectId: "x", idempotencyKey: "wrong", payload: { n: "five" } as never };
      await shop.add(jobs, countJob, [wrong, ...numbered(1)]);
      await jobs.workUntilIdle();
      expect(await shop.effects()).toEqual([0]);
      const dead = (await shop.rows()).find((row) => row.key === "wrong");
      expect(dead).toMatchObject({ state: "Poisoned", error_code: "job.malformed", is_dead: true });
    });

    it("messages that are not jobs, even of 10 MB, become dead letters with a reason, and the worker continues [JOB-25] [S66]", async () => {
      const jobs = await shop.open([countingHandler()]);
      const bodies = [
        "not json at all {",
        "null",
        "[]",
        JSON.stringify({ hello: "world" }),
        JSON.stringify(envelope({ jobId: "not-a-guid" })),
        JSON.stringify(envelope({ idempotencyKey: "" })),
        JSON.stringify(envelope({ maxAttempts: -1 })),
        JSON.stringify(envelope({ payload: "x".repeat(10 * 1024 * 1024) })),
      ];
      for (const body of bodies) await shop.place.sendRaw("documents", body);
      await shop.add(jobs, countJob, numbered(1));
      const dead = async () => (await shop.rows()).filter((row) => row.is_dead);
      await shop.workUntil(jobs, async () => (await dead()).length === bodies.length);
      expect(new Set((await dead()).map((row) => row.error_code))).toEqual(
        new Set(["job.malformed"]),
      );
      await jobs.workUntilIdle();
      expect(await shop.effects()).toEqual([0]);
    });

    it("a valid envelope from another program becomes a job like any other [JOB-01] [JOB-17]", async () => {
      const jobs = await shop.open([countingHandler()]);
      const foreign = envelope({});
      await shop.place.sendRaw("documents", JSON.stringify(foreign));
      await shop.place.sendRaw("documents", JSON.stringify(foreign));
      await shop.workUntil(jobs, async () => (await shop.effects()).length > 0);
      await jobs.workUntilIdle();
      expect(await shop.effects()).toEqual([5]);
      expect(await shop.rows()).toMatchObject([{ id: foreign.jobId, state: "Completed" }]);
    });

    it("an envelope that reuses a key with another payload becomes a dead letter [JOB-10]", async () => {
      const jobs = await shop.open([countingHandler()]);
      await shop.add(jobs, countJob, numbered(1));
      await jobs.workUntilIdle();
      const reused = envelope({ idempotencyKey: "count-0", payload: { n: 1 } });
      await shop.place.sendRaw("documents", JSON.stringify(reused));
      await shop.workUntil(jobs, async () => (await shop.rows()).some((row) => row.is_dead));
      const dead = (await shop.rows()).filter((row) => row.is_dead);
      expect(dead).toMatchObject([{ error_code: "job.key-reused" }]);
      expect(await shop.effects()).toEqual([0]);
    });
  });
}
