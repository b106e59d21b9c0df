/** Everything that the walk from mail to trade needs; only the extraction of facts is not real. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { openDiskBlobStore } from "../../src/files/blob-disk.ts";
import { openDiskFileStore } from "../../src/files/file-store.ts";
import { applyReviewHandler } from "../../src/flows/ingestion/apply-review.ts";
import { ingestFileHandler } from "../../src/flows/ingestion/ingest-file.ts";
import type { IngestMailNeeds } from "../../src/flows/ingestion/ingest-mail.ts";
import { ingestMailHandler } from "../../src/flows/ingestion/ingest-mail.ts";
import { applyReview, ingestMail, ingestMailKey } from "../../src/flows/specs/ingestion.ts";
import { ingestionTable } from "../../src/ingestion/ingestion-table.ts";
import { shareSpool } from "../../src/ingestion/shared-spool.ts";
import { createPostgresEngine } from "../../src/jobs/engines/postgres.ts";
import type { JobHandler, JobRun } from "../../src/jobs/handler.ts";
import { type JobOutcome, outcomeOf } from "../../src/jobs/outcome.ts";
import { createJobs, type Jobs } from "../../src/jobs/service/create-jobs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createLog } from "../../src/lib/log.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { createPdfReader } from "../../src/reading/read-pdf.ts";
import { createSandboxPool } from "../../src/reading/sandbox-pool.ts";
import { decideReview } from "../../src/review/decide-review.ts";
import type { ReviewDecision } from "../../src/review/review.ts";
import type { Database } from "../../src/store/database.ts";
import { createTenant, type Tenant } from "../../tenant/index.ts";
import { afterEachFile } from "../helpers/after-file.ts";
import { freshDatabase } from "../helpers/database.ts";
import { plainExtract } from "./plain-note.ts";
import { tenantMail, watch } from "./tenant-mail.ts";

export interface Workshop {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly jobs: Jobs;
  readonly needs: IngestMailNeeds;
  readonly mailbox: string;
  readonly folder: string;
  /** Delivers a mail with these files; returns its immutable id. */
  send(mail: {
    files?: readonly (Buffer | { name: string; bytes: Buffer })[];
    from?: string;
    subject?: string;
    internetMessageId?: string;
    attachments?: readonly object[];
  }): Promise<string>;
  /** Queues a mail and works until nothing is left. */
  ingest(messageId: string, options?: { isForced?: boolean; key?: string }): Promise<void>;
  /** One try, without a queue around it. */
  attempt(messageId: string, number: number, others?: IngestMailNeeds): Promise<JobOutcome>;
  /** A person answers a question, and the answer is carried out. */
  decide(reviewId: number, decision: ReviewDecision): Promise<void>;
}

const closers: (() => Promise<unknown>)[] = [];
afterEachFile(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Without workers of its own, jobs are left to the processes that a test starts. */
export async function openWorkshop(
  changes: Partial<IngestMailNeeds> = {},
  { hasWorkers = true } = {},
): Promise<Workshop> {
  const database = await freshDatabase();
  const folder = await mkdtemp(join(tmpdir(), "postroom-ingest-"));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const tenant = await createTenant({
    company: "none",
    serviceBus: false,
    switches: { mailboxLatencyMs: 0 },
  });
  closers.push(() => tenant.close());
  const log = createLog({ level: "silent" });
  const base = { database, clock: systemClock, random: systemRandom, log };
  // A busy machine may be slow; other tests show what happens to a slow document.
  const pool = createSandboxPool({ ...base, caps: { wallMs: 60_000 } });
  closers.push(() => pool.close());
  const late: { jobs?: Jobs } = {};
  const needs: IngestMailNeeds = {
    ...base,
    pool,
    table: ingestionTable(),
    mail: tenantMail(database, tenant),
    files: shareSpool(
      database,
      await openDiskFileStore({ ...base, folder: join(folder, "spool") }),
    ),
    blobs: await openDiskBlobStore({ ...base, folder: join(folder, "archive") }),
    pdfs: createPdfReader({ ...base, pool }),
    extract: plainExtract,
    jobs: { add: (...args) => late.jobs!.queue.add(...args) },
    firmDomains: ["firm.example"],
    ...changes,
  };
  const jobs = createJobs({
    ...base,
    metrics: new Registry(),
    engine: createPostgresEngine(base),
    handlers: hasWorkers
      ? ([
          ingestMailHandler(needs),
          ingestFileHandler(needs),
          applyReviewHandler({ ...base, jobs: needs.jobs, firmDomains: needs.firmDomains }),
        ] as JobHandler[])
      : [],
  });
  late.jobs = jobs;
  await jobs.start();
  closers.push(() => jobs.stop());
  const mailbox = tenant.users[0]!.mail;
  await watch(database, mailbox);

  return {
    database,
    tenant,
    jobs,
    needs,
    mailbox,
    folder,
    async send(mail) {
      const files = (mail.files ?? []).map((file, index) =>
        Buffer.isBuffer(file) ? { name: `note-${index + 1}.pdf`, bytes: file } : file,
      );
      const [sent] = await tenant.graph.admin.sendMail({
        to: mailbox,
        from: mail.from ?? "ldeburna@firm.example",
        subject: mail.subject ?? "Contract note",
        ...(mail.internetMessageId === undefined
          ? {}
          : { internetMessageId: mail.internetMessageId }),
        attachments: [
          ...files.map((file) => ({
            name: file.name,
            contentType: "application/pdf",
            bytes: file.bytes,
          })),
          ...(mail.attachments ?? []),
        ],
      } as never);
      return sent!.immutableId;
    },
    async ingest(messageId, options = {}) {
      const { isForced, key } = options;
      await database.transaction((tx) =>
        jobs.queue.add(tx, ingestMail, [
          {
            subjectId: messageId,
            idempotencyKey: key ?? ingestMailKey(messageId),
            payload: { mailbox, messageId, ...(isForced === undefined ? {} : { isForced }) },
          },
        ]),
      );
      await jobs.workUntilIdle();
    },
    async attempt(messageId, number, others = needs) {
      const job = {
        jobId: systemRandom.uuid(),
        jobType: ingestMail.type,
        subjectId: messageId,
        correlationId: "test",
        idempotencyKey: ingestMailKey(messageId),
        attempt: number,
        maxAttempts: ingestMail.maxAttempts,
        payload: { mailbox, messageId },
        createdAt: new Date().toISOString(),
      };
      const run: JobRun = {
        signal: new AbortController().signal,
        progress: () => {},
        commit: (_jobs, effects) => database.transaction(effects),
      };
      const outcomes = await ingestMailHandler(others).process([job], run).catch(outcomeOf);
      return Array.isArray(outcomes) ? outcomes[0]! : outcomes;
    },
    async decide(reviewId, decision) {
      const answer = await database.transaction(async (tx) => {
        const decided = await decideReview(tx, reviewId, { decision, by: "vera" });
        const job = { subjectId: String(reviewId), payload: { review: reviewId } };
        const idempotencyKey = `review-${reviewId}-${systemRandom.uuid()}`;
        await jobs.queue.add(tx, applyReview, [{ ...job, idempotencyKey }]);
        return decided;
      });
      if (answer.kind !== "decided") throw new Error(JSON.stringify(answer));
      await jobs.workUntilIdle();
    },
  };
}
