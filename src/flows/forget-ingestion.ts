/**
 * Forgets what ingestion needed on its way. Documents, lines, trades, decisions and the archive stay; the trace, how
 * messages were fetched, and the spool's second copy of what is archived go after a while.
 */
import type { FileStore } from "../files/file-store.ts";
import type { Clock } from "../lib/clock.ts";
import type { Database } from "../store/database.ts";
import { findSpoolLeftOvers, recordSpoolRemoved } from "../trades/document-table.ts";
import { removeConflictsBefore } from "../trades/ingestion/claim-conflicts.ts";
import type { IngestionTable } from "../trades/ingestion/ingestion-table.ts";
import { removeStagesBefore } from "../trades/ingestion/journal-table.ts";
import { removeStepsBefore } from "../trades/ingestion/trace-table.ts";

export interface ForgetNeeds {
  readonly database: Database;
  readonly table: IngestionTable;
  readonly files: Pick<FileStore, "removeUnused">;
  readonly clock: Clock;
}

export interface Forgotten {
  readonly steps: number;
  readonly stages: number;
  readonly files: number;
}

export const FORGET_EVERY_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
const FILES_A_ROUND = 1_000;

export async function forgetIngestion(needs: ForgetNeeds, keptDays: number): Promise<Forgotten> {
  const { database, table } = needs;
  const before = new Date(needs.clock.now() - keptDays * DAY_MS);
  await removeConflictsBefore(database, before);
  return {
    steps: await removeStepsBefore(database, before),
    stages: await removeStagesBefore(database, table, before),
    files: await emptySpool(needs, before),
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
