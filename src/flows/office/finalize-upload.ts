/**
 * Office to document, the second half: the files of a save are on the drive, and this job writes their records in the
 * name of the person who saved them: a document for each file, an artifact for the mail and for each attachment, and
 * the links between them. Every row has an id that is derived from the save, so a step can be repeated.
 */
import type { Actor, Actors } from "../../filing/actors.ts";
import type { Filing } from "../../filing/filing.ts";
import { getFiling, wantRecord } from "../../filing/filing-table.ts";
import { finishRecord } from "../../filing/finish-filing.ts";
import {
  ATTACHMENT_ARTIFACTS,
  attachmentArtifact,
  attachmentArtifactId,
  EMAIL_ARTIFACTS,
  emailArtifact,
  emailArtifactId,
} from "../../filing/office/office-columns.ts";
import { getSave } from "../../filing/office/office-save-table.ts";
import { partsOf, type SavedPart } from "../../filing/office/put-files.ts";
import type { JobHandler, JobRun } from "../../jobs/handler.ts";
import type { Job, JobQueue } from "../../jobs/job.ts";
import { analysisKey, documentIndexKey } from "../../jobs/job-keys.ts";
import { handleOffice } from "../../jobs/office-outcome.ts";
import { type JobOutcome, success } from "../../jobs/outcome.ts";
import { getJobView } from "../../jobs/status/job-status-table.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { killPoint } from "../../lib/kill-points.ts";
import type { Log } from "../../lib/log.ts";
import type { Database, Transaction } from "../../store/database.ts";
import {
  type AiOptions,
  officeDeepAnalysis,
  officeIndexing,
  officeProfile,
  type Phase,
  uploadFinalization,
} from "../specs/office.ts";
import { mirrorJob } from "./mirror-job.ts";
import { notePhase } from "./phases.ts";
import { removeTaken, type SaveToFinish, type TakeFileNeeds, takeFile } from "./take-file.ts";

export interface FinalizeNeeds extends TakeFileNeeds {
  readonly database: Database;
  readonly actors: Actors;
  readonly queue: () => JobQueue;
  /** The version of a record; null if Dataverse does not say. */
  readonly versionOf: (documentId: string) => Promise<string | null>;
  readonly onFiled?: (filing: Filing) => void;
  readonly clock: Clock;
  readonly log: Log;
}

type FinalizeJob = Job<(typeof uploadFinalization)["payload"]["_output"]>;

/** What a profile and a deep analysis are called in their keys. */
const PROFILE_NAME = "Document Profile";
const DEEP_ANALYSIS_NAME = "Deep Analysis";

export function uploadFinalizationHandler(
  needs: FinalizeNeeds,
): JobHandler<FinalizeJob["payload"]> {
  return handleOffice(uploadFinalization, (job, run) => finalize(needs, job, run));
}

async function finalize(needs: FinalizeNeeds, job: FinalizeJob, run: JobRun): Promise<JobOutcome> {
  const { save, actor } =
    "saveId" in job.payload
      ? await loadSave(needs, job.payload.saveId, job.jobId)
      : await takeFile(needs, job.jobId, job.payload);
  const { facts, id: saveId } = save;
  const [main, ...attachments] = partsOf(saveId, facts);
  const reach = (phase: Phase) =>
    needs.database.transaction((tx) => notePhase(tx, job.jobId, phase, needs.clock.now()));
  await mirrorJob(needs, save, { status: "Running", progress: 40, stage: "RecordsCreating" });
  await reach("RecordsCreating");
  const filed = [await writeDocument(needs, actor, main!)];
  await reach("FileAlreadyUploaded");
  await killPoint("office.main-recorded");
  run.progress();
  await writeArtifacts(actor, save, main!, []);
  await reach("RecordsCreated");
  for (const part of attachments) {
    filed.push(await writeDocument(needs, actor, part));
    run.progress();
  }
  await writeArtifacts(actor, save, main!, attachments);
  if (attachments.length > 0) await reach("AttachmentsProcessed");
  if (!("saveId" in job.payload)) await removeTaken(needs, job.payload);
  await killPoint("office.artifacts-written");
  const versions = await versionsOf(needs, filed);
  await mirrorJob(needs, save, { status: "Completed", progress: 100, stage: "Complete" });
  if (facts.ai?.profileSummary) await reach("ProfileGenerating");
  if (facts.ai?.ragIndex) await reach("IndexingQueued");
  const { ai } = facts;
  if (ai !== null) await run.commit([job], (tx) => addFollowUps(needs, tx, versions, ai, job));
  return success(`document ${main!.filingId}`);
}

/** Only a job that the save itself added works in the name of its person; a message on a queue proves nothing. */
async function loadSave({ database, actors }: FinalizeNeeds, id: string, jobId: string) {
  const save = await getSave(database, id);
  if (save === null || (await getJobView(database, jobId))?.ownerId !== save.ownerId)
    throw new Fault("request.bad", "there is no such save");
  return { save, actor: actors.actingFor(save.ownerId) };
}

/** The record is written in the person's name: Dataverse allows only what both the person and the app may do. */
async function writeDocument(needs: FinalizeNeeds, actor: Actor, part: SavedPart): Promise<Filing> {
  const filing = await getFiling(needs.database, part.filingId);
  if (filing === null || filing.itemId === null)
    throw new Fault("request.bad", "a file of this save is not on the drive");
  if (filing.state === "recorded") return filing;
  await wantRecord(needs.database, filing.id, part.columns);
  return finishRecord(
    { database: needs.database, ...(needs.onFiled ? { onFiled: needs.onFiled } : {}) },
    actor,
    filing.id,
  );
}

/** A message has an artifact, and so has every attachment, saved with its mail or alone. */
async function writeArtifacts(
  { dataverse }: Actor,
  { id, facts }: SaveToFinish,
  main: SavedPart,
  attachments: readonly SavedPart[],
): Promise<void> {
  const { kind, mail } = facts;
  const mailArtifact = mail === null ? null : emailArtifactId(id);
  if (mail !== null && mailArtifact !== null) {
    const document = kind === "Email" ? main.filingId : null;
    const hasAttachments = kind === "Attachment" || facts.attachments.length > 0;
    await dataverse.upsert(
      EMAIL_ARTIFACTS,
      mailArtifact,
      emailArtifact(mail, hasAttachments, document),
    );
  }
  for (const part of kind === "Attachment" ? [main] : attachments)
    await dataverse.upsert(
      ATTACHMENT_ARTIFACTS,
      attachmentArtifactId(part.filingId),
      attachmentArtifact(part.file, part.filingId, mailArtifact),
    );
}

interface Version {
  readonly documentId: string;
  readonly version: string;
}

async function versionsOf(needs: FinalizeNeeds, filed: readonly Filing[]): Promise<Version[]> {
  return Promise.all(
    filed.map(async ({ id, sha256 }) => ({
      documentId: id,
      version: (await needs.versionOf(id)) ?? sha256 ?? "",
    })),
  );
}

async function addFollowUps(
  needs: FinalizeNeeds,
  tx: Transaction,
  versions: readonly Version[],
  ai: AiOptions,
  { correlationId }: FinalizeJob,
): Promise<void> {
  const about = (keyOf: (each: Version) => string) =>
    versions.map((each) => ({
      subjectId: each.documentId,
      correlationId,
      idempotencyKey: keyOf(each),
      payload: { documentId: each.documentId },
    }));
  const queue = needs.queue();
  if (ai.profileSummary)
    await queue.add(
      tx,
      officeProfile,
      about(({ documentId, version }) => analysisKey(documentId, PROFILE_NAME, version)),
    );
  if (ai.ragIndex)
    await queue.add(
      tx,
      officeIndexing,
      about(({ documentId, version }) => documentIndexKey(documentId, version)),
    );
  if (ai.deepAnalysis)
    await queue.add(
      tx,
      officeDeepAnalysis,
      about(({ documentId, version }) => analysisKey(documentId, DEEP_ANALYSIS_NAME, version)),
    );
}
