/**
 * From event to ingestion: every message in the scope of its mailbox's ingestion gets its job in the
 * transaction that writes its event. A crash keeps both or neither.
 */
import type { JobQueue } from "../../jobs/job.ts";
import type { FollowUp } from "../../mailbox/events/record-observations.ts";
import type { Mailbox } from "../../mailbox/mailbox-table.ts";
import type { Transaction } from "../../store/database.ts";
import { ingestMail, ingestMailKey } from "../specs/ingestion.ts";
import { loadScope } from "./ingestion-scope.ts";

export function afterEvents(jobs: JobQueue): FollowUp {
  return async (tx, mailbox, events) => {
    if (mailbox.ingestFolder === null) return;
    const isInScope = await loadScope(tx, mailbox);
    const wanted = events.filter(isInScope).map(({ messageId }) => messageId);
    if (wanted.length > 0) await addIngestJobs(tx, jobs, mailbox, wanted);
  };
}

export async function addIngestJobs(
  tx: Transaction,
  jobs: JobQueue,
  mailbox: Mailbox,
  messageIds: readonly string[],
): Promise<void> {
  await jobs.add(
    tx,
    ingestMail,
    messageIds.map((messageId) => ({
      subjectId: messageId,
      idempotencyKey: ingestMailKey(messageId),
      payload: { mailbox: mailbox.address, messageId },
    })),
  );
}
