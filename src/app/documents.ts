/** Wires filing: mail and uploads go to a drive and are recorded in Dataverse. */
import { Counter } from "prom-client";
import type { DocumentSettings } from "../config.ts";
import type { FileStore } from "../files/file-store.ts";
import { type Actors, createActors } from "../filing/actors.ts";
import { filingChecks } from "../filing/diagnose-filing.ts";
import { registerFilingMetrics } from "../filing/filing-metrics.ts";
import type { FilingNeeds } from "../filing/finish-filing.ts";
import { createMemoryCache, openRedisCache } from "../filing/navigation/nav-cache.ts";
import type { NavCache } from "../filing/navigation/navmap.ts";
import { createRuleBook, type RuleBook } from "../filing/rules/rule-book.ts";
import { afterFiling } from "../flows/documents/after-filing.ts";
import { afterMail } from "../flows/documents/after-mail.ts";
import {
  batchProcessEmailsHandler,
  createEmailBatches,
  pollEmailsHandler,
} from "../flows/documents/find-emails.ts";
import { findOriginalWith } from "../flows/documents/find-original.ts";
import { mailToDocumentHandler } from "../flows/documents/mail-to-document.ts";
import { createMailboxMailSource } from "../flows/documents/mailbox-mail.ts";
import { mailboxToDocumentHandler } from "../flows/documents/mailbox-to-document.ts";
import { sweepDocumentsHandler } from "../flows/documents/sweep-documents.ts";
import { createUploads } from "../flows/documents/upload-document.ts";
import { type EmailBatches, pollEmails, sweepDocuments } from "../flows/specs/documents.ts";
import type { Uploads } from "../flows/specs/uploads.ts";
import type { DataverseWebhookNeeds } from "../intake/dataverse-webhook.ts";
import type { JobHandler } from "../jobs/handler.ts";
import type { JobQueue } from "../jobs/job.ts";
import type { Schedule } from "../jobs/upkeep/schedule.ts";
import { createSeal } from "../lib/seal.ts";
import type { FollowUp } from "../mailbox/events/record-observations.ts";
import type { FurtherCheck } from "../mailbox/operating/diagnose.ts";
import type { Closers, Foundation } from "./foundation.ts";
import { lateQueue } from "./late-queue.ts";

export interface Documents {
  readonly settings: DocumentSettings;
  readonly actors: Actors;
  readonly filing: FilingNeeds;
  readonly uploads: Uploads;
  readonly navCache: NavCache;
  readonly rules: RuleBook;
  readonly handlers: readonly JobHandler[];
  readonly schedules: readonly Schedule[];
  readonly batches: EmailBatches;
  /** Adds the jobs that file mail, with its events. */
  readonly followUp: FollowUp;
  /** For the doctor. */
  readonly checks: readonly FurtherCheck[];
  readonly onWebhook: DataverseWebhookNeeds["onAnswer"];
}

/** Null if documents are not configured. */
export function createDocuments(
  base: Foundation,
  files: FileStore,
  queue: () => JobQueue,
  closers: Closers,
): Documents | null {
  const { database, random, clock, log, config, metrics, connections } = base;
  const settings = config.documents;
  if (settings === null) return null;
  const actors = createActors(settings, base);
  closers.push(actors.close);
  registerFilingMetrics(metrics, database);
  const { filed, webhooks } = createCounters(base);
  const filing: FilingNeeds = {
    database,
    sessions: actors.sessions,
    seal: createSeal(settings.clientSecret.reveal(), random),
    onFiled: ({ source }) => filed.inc({ source }),
    ...(config.answers.indexes ? { after: afterFiling({ log, app: actors.app, queue }) } : {}),
  };
  const { defaultAction, defaultContainerId, attachmentBytesMax, mailBytesMax } = settings;
  const mail = createMailboxMailSource((mailbox) => connections.graph(mailbox.connection));
  const rules = createRuleBook({ dataverse: actors.app.dataverse, defaultAction, clock, log });
  const mailNeeds = {
    ...filing,
    rules,
    files,
    clock,
    log,
    attachmentBytesMax,
    mailBytesMax,
    mail,
    app: actors.app,
    containerId: defaultContainerId,
  };
  const jobs = lateQueue(queue);
  const { polling } = settings;
  const emails = {
    database,
    clock,
    jobs,
    app: actors.app,
    polling: polling ?? { lookbackHours: 24, batchSize: 100 },
  };
  return {
    settings,
    actors,
    filing,
    rules,
    batches: createEmailBatches(emails),
    uploads: createUploads({ ...filing, actors, random, defaultContainerId }),
    navCache: openNavCache(base, closers),
    followUp: afterMail(jobs),
    handlers: [
      mailToDocumentHandler({ ...mailNeeds, findOriginal: findOriginalWith({ database, mail }) }),
      mailboxToDocumentHandler(mailNeeds),
      pollEmailsHandler(emails),
      batchProcessEmailsHandler(emails),
      sweepDocumentsHandler({ ...filing, actors, clock, log }),
    ] as JobHandler[],
    schedules: [
      { name: "sweep-documents", spec: sweepDocuments, payload: {}, rule: "every 10m" },
      ...(polling === null
        ? []
        : [
            {
              name: "poll-emails",
              spec: pollEmails,
              payload: {},
              rule: `every ${polling.everyMinutes}m`,
            },
          ]),
    ] as Schedule[],
    checks: filingChecks({
      actors,
      database,
      random,
      containerId: defaultContainerId,
      clientId: settings.clientId,
      hasWebhookSecret: settings.webhook.secret !== null,
    }),
    onWebhook: (outcome) => webhooks.inc({ outcome }),
  };
}

function createCounters({ metrics }: Foundation) {
  const registers = [metrics];
  return {
    filed: new Counter({
      name: "postroom_documents_filed_total",
      help: "Documents with file and record, by source",
      labelNames: ["source"],
      registers,
    }),
    webhooks: new Counter({
      name: "postroom_dataverse_webhooks_total",
      help: "Calls of the Dataverse webhook, by outcome",
      labelNames: ["outcome"],
      registers,
    }),
  };
}

function openNavCache({ config, clock, log }: Foundation, closers: Closers): NavCache {
  if (config.redisUrl === null) return createMemoryCache(clock);
  const cache = openRedisCache({ address: config.redisUrl.reveal(), clock, log });
  closers.push(cache.close);
  return cache;
}
