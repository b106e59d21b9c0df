/** Wires what people save from Outlook and Word. */
import { join } from "node:path";
import { PROFILE } from "../analysis/playbook.ts";
import { type FileStore, openDiskFileStore } from "../files/file-store.ts";
import { getFiling } from "../filing/filing-table.ts";
import { removeReceived } from "../filing/office/sweep-saves.ts";
import { afterFiling } from "../flows/documents/after-filing.ts";
import { indexOne } from "../flows/documents/index-document.ts";
import { uploadFinalizationHandler } from "../flows/office/finalize-upload.ts";
import { type FollowUpNeeds, followUpHandlers } from "../flows/office/follow-ups.ts";
import { createOfficeSaves } from "../flows/office/save-from-office.ts";
import type { OfficeSaves } from "../flows/specs/office.ts";
import type { JobHandler } from "../jobs/handler.ts";
import type { JobQueue } from "../jobs/job.ts";
import { every, systemClock } from "../lib/clock.ts";
import type { Database } from "../store/database.ts";
import type { Answers } from "./answers.ts";
import type { Documents } from "./documents.ts";
import type { Closers, Foundation } from "./foundation.ts";

export interface Office {
  readonly saves: OfficeSaves;
  /** What requests receive, until they end. */
  readonly spool: FileStore;
  readonly handlers: readonly JobHandler[];
}

const SWEEP_MS = 10 * 60_000;

/** Null if documents are not configured. */
export async function createOffice(
  base: Foundation,
  parts: { readonly documents: Documents | null; readonly answers: Answers | null },
  queue: () => JobQueue,
  closers: Closers,
): Promise<Office | null> {
  const { documents, answers } = parts;
  if (documents === null) return null;
  const { clock, random, log, config } = base;
  // Not the shared spool: only the request that received a file reads it, so no other machine needs it.
  const spool = await openDiskFileStore({ folder: join(config.home, "office"), clock, random });
  const warn = (error: unknown) =>
    log.warn({ err: error }, "files of old saves could not be removed from the disk");
  closers.push(every(systemClock, SWEEP_MS, () => removeReceived(spool, clock), warn));
  const { actors, filing, settings } = documents;
  const { defaultContainerId } = settings;
  const more = { clock, random, log, queue, files: spool, defaultContainerId };
  const needs = { ...filing, ...more, actors };
  const { versionOf } = afterFiling({ log, app: actors.app, queue });
  return {
    spool,
    saves: createOfficeSaves(needs),
    handlers: [
      uploadFinalizationHandler({ ...needs, versionOf }) as JobHandler,
      ...followUpHandlers({
        log,
        analyze: answers?.analyses.isOn ? analyzeWith(base.database, answers) : null,
        index:
          answers !== null && config.answers.indexes
            ? (id, signal) => indexOne(answers.index, id, signal)
            : null,
      }),
    ],
  };
}

/** A deep analysis belongs to the person who saved the document; a profile, which is for all its readers, to the app. */
function analyzeWith(
  database: Database,
  { analyse }: Answers,
): NonNullable<FollowUpNeeds["analyze"]> {
  return async ({ jobId, attempt, maxAttempts, payload }, playbookId, signal) => {
    const documentId = payload.documentId.toLowerCase();
    const filing = playbookId === PROFILE ? null : await getFiling(database, documentId);
    const about = { documentId, playbookId, personId: filing?.ownerId ?? null };
    return analyse({ jobId, attempt, maxAttempts, payload: about }, signal);
  };
}
