/** Spaarke: the jobs that wait in its queues, and the documents that it filed. */
import type { Command } from "commander";
import * as z from "zod";
import { importDocuments, SpaarkeDocument } from "../../filing/from-spaarke/import-documents.ts";
import { archiveKey, processEmailToDocument } from "../../flows/specs/documents.ts";
import { createJobIds } from "../../jobs/job-id.ts";
import { toStoredKey } from "../../jobs/job-keys.ts";
import { insertJobs } from "../../jobs/job-table.ts";
import { systemClock } from "../../lib/clock.ts";
import { systemRandom } from "../../lib/random.ts";
import type { Transaction } from "../../store/database.ts";
import { toJson } from "../../store/storable.ts";
import type { Output } from "../base/output.ts";
import { type ImportOptions, runImport, withImportOptions } from "./run-import.ts";

/** An envelope as it is on the wire: camel case in `sdap-jobs`, Pascal case in the Office queues. */
const SpaarkeJob = z.preprocess(
  withSmallInitials,
  z.object({
    jobType: z.string().min(1).max(200),
    payload: z
      .preprocess(withSmallInitials, z.looseObject({ emailId: z.unknown().optional() }))
      .nullish(),
  }),
);
type SpaarkeJob = z.infer<typeof SpaarkeJob>;

/** These follow from documents and are begun again by our own schedules. */
const FOLLOWING = new Set([
  "AppOnlyDocumentAnalysis",
  "ProfileSummary",
  "RagIndexing",
  "BulkRagIndexing",
]);

export function addSpaarke(parent: Command, output: Output): void {
  withImportOptions(parent.command("spaarke-jobs <file>"))
    .description("take over the e-mails that wait in Spaarke's queues (messages as JSON lines)")
    .addHelpText("after", "\nExample:\n  postroom import spaarke-jobs sdap-jobs.jsonl --dry-run")
    .action((file: string, options: ImportOptions) =>
      runImport({ file, shape: SpaarkeJob, take: takeJobs }, options, output),
    );
  withImportOptions(parent.command("spaarke-documents <file>"))
    .description("register the documents that Spaarke filed (rows of sprk_document, JSON lines)")
    .addHelpText(
      "after",
      "\nExample:\n  postroom import spaarke-documents documents.jsonl --dry-run",
    )
    .action((file: string, options: ImportOptions) =>
      runImport(
        {
          file,
          shape: SpaarkeDocument,
          take: async (tx, rows) => ({ ...(await importDocuments(tx, rows)) }),
        },
        options,
        output,
      ),
    );
}

function withSmallInitials(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replace(/^./, (letter) => letter.toLowerCase()),
      each,
    ]),
  );
}

/** The engine gets them from the sweep, as it does every job whose message was lost. */
async function takeJobs(tx: Transaction, jobs: readonly SpaarkeJob[]) {
  const mails = jobs.filter(({ jobType }) => jobType === processEmailToDocument.type);
  const emailIds = mails.map(({ payload }) => z.guid().safeParse(payload?.emailId).data ?? null);
  const uniqueIds = [
    ...new Set(emailIds.filter((id) => id !== null).map((id) => id.toLowerCase())),
  ];
  const ids = createJobIds(uniqueIds.length, systemClock, systemRandom);
  const rows = uniqueIds.map((emailId, index) => ({
    id: ids[index]!,
    subjectId: emailId,
    correlationId: null,
    ownerId: null,
    key: toStoredKey(archiveKey(emailId)),
    payload: toJson({
      emailId,
      triggerSource: "Operator",
      messageName: null,
      operationCreatedOn: null,
      webhookCorrelationId: null,
    }),
    runAtMs: null,
  }));
  const added = rows.length === 0 ? 0 : (await insertJobs(tx, processEmailToDocument, rows)).size;
  const following = jobs.filter(({ jobType }) => FOLLOWING.has(jobType)).length;
  const withoutMail = emailIds.filter((id) => id === null).length;
  return {
    added,
    known: mails.length - withoutMail - added,
    following,
    notTaken: jobs.length - mails.length - following + withoutMail,
  };
}
