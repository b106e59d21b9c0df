/** Reads the versions of the jobs that streams follow. All requests within `GATHER_MS` share one query. */
import { findJobVersions } from "../../jobs/status/job-status-table.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Queryable } from "../../store/database.ts";

const GATHER_MS = 50;

interface Round {
  readonly ids: Set<string>;
  readonly versions: Promise<ReadonlyMap<string, number>>;
}

/** Returns a function that reads the version of one job; null if the job was removed. */
export function createVersionReader(on: Queryable): (jobId: string) => Promise<number | null> {
  let next: Round | null = null;
  const begin = (): Round => {
    const ids = new Set<string>();
    const read = async () => {
      await systemClock.sleep(GATHER_MS);
      next = null;
      return findJobVersions(on, [...ids]);
    };
    return { ids, versions: read() };
  };
  return async (jobId) => {
    next ??= begin();
    next.ids.add(jobId);
    return (await next.versions).get(jobId) ?? null;
  };
}
