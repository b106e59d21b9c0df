/** What the workers did: per hour, by error, by stage. */
import type { Queryable } from "../../store/database.ts";
import { firstIdOf } from "../job-id.ts";

export interface WorkerViews {
  /** Processes that hold a lease now. */
  readonly workers: readonly {
    id: number;
    name: string;
    startedAt: Date;
    until: Date;
    jobs: number;
  }[];
  readonly durations: readonly {
    worker: string;
    hour: Date;
    jobs: number;
    averageMs: number;
    maxMs: number;
  }[];
  readonly failures: readonly { errorCode: string; hour: Date; jobs: number }[];
  readonly stages: readonly { stage: string; completed: number; failed: number }[];
  readonly parked: readonly ParkedJobs[];
}

/** Jobs that wait because no worker knows their type. */
export interface ParkedJobs {
  readonly queue: string;
  readonly type: string;
  readonly jobs: number;
  /** When the oldest of them was added. */
  readonly since: Date;
}

export async function findParked(on: Queryable): Promise<ParkedJobs[]> {
  const { rows } = await on.query<ParkedJobs>(
    `SELECT queue, type, count(*) AS jobs, min(created_at) AS since FROM postroom.job
      WHERE is_open AND error_code = 'job.unknown-type' AND lease_owner IS NULL
      GROUP BY queue, type ORDER BY queue, type`,
  );
  return rows;
}

export async function loadWorkerViews(
  on: Queryable,
  options: { sinceMs: number; stageOf: (type: string) => string },
): Promise<WorkerViews> {
  const since = [new Date(options.sinceMs), firstIdOf(Math.max(0, options.sinceMs - 86_400_000))];
  const ended = "finished_at >= $1 AND id >= $2";
  const workers = await on.query<WorkerViews["workers"][number]>(
    `SELECT w.id, w.name, w.started_at AS "startedAt", w.until,
            (SELECT count(*) FROM postroom.job j WHERE j.is_open AND j.lease_owner = w.id) AS jobs
       FROM postroom.job_worker w WHERE w.until > clock_timestamp() ORDER BY w.id`,
  );
  const durations = await on.query<WorkerViews["durations"][number]>(
    `SELECT type AS worker, date_trunc('hour', finished_at) AS hour, count(*) AS jobs,
            (avg(extract(epoch FROM finished_at - started_at)) * 1000)::float8 AS "averageMs",
            (max(extract(epoch FROM finished_at - started_at)) * 1000)::float8 AS "maxMs"
       FROM postroom.job WHERE ${ended} AND started_at IS NOT NULL GROUP BY 1, 2 ORDER BY 2, 1`,
    since,
  );
  const failures = await on.query<WorkerViews["failures"][number]>(
    `SELECT error_code AS "errorCode", date_trunc('hour', finished_at) AS hour, count(*) AS jobs
       FROM postroom.job WHERE ${ended} AND state IN ('Failed', 'Poisoned') GROUP BY 1, 2 ORDER BY 2, 1`,
    since,
  );
  const types = await on.query<{ type: string; completed: number; failed: number }>(
    `SELECT type, count(*) FILTER (WHERE state = 'Completed') AS completed,
            count(*) FILTER (WHERE state IN ('Failed', 'Poisoned')) AS failed
       FROM postroom.job WHERE ${ended} GROUP BY 1 ORDER BY 1`,
    since,
  );
  return {
    workers: workers.rows,
    durations: durations.rows,
    failures: failures.rows,
    parked: await findParked(on),
    stages: types.rows.map(({ type, ...counts }) => ({ stage: options.stageOf(type), ...counts })),
  };
}
