/**
 * Ingests and files mail that was in its folder before the mailbox was set up. The messages come from what delta has
 * read, so nothing is asked of Graph before the jobs run, and a message that has its job or its result keeps it.
 */
import { findFilingRules } from "../../filing/from-mail/filing-rule-table.ts";
import { handle, type JobHandler } from "../../jobs/handler.ts";
import type { JobQueue } from "../../jobs/job.ts";
import { excluded, success } from "../../jobs/outcome.ts";
import { countUnfinished } from "../../jobs/status/job-status-table.ts";
import { noteProgress } from "../../jobs/status/note-progress.ts";
import { findFolderIds, findFolders } from "../../mailbox/folders/folder-table.ts";
import { getMailboxByAddress, type Mailbox } from "../../mailbox/mailbox-table.ts";
import { findReceived } from "../../mailbox/messages/message-table.ts";
import type { Database, Queryable, Transaction } from "../../store/database.ts";
import { addFileJobs, foldersOf } from "../documents/after-mail.ts";
import { fileMessage } from "../specs/documents.ts";
import {
  type BackfillCounts,
  type BackfillScope,
  type Backfills,
  backfillMail,
  ingestMail,
} from "../specs/ingestion.ts";
import { addIngestJobs } from "./after-events.ts";

interface Needs {
  readonly database: Database;
  readonly jobs: JobQueue;
}

/** What is done with the mail of some folders. */
interface Errand {
  readonly does: "ingest" | "file";
  readonly jobType: string;
  readonly folders: ReadonlySet<string>;
  add(tx: Transaction, messageIds: readonly string[]): Promise<unknown>;
}

const PAGE = 500;

export function backfillMailHandler(
  needs: Needs,
): JobHandler<(typeof backfillMail)["payload"]["_output"]> {
  return handle(backfillMail, async (job, run) => {
    const { mailbox: address, since, until } = job.payload;
    const mailbox = await getMailboxByAddress(needs.database, address);
    if (mailbox === null) return excluded(`${address} is not watched any more`);
    const scope = { mailbox, since: new Date(since), until: new Date(until) };
    const added = { ingest: 0, file: 0 };
    for (const errand of await findErrands(needs, mailbox)) {
      for await (const ids of pagesOf(needs.database, scope, errand)) {
        await needs.database.transaction(async (tx) => {
          await errand.add(tx, ids);
          added[errand.does] += ids.length;
          await noteProgress(tx, job.jobId, "progress", added);
        });
        run.progress();
      }
    }
    return success(`${added.ingest} messages to ingest, ${added.file} to file`);
  });
}

export function createBackfills(needs: Needs): Backfills {
  return {
    async count(scope) {
      const counts = { ingest: nothing(), file: nothing() };
      const errands = await findErrands(needs, scope.mailbox);
      for (const errand of errands)
        counts[errand.does] = sum(
          counts[errand.does],
          await countErrand(needs.database, scope, errand),
        );
      const folders = new Set(errands.flatMap((errand) => [...errand.folders]));
      const all = await findFolders(needs.database, scope.mailbox.id);
      const isComplete = all.every(
        ({ folderId, isFullRound, deltaLink }) =>
          !folders.has(folderId) || (!isFullRound && deltaLink !== null),
      );
      return { ...counts, isComplete: isComplete && all.length > 0 };
    },
  };
}

const nothing = (): BackfillCounts => ({ messages: 0, open: 0, dead: 0 });

const sum = (one: BackfillCounts, other: BackfillCounts): BackfillCounts => ({
  messages: one.messages + other.messages,
  open: one.open + other.open,
  dead: one.dead + other.dead,
});

async function findErrands({ database, jobs }: Needs, mailbox: Mailbox): Promise<Errand[]> {
  const errands: Errand[] = [];
  if (mailbox.ingestFolder !== null)
    errands.push({
      does: "ingest",
      jobType: ingestMail.type,
      folders: await findFolderIds(database, mailbox.id, mailbox.ingestFolder),
      add: (tx, ids) => addIngestJobs(tx, jobs, mailbox, ids),
    });
  for (const rule of await findFilingRules(database, mailbox.id))
    errands.push({
      does: "file",
      jobType: fileMessage.type,
      folders: await foldersOf(database, mailbox.id, rule),
      add: (tx, ids) => addFileJobs(tx, jobs, mailbox, rule.folder, ids),
    });
  return errands;
}

async function countErrand(
  on: Queryable,
  scope: BackfillScope,
  errand: Errand,
): Promise<BackfillCounts> {
  let counts = nothing();
  for await (const ids of pagesOf(on, scope, errand)) {
    const unfinished = await countUnfinished(on, errand.jobType, ids);
    counts = sum(counts, { messages: ids.length, ...unfinished });
  }
  return counts;
}

async function* pagesOf(
  on: Queryable,
  { mailbox, since, until }: BackfillScope,
  { folders }: Errand,
): AsyncGenerator<string[]> {
  for (let after = ""; ; ) {
    const page = { folders, since, until, after, limit: PAGE };
    const ids = await findReceived(on, mailbox.id, page);
    if (ids.length === 0) return;
    yield ids;
    after = ids.at(-1)!;
  }
}
