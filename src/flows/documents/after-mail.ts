/**
 * From event to filing: a message that enters a folder with a filing rule gets its job in the transaction that
 * writes its event. A crash keeps both or neither.
 */
import {
  type FilingRule,
  findFilingRules,
  WHOLE_MAILBOX,
} from "../../filing/from-mail/filing-rule-table.ts";
import type { JobQueue } from "../../jobs/job.ts";
import { ENTERING_EVENTS } from "../../mailbox/events/diff-message.ts";
import type { FollowUp } from "../../mailbox/events/record-observations.ts";
import { findFolderIds, findFolders } from "../../mailbox/folders/folder-table.ts";
import type { Mailbox } from "../../mailbox/mailbox-table.ts";
import type { Queryable, Transaction } from "../../store/database.ts";
import { fileMessage, fileMessageKey } from "../specs/documents.ts";

/** Folders whose mail nobody keeps, and mail that nobody has sent yet. */
const NOT_KEPT: ReadonlySet<string> = new Set(["drafts", "outbox", "junkemail", "deleteditems"]);

export function afterMail(jobs: JobQueue): FollowUp {
  return async (tx, mailbox, events) => {
    if (mailbox.filedFolders.length === 0) return;
    for (const rule of await findFilingRules(tx, mailbox.id)) {
      const folders = await foldersOf(tx, mailbox.id, rule);
      const entered = events.filter(
        ({ eventType, folderId, receivedAt }) =>
          ENTERING_EVENTS.has(eventType) &&
          folders.has(folderId) &&
          (receivedAt === null || receivedAt >= rule.since),
      );
      const ids = entered.map(({ messageId }) => messageId);
      await addFileJobs(tx, jobs, mailbox, rule.folder, ids);
    }
  };
}

/** The ids of the folders that a rule covers. */
export async function foldersOf(
  on: Queryable,
  mailbox: number,
  { folder }: Pick<FilingRule, "folder">,
): Promise<Set<string>> {
  if (folder !== WHOLE_MAILBOX) return findFolderIds(on, mailbox, folder);
  const kept = (await findFolders(on, mailbox)).filter(
    ({ isExcluded, wellKnown }) => !isExcluded && !NOT_KEPT.has(wellKnown ?? ""),
  );
  return new Set(kept.map(({ folderId }) => folderId));
}

export async function addFileJobs(
  tx: Transaction,
  jobs: JobQueue,
  mailbox: Mailbox,
  folder: string,
  messageIds: readonly string[],
): Promise<string[]> {
  return jobs.add(
    tx,
    fileMessage,
    [...new Set(messageIds)].map((messageId) => ({
      subjectId: messageId,
      idempotencyKey: fileMessageKey(messageId, folder),
      payload: { mailbox: mailbox.address, messageId, folder },
    })),
  );
}
