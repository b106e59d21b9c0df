/**
 * Jobs that come again and again. The rows are shared by all processes: whoever locks a row that is
 * due adds its job and moves it on in one transaction, and the key of the job names the moment, so
 * each moment brings one job however many processes look.
 */
import { Cron } from "croner";
import type { Clock } from "../lib/clock.ts";
import type { Database } from "../store/database.ts";
import type { JobQueue, JobSpec } from "./job.ts";

export interface Schedule<Payload = unknown> {
  readonly name: string;
  readonly spec: JobSpec<Payload>;
  readonly payload: Payload;
  /** Five fields, UTC: `0 3 * * *`; or `every 15m`, counted from the epoch. */
  readonly rule: string;
}

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The first moment of the rule after that time. */
export function nextMoment(rule: string, afterMs: number): Date {
  const period = /^every (\d+)([smhd])$/.exec(rule);
  if (period !== null) {
    const periodMs = Number(period[1]) * UNITS_MS[period[2]!]!;
    return new Date((Math.floor(afterMs / periodMs) + 1) * periodMs);
  }
  const next = new Cron(rule, { timezone: "UTC" }).nextRun(new Date(afterMs));
  if (next === null) throw new Error(`the schedule "${rule}" never comes`);
  return next;
}

/** Registers schedules; a start that finds them as they are changes nothing. */
export async function upsertSchedules(
  needs: { database: Database; clock: Clock },
  schedules: readonly Schedule[],
): Promise<void> {
  for (const { name, spec, rule } of schedules) {
    await needs.database.query(
      `INSERT INTO postroom.job_schedule AS s (name, type, rule, next_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (name) DO UPDATE SET type = $2, rule = $3,
         next_at = CASE WHEN s.rule = $3 THEN s.next_at ELSE $4 END
         WHERE s.type <> $2 OR s.rule <> $3`,
      [name, spec.type, rule, nextMoment(rule, needs.clock.now())],
    );
  }
}

/** Adds the jobs that have fallen due; moments that were slept through come once, not once each. */
export async function runDueSchedules(
  needs: { database: Database; queue: JobQueue; clock: Clock },
  schedules: readonly Schedule[],
): Promise<number> {
  if (schedules.length === 0) return 0;
  const byName = new Map(schedules.map((schedule) => [schedule.name, schedule]));
  return needs.database.transaction(async (tx) => {
    const { rows } = await tx.query<{ name: string; next_at: Date; now: Date }>(
      `SELECT name, next_at, postroom.now() AS now FROM postroom.job_schedule
        WHERE next_at <= postroom.now() AND name = ANY($1::text[]) FOR UPDATE SKIP LOCKED`,
      [[...byName.keys()]],
    );
    for (const { name, next_at, now } of rows) {
      const { spec, payload, rule } = byName.get(name)!;
      const idempotencyKey = `schedule:${name}:${next_at.toISOString()}`;
      const [jobId] = await needs.queue.add(tx, spec, [
        { subjectId: name, idempotencyKey, payload },
      ]);
      await tx.query(
        `UPDATE postroom.job_schedule SET last_at = next_at, last_job = $2, next_at = $3
          WHERE name = $1`,
        [name, jobId, nextMoment(rule, Math.max(now.getTime(), next_at.getTime()))],
      );
    }
    return rows.length;
  });
}
