/** Ingestion over HTTP: its state, its messages and their trace, the guard, and ingesting again. */

import { ingestMail, ingestMailKey } from "../../flows/specs/ingestion.ts";
import { findDocumentsOfMail } from "../../ingestion/document-table.ts";
import { setForeignLease } from "../../ingestion/foreign-lease-table.ts";
import { installGuard, probeGuard, removeGuard } from "../../ingestion/guard.ts";
import type { IngestionTable } from "../../ingestion/ingestion-table.ts";
import { findMails, type MailRow, viewIngestion } from "../../ingestion/ingestion-view.ts";
import { assertMessageId } from "../../ingestion/message-id.ts";
import { findStages } from "../../ingestion/trace-table.ts";
import type { JobQueue } from "../../jobs/job.ts";
import type { Random } from "../../lib/random.ts";
import { getMailboxByAddress } from "../../mailbox/mailbox-table.ts";
import type { Caller } from "../access/auth.ts";
import { type MaskNeeds, maskFor } from "../access/masking.ts";
import { keepWithEffect } from "../http/idempotency.ts";
import { notWatched } from "../http/not-watched.ts";
import { toPage } from "../http/paging.ts";
import { notFound } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/ingestion.ts";

export interface IngestRoutesNeeds extends MaskNeeds {
  readonly jobs: JobQueue;
  readonly random: Random;
  readonly table: IngestionTable;
}

export function registerIngestRoutes(app: ApiScope, needs: IngestRoutesNeeds): void {
  registerReads(app, needs);
  registerWrites(app, needs);
}

function registerReads(app: ApiScope, needs: IngestRoutesNeeds): void {
  const { database, table } = needs;
  /** Subjects and senders of other people's mail are hidden if the settings ask for it. */
  const shown = async (caller: Caller, mails: readonly MailRow[]): Promise<MailRow[]> => {
    const mask = await maskFor(needs, caller);
    return mails.map((mail) =>
      mask(mail.mailbox) ? { ...mail, subject: null, sender: null } : mail,
    );
  };

  app.get(
    "/api/ingest",
    { config: { access: "viewer" }, schema: schemas.viewIngestion },
    async (_request) => {
      return viewIngestion(database, table);
    },
  );

  app.get(
    "/api/ingest/mails",
    { config: { access: "viewer" }, schema: schemas.listMails },
    async (request) => {
      const { cursor: before, limit, ...filter } = request.query;
      const found = await findMails(database, table, { ...filter, before, limit: limit + 1 });
      const { rows, next } = toPage("mails", limit, found, ({ id }) => id);
      return { mails: await shown(request.caller, rows), next };
    },
  );

  app.get(
    "/api/ingest/mails/:id",
    { config: { access: "viewer" }, schema: schemas.getMail },
    async (request) => {
      const { id } = request.params;
      const [mail] = await findMails(database, table, { messageId: id });
      const steps = await findStages(database, id);
      if (mail === undefined && steps.length === 0) throw notFound("no such message was ingested");
      const [visible = null] = await shown(request.caller, mail === undefined ? [] : [mail]);
      return { mail: visible, steps, documents: await findDocumentsOfMail(database, id) };
    },
  );
}

function registerWrites(app: ApiScope, needs: IngestRoutesNeeds): void {
  const { database, table } = needs;

  app.post(
    "/api/ingest/mails",
    { config: { access: "operator" }, schema: schemas.ingestAgain },
    async (request, reply) => {
      const { mailbox, messageId } = request.body;
      assertMessageId(messageId);
      if ((await getMailboxByAddress(database, mailbox)) === null) throw notWatched(mailbox);
      const job = {
        subjectId: messageId,
        idempotencyKey: `${ingestMailKey(messageId)}-again-${needs.random.uuid()}`,
        payload: { mailbox, messageId, isForced: true },
      };
      const answer = await database.transaction(async (tx) => {
        const [jobId] = await needs.jobs.add(tx, ingestMail, [job]);
        const begun = { jobId: jobId!, statusUrl: `/api/jobs/${jobId}/status` };
        return keepWithEffect(tx, reply, begun, 202);
      });
      return reply.code(202).send(answer);
    },
  );

  app.post(
    "/api/ingest/guard",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.setGuard },
    async (request) => {
      const { action, dryRun } = request.body;
      if (dryRun)
        return { dryRun: true as const, action, guard: await probeGuard(database, table) };
      await (action === "install" ? installGuard : removeGuard)(database, table);
      return { guard: await probeGuard(database, table) };
    },
  );

  app.put(
    "/api/ingest/foreign-leases",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.setForeignLease },
    async (request) => {
      const { workerPrefix, seconds } = request.body;
      await setForeignLease(database, workerPrefix, seconds * 1_000);
      return { workerPrefix, seconds };
    },
  );
}
