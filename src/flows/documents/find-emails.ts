/**
 * Finds e-mails in Dataverse that no webhook announced: the newest on a schedule, and those of a time range on
 * request. An e-mail that both the webhook and this flow find has one job, because the job's key is the same.
 */
import type { Actor } from "../../filing/actors.ts";
import { handle, type JobHandler } from "../../jobs/handler.ts";
import type { JobQueue } from "../../jobs/job.ts";
import { success } from "../../jobs/outcome.ts";
import { countUnfinished, findKnownSubjects } from "../../jobs/status/job-status-table.ts";
import { noteProgress } from "../../jobs/status/note-progress.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import type { Database } from "../../store/database.ts";
import {
  archiveKey,
  batchProcessEmails,
  type EmailBatches,
  pollEmails,
  processEmailToDocument,
} from "../specs/documents.ts";

export interface FindEmailsNeeds {
  readonly database: Database;
  readonly app: Actor;
  readonly clock: Clock;
  readonly jobs: JobQueue;
  readonly polling: { readonly lookbackHours: number; readonly batchSize: number };
}

type Source = "PollingBackup" | "Batch";

/** Activities that are finished: a draft is not a message yet. */
const COMPLETED_STATE = 1;
const HOUR_MS = 3_600_000;
const JOBS_AT_ONCE = 50;

export function pollEmailsHandler(needs: FindEmailsNeeds): JobHandler<Record<string, never>> {
  return handle(pollEmails, async () => {
    const { lookbackHours, batchSize } = needs.polling;
    const since = new Date(needs.clock.now() - lookbackHours * HOUR_MS).toISOString();
    const filter = `statecode eq ${COMPLETED_STATE} and createdon ge ${since} and sprk_documentprocessingstatus eq null`;
    const { value } = await needs.app.dataverse.call<{ value: readonly EmailId[] }>({
      path: `emails?$select=activityid&$filter=${filter}&$orderby=createdon desc&$top=${batchSize}`,
    });
    const ids = value.map(({ activityid }) => activityid.toLowerCase());
    const added = await addMissing(needs, ids, "PollingBackup");
    return success(added === 0 ? "every e-mail has its job" : `${added} e-mails had no job`);
  });
}

interface EmailId {
  readonly activityid: string;
}

export function batchProcessEmailsHandler(
  needs: FindEmailsNeeds,
): JobHandler<(typeof batchProcessEmails)["payload"]["_output"]> {
  return handle(batchProcessEmails, async ({ jobId, payload }, run) => {
    const ids = await findRange(needs, payload);
    let added = 0;
    for (let at = 0; at < ids.length; at += JOBS_AT_ONCE) {
      added += await addMissing(needs, ids.slice(at, at + JOBS_AT_ONCE), "Batch");
      const progress = { found: ids.length, queued: Math.min(at + JOBS_AT_ONCE, ids.length) };
      await needs.database.transaction((tx) => noteProgress(tx, jobId, "progress", progress));
      run.progress();
    }
    return success(`${ids.length} e-mails found, ${added} queued`);
  });
}

export function createEmailBatches(needs: FindEmailsNeeds): EmailBatches {
  return {
    async count(range) {
      const ids = await findRange(needs, range);
      const { open, dead } = await countUnfinished(
        needs.database,
        processEmailToDocument.type,
        ids,
      );
      return { found: ids.length, open, dead };
    },
  };
}

async function findRange(
  { app }: FindEmailsNeeds,
  { since, until }: { readonly since: string; readonly until: string },
): Promise<string[]> {
  const filter = `statecode eq ${COMPLETED_STATE} and createdon ge ${since} and createdon lt ${until}`;
  const rows = await app.dataverse.list<EmailId>(
    `emails?$select=activityid&$filter=${filter}&$orderby=createdon`,
  );
  return rows.map(({ activityid }) => activityid.toLowerCase());
}

/**
 * Adds the jobs of e-mails that never had one; an e-mail whose job failed is left to the dead letters. Returns how
 * many were added.
 */
async function addMissing(
  needs: FindEmailsNeeds,
  emailIds: readonly string[],
  source: Source,
): Promise<number> {
  const known = await findKnownSubjects(needs.database, processEmailToDocument.type, emailIds);
  const missing = emailIds.filter((id) => !known.has(id));
  for (const id of missing) await addOne(needs, id, source);
  return missing.length;
}

async function addOne(needs: FindEmailsNeeds, emailId: string, source: Source): Promise<void> {
  const job = {
    subjectId: emailId,
    idempotencyKey: archiveKey(emailId),
    payload: {
      emailId,
      triggerSource: source,
      messageName: null,
      operationCreatedOn: null,
      webhookCorrelationId: null,
    },
  };
  try {
    await needs.database.transaction((tx) => needs.jobs.add(tx, processEmailToDocument, [job]));
  } catch (error) {
    // The webhook was faster by a moment; its job has the same key and another payload.
    if (!(error instanceof Fault) || error.code !== "job.key-reused") throw error;
  }
}
