/**
 * From event to ingestion: every message that enters a mailbox's ingestion folder gets its job in the
 * transaction that writes its event. A crash leaves both or neither.
 */
import type { JobQueue } from "../jobs/job.ts";
import type { FollowUp } from "../mailbox/events/record-observations.ts";
import { findFolderIds } from "../mailbox/folders/folder-table.ts";
import type { Mailbox } from "../mailbox/mailbox-table.ts";
import { ingestMail, ingestMailKey } from "./specs-ingest.ts";

type NewEvent = Parameters<FollowUp>[2][number];

/** Events that put a message into a folder. */
const ENTERING: ReadonlySet<string> = new Set(["arrived", "moved", "restored", "re-keyed"]);

export function afterEvents(jobs: JobQueue): FollowUp {
  return async (tx, mailbox, events) => {
    if (mailbox.ingestFolder === null) return;
    const folders = await findFolderIds(tx, mailbox.id, mailbox.ingestFolder);
    const wanted = events.filter((event) => isForIngestion(event, mailbox, folders));
    if (wanted.length === 0) return;
    await jobs.add(
      tx,
      ingestMail,
      wanted.map(({ messageId }) => ({
        subjectId: messageId,
        idempotencyKey: ingestMailKey(messageId),
        payload: { mailbox: mailbox.address, messageId },
      })),
    );
  };
}

/** Mail that is older than the ingestion of its mailbox stays where it is. */
function isForIngestion(event: NewEvent, mailbox: Mailbox, folders: ReadonlySet<string>): boolean {
  return (
    ENTERING.has(event.eventType) &&
    folders.has(event.folderId) &&
    (event.receivedAt === null || event.receivedAt >= mailbox.ingestSince)
  );
}
