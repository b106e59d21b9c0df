/** Ingestion over HTTP: how it stands, its messages and their trace, the guard, another try. */

import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { ingestMail, ingestMailKey } from "../flows/specs/ingestion.ts";
import { findDocumentsOfMail } from "../ingestion/document-table.ts";
import { setForeignLease } from "../ingestion/foreign-lease-table.ts";
import { installGuard, probeGuard, removeGuard } from "../ingestion/guard.ts";
import type { IngestionTable } from "../ingestion/ingestion-table.ts";
import { findMails, viewIngestion } from "../ingestion/ingestion-view.ts";
import { assertMessageId } from "../ingestion/message-id.ts";
import { findStages } from "../ingestion/trace-table.ts";
import type { JobQueue } from "../jobs/job.ts";
import type { Random } from "../lib/random.ts";
import type { Database } from "../store/database.ts";
import { parse } from "./http/parse.ts";
import { notFound } from "./http/problem.ts";

export interface IngestRoutesNeeds {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly random: Random;
  readonly table: IngestionTable;
}

const MailsQuery = z.object({
  status: z.enum(["processing", "success", "failed", "skipped"]).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});
const Guard = z.object({
  action: z.enum(["install", "remove"]),
  dryRun: z.boolean().default(false),
});
const ForeignLease = z.object({
  workerPrefix: z.string().max(200),
  seconds: z
    .number()
    .positive()
    .max(7 * 86_400),
});
const Again = z.object({
  mailbox: z.string().min(3).max(320),
  messageId: z.string().min(1).max(500),
});

export function registerIngestRoutes(app: FastifyInstance, needs: IngestRoutesNeeds): void {
  const { database, table } = needs;

  app.get("/api/ingest", { config: { access: "viewer" } }, async (_request) => {
    return viewIngestion(database, table);
  });

  app.get("/api/ingest/mails", { config: { access: "viewer" } }, async (request) => {
    return { mails: await findMails(database, table, parse(MailsQuery, request.query)) };
  });

  app.get("/api/ingest/mails/:id", { config: { access: "viewer" } }, async (request) => {
    const { id } = request.params as { id: string };
    const [mail] = await findMails(database, table, { messageId: id });
    const steps = await findStages(database, id);
    if (mail === undefined && steps.length === 0) throw notFound("no such message was ingested");
    return { mail: mail ?? null, steps, documents: await findDocumentsOfMail(database, id) };
  });

  app.post("/api/ingest/mails", { config: { access: "operator" } }, async (request, reply) => {
    const { mailbox, messageId } = parse(Again, request.body);
    assertMessageId(messageId);
    const [jobId] = await database.transaction((tx) =>
      needs.jobs.add(tx, ingestMail, [
        {
          subjectId: messageId,
          idempotencyKey: `${ingestMailKey(messageId)}-again-${needs.random.uuid()}`,
          payload: { mailbox, messageId, isForced: true },
        },
      ]),
    );
    return reply.code(202).send({ jobId, statusUrl: `/api/jobs/${jobId}/status` });
  });

  app.post("/api/ingest/guard", { config: { access: "operator" } }, async (request) => {
    const { action, dryRun } = parse(Guard, request.body);
    if (dryRun) return { dryRun, action, guard: await probeGuard(database, table) };
    await (action === "install" ? installGuard : removeGuard)(database, table);
    return { guard: await probeGuard(database, table) };
  });

  app.put("/api/ingest/foreign-leases", { config: { access: "operator" } }, async (request) => {
    const { workerPrefix, seconds } = parse(ForeignLease, request.body);
    await setForeignLease(database, workerPrefix, seconds * 1_000);
    return { workerPrefix, seconds };
  });
}
