/** What happened inside a job that people watch, numbered by the version of the job. */
import type { Queryable, Transaction } from "../../store/database.ts";
import { toJson } from "../../store/storable.ts";

export interface JobEvent {
  readonly version: number;
  readonly name: string;
  readonly data: unknown;
}

export async function insertJobEvent(
  tx: Transaction,
  jobId: string,
  event: JobEvent,
): Promise<void> {
  await tx.query(
    `INSERT INTO postroom.job_event (job_id, version, at, name, data)
     VALUES ($1, $2, postroom.now(), $3, $4::json)`,
    [jobId, event.version, event.name, toJson(event.data)],
  );
}

export async function findJobEvents(
  on: Queryable,
  jobId: string,
  afterVersion: number,
): Promise<JobEvent[]> {
  const { rows } = await on.query<JobEvent>(
    `SELECT version, name, data FROM postroom.job_event
      WHERE job_id = $1 AND version > $2 ORDER BY version`,
    [jobId, afterVersion],
  );
  return rows;
}

export async function deleteJobEvents(on: Queryable, jobIds: readonly string[]): Promise<void> {
  await on.query("DELETE FROM postroom.job_event WHERE job_id = ANY($1::uuid[])", [jobIds]);
}
