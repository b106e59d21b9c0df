import type { Queryable, Transaction } from "../../store/database.ts";

/** A changed rule starts at `nextAt`; an unchanged one keeps its next time. */
export async function upsertSchedule(
  on: Queryable,
  schedule: { name: string; type: string; rule: string; nextAt: Date },
): Promise<void> {
  await on.query(
    `INSERT INTO postroom.job_schedule AS s (name, type, rule, next_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name) DO UPDATE SET type = $2, rule = $3,
       next_at = CASE WHEN s.rule = $3 THEN s.next_at ELSE $4 END
       WHERE s.type <> $2 OR s.rule <> $3`,
    [schedule.name, schedule.type, schedule.rule, schedule.nextAt],
  );
}

export interface DueSchedule {
  readonly name: string;
  readonly dueAt: Date;
  readonly now: Date;
}

/** Those of the schedules that are due and that no other process is handling, locked. */
export async function lockDueSchedules(
  tx: Transaction,
  names: readonly string[],
): Promise<DueSchedule[]> {
  const { rows } = await tx.query<DueSchedule>(
    `SELECT name, next_at AS "dueAt", postroom.now() AS now FROM postroom.job_schedule
      WHERE next_at <= postroom.now() AND name = ANY($1::text[]) FOR UPDATE SKIP LOCKED`,
    [names],
  );
  return rows;
}

export async function moveSchedule(
  tx: Transaction,
  name: string,
  jobId: string,
  nextAt: Date,
): Promise<void> {
  await tx.query(
    `UPDATE postroom.job_schedule SET last_at = next_at, last_job = $2, next_at = $3
      WHERE name = $1`,
    [name, jobId, nextAt],
  );
}

export async function findSchedules(
  on: Queryable,
  names: readonly string[],
): Promise<{ name: string; nextAt: Date; now: Date }[]> {
  const { rows } = await on.query<{ name: string; nextAt: Date; now: Date }>(
    `SELECT name, next_at AS "nextAt", postroom.now() AS now FROM postroom.job_schedule
      WHERE name = ANY($1::text[]) AND next_at > postroom.now()`,
    [names],
  );
  return rows;
}

/** Does nothing if another process has changed the time since it was read. */
export async function setNextMoment(
  on: Queryable,
  name: string,
  from: Date,
  to: Date,
): Promise<void> {
  await on.query("UPDATE postroom.job_schedule SET next_at = $3 WHERE name = $1 AND next_at = $2", [
    name,
    from,
    to,
  ]);
}
