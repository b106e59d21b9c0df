/**
 * The audit's second question: does every message in the scope of ingestion have a job, or a row that says
 * how it ended? Without either, it would lead to neither a trade nor a question, and nobody would notice.
 */

import type { IngestionTable } from "../../ingestion/ingestion-table.ts";
import { findUnaccounted } from "../../ingestion/ingestion-view.ts";
import type { JobQueue } from "../../jobs/job.ts";
import { findUnfinishedSubjects } from "../../jobs/job-table.ts";
import { findEnterings } from "../../mailbox/events/event-table.ts";
import type { Mailbox } from "../../mailbox/mailbox-table.ts";
import type { IngestionAudit } from "../../mailbox/operating/audit-mailbox.ts";
import type { Database } from "../../store/database.ts";
import { ingestMail } from "../specs/ingestion.ts";
import { addIngestJobs } from "./after-events.ts";
import { loadScope } from "./ingestion-scope.ts";

const PAGE = 5_000;

export function createIngestionAudit(needs: {
  readonly database: Database;
  readonly table: IngestionTable;
  readonly jobs: JobQueue;
}): IngestionAudit {
  const { database, table, jobs } = needs;
  return {
    async findForgotten(mailbox, since) {
      const forgotten: string[] = [];
      if (mailbox.ingestFolder === null) return forgotten;
      const isInScope = await loadScope(database, mailbox);
      const from = since !== null && since > mailbox.ingestSince ? since : mailbox.ingestSince;
      for (let after = 0; ; ) {
        const events = await findEnterings(database, {
          mailbox: mailbox.id,
          from,
          after,
          limit: PAGE,
        });
        if (events.length === 0) return [...new Set(forgotten)];
        after = events.at(-1)!.seq;
        const ids = [...new Set(events.filter(isInScope).map((event) => event.messageId))];
        const unaccounted = await findUnaccounted(database, table, mailbox.address, ids);
        const waiting = await findUnfinishedSubjects(database, ingestMail.type, unaccounted);
        forgotten.push(...unaccounted.filter((id) => !waiting.has(id)));
      }
    },
    ingest: (mailbox: Mailbox, ids) =>
      database.transaction((tx) => addIngestJobs(tx, jobs, mailbox, ids)),
  };
}
