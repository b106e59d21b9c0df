/**
 * Recurring jobs. All processes share the rows: the process that locks a due row adds its job and sets the
 * next time in one transaction. The key of the job names the moment, so each moment adds one job however
 * many processes look.
 */
import { Cron } from "croner";
import type { Clock } from "../../lib/clock.ts";
import type { Database, Transaction } from "../../store/database.ts";
import type { JobQueue, JobSpec } from "../job.ts";
import {
  findSchedules,
  lockDueSchedules,
  moveSchedule,
  setNextMoment,
  upsertSchedule,
} from "./schedule-table.ts";

export interface Schedule<Payload = unknown> {
  readonly name: string;
  readonly spec: JobSpec<Payload>;
  readonly payload: Payload;
  /** Five fields: `0 3 * * *`, in UTC or in the zone that follows them; or `every 15m`, counted from the epoch. */
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
  const [, fields = rule, timezone = "UTC"] = /^(\S+(?: \S+){4})(?: (\S+))?$/.exec(rule) ?? [];
  const next = new Cron(fields, { timezone }).nextRun(new Date(afterMs));
  if (next === null) throw new Error(`the schedule "${rule}" never fires`);
  return next;
}

/** Registers schedules; those that have not changed keep their next time. */
export async function upsertSchedules(
  needs: { database: Database; clock: Clock },
  schedules: readonly Schedule[],
): Promise<void> {
  for (const { name, spec, rule } of schedules) {
    const nextAt = nextMoment(rule, needs.clock.now());
    await upsertSchedule(needs.database, { name, type: spec.type, rule, nextAt });
  }
}

/** Adds the jobs that are due. Several missed moments of a schedule add one job. */
export async function runDueSchedules(
  needs: { database: Database; queue: JobQueue; clock: Clock },
  schedules: readonly Schedule[],
): Promise<number> {
  if (schedules.length === 0) return 0;
  const byName = new Map(schedules.map((schedule) => [schedule.name, schedule]));
  return needs.database.transaction(async (tx) => {
    await correctSchedules(tx, byName);
    const due = await lockDueSchedules(tx, [...byName.keys()]);
    for (const { name, dueAt, now } of due) {
      const { spec, payload, rule } = byName.get(name)!;
      const idempotencyKey = `schedule:${name}:${dueAt.toISOString()}`;
      const [jobId] = await needs.queue.add(tx, spec, [
        { subjectId: name, idempotencyKey, payload },
      ]);
      const nextAt = nextMoment(rule, Math.max(now.getTime(), dueAt.getTime()));
      await moveSchedule(tx, name, jobId!, nextAt);
    }
    return due.length;
  });
}

/**
 * Corrects a next time that was set while a clock was ahead; otherwise the schedule would pause until then.
 */
async function correctSchedules(
  tx: Transaction,
  byName: ReadonlyMap<string, Schedule>,
): Promise<void> {
  for (const { name, nextAt, now } of await findSchedules(tx, [...byName.keys()])) {
    const next = nextMoment(byName.get(name)!.rule, now.getTime());
    if (nextAt > next) await setNextMoment(tx, name, nextAt, next);
  }
}
