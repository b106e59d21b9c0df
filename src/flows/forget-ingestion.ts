/**
 * Removes what ingestion no longer needs: the trace, how messages were fetched, and the spool's second copy of
 * archived files. Keeps documents, trade lines, trades, decisions and the archive. Also removes stray files, whose
 * process died after writing to the spool and before writing the first row that refers to them.
 */

import type { FileStore } from "../files/file-store.ts";
import { findSpooled } from "../filing/filing-table.ts";
import { removeConflictsBefore } from "../ingestion/conflict-table.ts";
import {
  findSpoolLeftOvers,
  findUnknownFiles,
  recordSpoolRemoved,
} from "../ingestion/document-table.ts";
import type { IngestionTable } from "../ingestion/ingestion-table.ts";
import { removeStagesBefore } from "../ingestion/journal-table.ts";
import { removeTraceBefore } from "../ingestion/trace-table.ts";
import { findUnfinishedSubjects } from "../jobs/job-table.ts";
import type { Clock } from "../lib/clock.ts";
import type { Database } from "../store/database.ts";
import { madeAt } from "../store/migrate.ts";
import { ingestFile } from "./specs-ingest.ts";

export interface ForgetNeeds {
  readonly database: Database;
  readonly table: IngestionTable;
  readonly files: Pick<FileStore, "removeUnused" | "list">;
  readonly clock: Clock;
}

export interface Forgotten {
  readonly steps: number;
  readonly stages: number;
  readonly files: number;
  /** Files in the spool that nothing refers to. */
  readonly strays: number;
}

export const FORGET_EVERY_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
const FILES_A_ROUND = 1_000;

export async function forgetIngestion(needs: ForgetNeeds, keptDays: number): Promise<Forgotten> {
  const { database, table } = needs;
  const before = new Date(needs.clock.now() - keptDays * DAY_MS);
  await removeConflictsBefore(database, before);
  return {
    steps: await removeTraceBefore(database, before),
    stages: await removeStagesBefore(database, table, before),
    files: await emptySpool(needs, before),
    strays: await removeStrays(needs, before),
  };
}

async function emptySpool({ database, files }: ForgetNeeds, before: Date): Promise<number> {
  let removed = 0;
  for (const sha256 of await findSpoolLeftOvers(database, before, FILES_A_ROUND)) {
    if (!(await files.removeUnused(sha256, before))) continue;
    await recordSpoolRemoved(database, sha256);
    removed += 1;
  }
  return removed;
}

/** A retried job writes its file to the spool again, so an old file that nothing refers to is not needed. */
async function removeStrays({ database, files }: ForgetNeeds, before: Date): Promise<number> {
  // A new database may have been started by mistake with the files of an older one.
  if ((await madeAt(database)) >= before) return 0;
  let removed = 0;
  for await (const some of files.list()) {
    const unknown = await findUnknownFiles(database, some);
    if (unknown.length === 0) continue;
    const wanted = await findUnfinishedSubjects(database, ingestFile.type, unknown);
    const filed = await findSpooled(database, unknown);
    for (const sha256 of unknown) {
      if (wanted.has(sha256) || filed.has(sha256) || !(await files.removeUnused(sha256, before)))
        continue;
      removed += 1;
    }
  }
  return removed;
}
