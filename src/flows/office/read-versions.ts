/** The versions of jobs that streams follow. Those who ask within a moment share one query, however many they are. */
import { findJobVersions } from "../../jobs/status/job-status-table.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Queryable } from "../../store/database.ts";

const GATHER_MS = 50;

interface Round {
  readonly ids: Set<string>;
  readonly versions: Promise<ReadonlyMap<string, number>>;
}

/** Null if the job was removed. */
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
