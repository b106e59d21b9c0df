import { expect, it } from "vitest";
import { nextMoment, type Schedule } from "../../src/jobs/upkeep/schedule.ts";
import { usePostgresEngine } from "./contract/places.ts";
import { countingHandler, countJob, useWorkshop } from "./contract/workshop.ts";

const shop = useWorkshop(usePostgresEngine());

it("every process registers a schedule, and each moment of it adds one job [JOB-23]", async () => {
  const schedule: Schedule<{ n: number }> = {
    name: "tidy",
    spec: countJob,
    rule: "every 1h",
    payload: { n: 1 },
  };
  const several = [];
  for (let i = 0; i < 3; i += 1) {
    several.push(await shop.open([countingHandler()], { schedules: [schedule] }));
  }
  const due = () =>
    shop.database.query("UPDATE postroom.job_schedule SET next_at = next_at - interval '1 hour'");
  await due();
  const dueAt = Date.now();
  await Promise.all(several.flatMap((jobs) => [jobs.tick(), jobs.tick()]));
  await several[0]!.workUntilIdle();
  expect(await shop.effects()).toEqual([1]);
  const { rows } = await shop.database.query<{ next_at: Date }>(
    "SELECT next_at FROM postroom.job_schedule",
  );
  expect(rows[0]!.next_at.getTime()).toBeGreaterThan(dueAt);
});

it("a type of job has one handler; a second one is a mistake that stops the start [OFF-21]", async () => {
  const twice = shop.open([countingHandler(), countingHandler()]);
  await expect(twice).rejects.toThrow("two handlers take one type: count, count");
});

it("a changed rule takes effect at the next start; an unchanged one keeps its next time [JOB-23]", async () => {
  const schedule = { name: "kept", spec: countJob, payload: { n: 1 } };
  const at = async () => {
    const sql = "SELECT next_at::text FROM postroom.job_schedule WHERE name = 'kept'";
    return (await shop.database.query<{ next_at: string }>(sql)).rows[0]!.next_at;
  };
  await shop.open([], { schedules: [{ ...schedule, rule: "0 3 1 1 *" }] });
  await shop.database.query(
    "UPDATE postroom.job_schedule SET next_at = now() + interval '1 hour' WHERE name = 'kept'",
  );
  const before = await at();
  await shop.open([], { schedules: [{ ...schedule, rule: "0 3 1 1 *" }] });
  expect(await at()).toBe(before);
  await shop.open([], { schedules: [{ ...schedule, rule: "0 4 1 1 *" }] });
  expect(await at()).not.toBe(before);
});

it("a schedule that was registered while the clock was ahead runs at its next moment once the clock is right", async () => {
  const schedule = { name: "ahead", spec: countJob, payload: { n: 1 }, rule: "every 1h" };
  const jobs = await shop.open([], { schedules: [schedule] });
  await shop.database.query(
    "UPDATE postroom.job_schedule SET next_at = next_at + interval '2 hours' WHERE name = 'ahead'",
  );
  await jobs.tick();
  const { rows } = await shop.database.query<{ isRight: boolean }>(
    `SELECT next_at <= now() + interval '1 hour' AS "isRight" FROM postroom.job_schedule WHERE name = 'ahead'`,
  );
  expect(rows).toEqual([{ isRight: true }]);
});

it.each([
  ["every 15m", "2026-01-05T08:07:00Z", "2026-01-05T08:15:00.000Z"],
  ["every 15m", "2026-01-05T08:15:00Z", "2026-01-05T08:30:00.000Z"],
  ["0 3 * * *", "2026-01-05T08:00:00Z", "2026-01-06T03:00:00.000Z"],
  ["30 1 * * 1", "2026-01-05T08:00:00Z", "2026-01-12T01:30:00.000Z"],
  ["0 9 * * * Europe/London", "2026-01-05T10:00:00Z", "2026-01-06T09:00:00.000Z"],
  ["0 9 * * * Europe/London", "2026-07-05T10:00:00Z", "2026-07-06T08:00:00.000Z"],
])("%s after %s is %s", (rule, after, expected) => {
  expect(nextMoment(rule, Date.parse(after)).toISOString()).toBe(expected);
});
