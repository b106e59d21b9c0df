/**
 * Removes what ingestion no longer needs: the trace, how messages were fetched, and the spool's second copy
 * of archived files. Keeps documents, trade lines, trades, decisions and the archive. Also removes stray
 * files, left by a process that died after writing to the spool and before writing the first row that refers
 * to them.
 */

import type { FileStore } from "../../files/file-store.ts";
import { findSpooled } from "../../filing/filing-table.ts";
import { removeConflictsBefore } from "../../ingestion/conflict-table.ts";
import {
  findArchivedFiles,
  findSpoolLeftOvers,
  findUnknownFiles,
  recordSpoolRemoved,
} from "../../ingestion/document-table.ts";
import type { IngestionTable } from "../../ingestion/ingestion-table.ts";
import { removeStagesBefore } from "../../ingestion/journal-table.ts";
import { findSpoolFiles, removeSpoolFile } from "../../ingestion/spool-table.ts";
import { removeTraceBefore } from "../../ingestion/trace-table.ts";
import { findUnfinishedSubjects } from "../../jobs/job-table.ts";
import { findErasedFiles } from "../../keep/erasure-table.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Database } from "../../store/database.ts";
import { inBatches } from "../../store/in-batches.ts";
import { madeAt } from "../../store/migrate.ts";
import { ingestFile } from "../specs/ingestion.ts";

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
  /** Copies of files in the database that no machine needs any more. */
  readonly copies: number;
}

export const FORGET_EVERY_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
const FILES_A_ROUND = 1_000;
const REMOVED_AT_ONCE = 5_000;

export async function forgetIngestion(needs: ForgetNeeds, keptDays: number): Promise<Forgotten> {
  const { database, table } = needs;
  const before = new Date(needs.clock.now() - keptDays * DAY_MS);
  await inBatches(REMOVED_AT_ONCE, (limit) => removeConflictsBefore(database, before, limit));
  return {
    steps: await inBatches(REMOVED_AT_ONCE, (limit) => removeTraceBefore(database, before, limit)),
    stages: await inBatches(REMOVED_AT_ONCE, (limit) =>
      removeStagesBefore(database, table, before, limit),
    ),
    files: await emptySpool(needs, before),
    strays: (await removeStrays(needs, before)) + (await removeErased(needs)),
    copies: await removeCopies(needs.database, new Date(needs.clock.now() - DAY_MS)),
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
  for await (const batch of files.list()) {
    for (const sha256 of await findStrays(database, batch)) {
      if (await files.removeUnused(sha256, before)) removed += 1;
    }
  }
  return removed;
}

/** The erasure of a person removes the files on the machine that carries it out; each other machine does it here. */
async function removeErased({ database, files, clock }: ForgetNeeds): Promise<number> {
  let removed = 0;
  for await (const batch of files.list()) {
    for (const sha256 of await findStrays(database, await findErasedFiles(database, batch))) {
      if (await files.removeUnused(sha256, new Date(clock.now()))) removed += 1;
    }
  }
  return removed;
}

/** Those of the given files that nothing refers to. */
async function findStrays(database: Database, sha256s: readonly string[]): Promise<string[]> {
  const unknown = await findUnknownFiles(database, sha256s);
  if (unknown.length === 0) return [];
  const unfinished = await findUnfinishedSubjects(database, ingestFile.type, unknown);
  const filed = await findSpooled(database, unknown);
  return unknown.filter((sha256) => !unfinished.has(sha256) && !filed.has(sha256));
}

/** File contents stay in the database only while a worker on another machine may still need them. */
async function removeCopies(database: Database, before: Date): Promise<number> {
  let removed = 0;
  let after = "";
  for (;;) {
    const batch = await findSpoolFiles(database, { before, after, limit: FILES_A_ROUND });
    if (batch.length === 0) return removed;
    after = batch.at(-1)!;
    const archived = await findArchivedFiles(database, batch);
    for (const sha256 of new Set([...archived, ...(await findStrays(database, batch))])) {
      await removeSpoolFile(database, sha256, before);
      removed += 1;
    }
  }
}
