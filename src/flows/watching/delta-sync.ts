/**
 * Reads a mailbox by delta: its folders, then each folder's changes. A folder that fails does not stop
 * the others; the run then fails as a whole, and its retry finds most of the work done.
 */
import { handle, type JobHandler } from "../../jobs/handler.ts";
import { excluded, type JobOutcome, outcomeOf, success } from "../../jobs/outcome.ts";
import { Fault } from "../../lib/fault.ts";
import { isPersonal } from "../../mailbox/consent.ts";
import { getConsent } from "../../mailbox/consent-table.ts";
import { type DeltaNeeds, readFolder } from "../../mailbox/delta/read-folder.ts";
import { skipUnchanged } from "../../mailbox/delta/skip-unchanged.ts";
import { sweepGoneFolders } from "../../mailbox/delta/sweep-folder.ts";
import { lookAndRecord } from "../../mailbox/events/look-and-record.ts";
import { explainRefusal } from "../../mailbox/explain-refusal.ts";
import { findFolders } from "../../mailbox/folders/folder-table.ts";
import { leaveFolder } from "../../mailbox/folders/leave-folder.ts";
import { syncFolders } from "../../mailbox/folders/sync-folders.ts";
import {
  getMailbox,
  type Mailbox,
  markRead,
  setMailboxReachable,
  setMailboxStatus,
} from "../../mailbox/mailbox-table.ts";
import { isGone } from "../../mailbox/messages/look-at-messages.ts";
import { clearDoubt, takeDoubtful } from "../../mailbox/messages/message-table.ts";
import { reviewDelivery } from "../../mailbox/subscriptions/choose-delivery.ts";
import { deltaSync } from "../specs/watching.ts";

const RECHECKS_AT_ONCE = 500;

export interface DeltaReport {
  readonly folders: number;
  readonly messages: number;
  readonly events: number;
  readonly failed: readonly { readonly folder: string; readonly error: unknown }[];
}

export function deltaSyncHandler(
  needs: DeltaNeeds & { readonly onEvents: (count: number) => void },
): JobHandler<(typeof deltaSync)["payload"]["_output"]> {
  return handle(
    deltaSync,
    async (job, run): Promise<JobOutcome> => {
      const mailbox = await getMailbox(needs.database, job.payload.mailbox);
      if (mailbox === null) return excluded("the mailbox was removed");
      if (mailbox.status === "paused") return excluded("the mailbox is paused");
      try {
        const report = await syncMailbox({ ...needs, onPage: run.progress }, mailbox);
        await reviewDelivery(needs, mailbox);
        needs.onEvents(report.events);
        const firstFailure = report.failed[0];
        return firstFailure === undefined
          ? success(`${report.events} events`)
          : outcomeOf(firstFailure.error);
      } catch (error) {
        // The mailbox's status shows the reason until it can be read again; a dead letter for every run
        // would only hide other dead letters.
        if (await noteUnreachable(needs, mailbox, error))
          return excluded("the mailbox cannot be read");
        return outcomeOf(error);
      }
    },
    { concurrency: 4 },
  );
}

export async function syncMailbox(needs: DeltaNeeds, mailbox: Mailbox): Promise<DeltaReport> {
  await syncFolders(needs, mailbox);
  if (mailbox.status === "unreachable") await setMailboxReachable(needs.database, mailbox.id);
  const seenBy = mailbox.delivery === "poll" ? "poll" : "delta";
  const report = {
    folders: 0,
    messages: 0,
    events: 0,
    failed: [] as { folder: string; error: unknown }[],
  };
  const folders = (await findFolders(needs.database, mailbox.id)).filter(
    (folder) => !folder.isExcluded,
  );
  const unchanged = await skipUnchanged(needs, mailbox, folders);
  report.folders += unchanged.folderIds.size;
  for (const folder of folders) {
    if (unchanged.folderIds.has(folder.folderId)) continue;
    try {
      if (unchanged.failed.has(folder.folderId)) throw unchanged.failed.get(folder.folderId);
      const isForgotten = unchanged.forgotten.has(folder.folderId);
      const round = await readFolder(needs, mailbox, { ...folder, isForgotten }, seenBy);
      report.folders += 1;
      report.messages += round?.messages ?? 0;
      report.events += round?.events ?? 0;
    } catch (error) {
      if (isGone(error)) await leaveFolder(needs.database, mailbox.id, folder.folderId);
      else report.failed.push({ folder: folder.displayName, error });
    }
  }
  report.events += await sweepGoneFolders(needs, mailbox, seenBy);
  report.events += await recheckDeletions(needs, mailbox);
  await markRead(needs.database, mailbox.id);
  return report;
}

/** Looks again at messages that an earlier run found gone: one 404 does not prove a deletion. */
async function recheckDeletions(needs: DeltaNeeds, mailbox: Mailbox): Promise<number> {
  const doubtful = await takeDoubtful(needs.database, mailbox.id, RECHECKS_AT_ONCE);
  if (doubtful.length === 0) return 0;
  const events = await lookAndRecord(needs, mailbox, doubtful, "delta");
  await clearDoubt(needs.database, mailbox.id, doubtful);
  return events;
}

const REFUSALS: ReadonlySet<string> = new Set(["graph.denied", "graph.not-found"]);

/**
 * Handles a refusal of the whole mailbox: it is logged once, shown to the operator, and not retried before
 * the next run. If the owner's consent has ended, the mailbox already shows that as the reason.
 */
async function noteUnreachable(
  needs: DeltaNeeds,
  mailbox: Mailbox,
  error: unknown,
): Promise<boolean> {
  if (isPersonal(mailbox.connection)) {
    const consent = await getConsent(needs.database, mailbox.connection);
    if (consent?.state !== "connected") return true;
  }
  const isRefusal = error instanceof Fault && REFUSALS.has(error.code);
  if (!isRefusal || mailbox.status === "unreachable") return isRefusal;
  await setMailboxStatus(needs.database, mailbox.id, "unreachable", explainRefusal(error));
  needs.log.error({ err: error, mailbox: mailbox.address }, "the mailbox cannot be read");
  return true;
}
