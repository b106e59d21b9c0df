/**
 * Document to analysis in the background, as the app. A profile is also written to the record, with its status. Each
 * step can be repeated: an answer that was paid for is stored before the record is written.
 */
import { getAnalysis, restartAnalysis, startAnalysis } from "../../analysis/analysis-table.ts";
import { type Profile, WITHOUT_MODEL } from "../../analysis/extractive-profile.ts";
import { getPlaybook, type Playbook, PROFILE, typeOf } from "../../analysis/playbook.ts";
import type { Actor } from "../../filing/actors.ts";
import { RECORDS } from "../../filing/record.ts";
import { handle, type JobHandler } from "../../jobs/handler.ts";
import type { Job } from "../../jobs/job.ts";
import { analysisKey } from "../../jobs/job-keys.ts";
import { excluded, failure, type JobOutcome, success } from "../../jobs/outcome.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault, toFault } from "../../lib/fault.ts";
import { killPoint } from "../../lib/kill-points.ts";
import { DataverseError } from "../../microsoft/dataverse/dataverse-fault.ts";
import type { TextReader } from "../../reading/read-text.ts";
import { moveVersion } from "../../search/indexed-document-table.ts";
import { FILE_OF_ANOTHER } from "../../search/write-index.ts";
import { isFileOfAnother } from "../documents/file-of-another.ts";
import { aiAnalyze } from "../specs/analysis.ts";
import { readSource, type SourceText } from "./read-source.ts";
import { authorOf, type RunNeeds, runPlaybook } from "./run-playbook.ts";

export interface AnalyseNeeds extends RunNeeds {
  readonly app: Actor;
  readonly texts: TextReader;
  readonly tenantId: string;
  readonly clock: Clock;
}

/** What is known about the job that asks for an analysis. */
export type AnalyseJob = Pick<
  Job<(typeof aiAnalyze)["payload"]["_output"]>,
  "jobId" | "attempt" | "maxAttempts" | "payload"
>;

/** The values of the record's status column. */
const STATUS = {
  pending: 100000001,
  completed: 100000002,
  failed: 100000004,
  unsupported: 100000005,
};
/** The budget of jobs that nobody asked for by name. */
const APP = "app";
const DAY_MS = 86_400_000;

export function aiAnalyzeHandler(needs: AnalyseNeeds): JobHandler<AnalyseJob["payload"]> {
  return handle(aiAnalyze, (job, { signal }) => analyseDocument(needs, job, signal), {
    concurrency: 2,
  });
}

/** A failure of the analysis is the outcome; only a failure to say so on the record is thrown. */
export async function analyseDocument(
  needs: AnalyseNeeds,
  job: AnalyseJob,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const documentId = job.payload.documentId.toLowerCase();
  const playbook = getPlaybook(job.payload.playbookId);
  if (playbook === null) return failure("request.bad", "no such playbook", { retryable: false });
  const mark = async (columns: object) => {
    if (playbook.id === PROFILE) await markRecord(needs, documentId, columns);
  };
  try {
    await mark({ sprk_filesummarystatus: STATUS.pending });
    await killPoint("profile.pending");
    const source = await readSource(needs.texts, needs.app, documentId, signal);
    if (await isFileOfAnother(needs.database, source))
      throw new Fault("pdf.damaged", FILE_OF_ANOTHER);
    const profile = await runOnce(needs, job, playbook, source, signal);
    await killPoint("profile.stored");
    if (profile !== null) await mark(toColumns(profile, needs));
    await killPoint("profile.recorded");
    return success(`${playbook.name} by ${authorOf(needs.model)}`);
  } catch (error) {
    signal.throwIfAborted();
    const outcome = outcomeOf(error, job, needs.clock);
    if (!outcome.isSuccess && !outcome.retryable)
      await mark({ sprk_filesummarystatus: STATUS.failed });
    if ("excluded" in outcome && toFault(error).code === "pdf.damaged")
      await mark({ sprk_filesummarystatus: STATUS.unsupported });
    return outcome;
  }
}

/** Every failure of a model is tried again: it may be up, or answer properly, next time. */
function outcomeOf(error: unknown, { attempt, maxAttempts }: AnalyseJob, clock: Clock): JobOutcome {
  const { code, message, remedy, retryAfterMs } = toFault(error);
  if (code === "pdf.damaged" || code === "dataverse.not-found") return excluded(message);
  // The budget is that of a day; the attempt does not count.
  if (code === "model.over-budget") {
    const untilTomorrowMs = DAY_MS - (clock.now() % DAY_MS) + 1_000;
    return failure(code, message, { countsAsAttempt: false, retryAfterMs: untilTomorrowMs });
  }
  const canPass = remedy === "retry" || remedy === "wait" || code.startsWith("model.");
  return failure(code, message, {
    retryable: canPass && (remedy === "wait" || attempt < maxAttempts),
    countsAsAttempt: remedy !== "wait",
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** The analysis has the id of its job, so a job that runs again continues its own analysis. */
async function runOnce(
  needs: AnalyseNeeds,
  job: AnalyseJob,
  playbook: Playbook,
  source: SourceText,
  signal: AbortSignal,
): Promise<Profile | null> {
  const { database, tenantId } = needs;
  const { documentId, name: documentName } = source;
  const personId = job.payload.personId ?? APP;
  const key = analysisKey(documentId, typeOf(playbook, source.sha256));
  const ownAnalysis = await getAnalysis(database, job.jobId, personId);
  if (ownAnalysis?.state === "completed" && ownAnalysis.key === key)
    return ownAnalysis.result as Profile | null;
  const run =
    ownAnalysis === null
      ? await startAnalysis(database, {
          id: job.jobId,
          key,
          tenantId,
          personId,
          documentId,
          documentName,
          playbookId: playbook.id,
          playbookVersion: playbook.version,
        })
      : await restartAnalysis(database, { ...ownAnalysis, key }, { isOurs: true });
  if (run === null) throw new Fault("job.busy", "somebody else is writing this analysis");
  const send = () => {};
  const playbookRun = { run, key, personId, playbook, source, send };
  const { result, isStored } = await runPlaybook(needs, playbookRun, signal);
  if (!isStored) throw new Fault("job.lease-lost", "another run has taken over this analysis");
  return result;
}

/** Writes columns of ours. The index has read this version already, apart from them, so it does not read it again. */
async function markRecord(
  { app, database }: AnalyseNeeds,
  documentId: string,
  columns: object,
): Promise<void> {
  const path = `${RECORDS}(${documentId})`;
  const row = await app.dataverse.get<{ "@odata.etag": string }>(`${path}?$select=sprk_documentid`);
  if (row === null) throw new Fault("dataverse.not-found", "the document no longer exists");
  const etag = row["@odata.etag"];
  try {
    const marked = await app.dataverse.call<{ "@odata.etag": string }>({
      method: "PATCH",
      path,
      body: columns,
      headers: { "if-match": etag, prefer: "return=representation" },
    });
    await moveVersion(database, documentId, versionOf(etag), versionOf(marked["@odata.etag"]));
  } catch (error) {
    if (!(error instanceof DataverseError && error.status === 412)) throw error;
    // Somebody changed the record between our two calls; the index will read that change.
    await app.dataverse.update(RECORDS, documentId, columns);
  }
}

const versionOf = (etag: string): string => /\d+/.exec(etag)![0];

const COLUMN_LENGTH_MAX = 9_000;

function toColumns(
  profile: Profile,
  { clock, model }: Pick<AnalyseNeeds, "clock" | "model">,
): Record<string, unknown> {
  const listed = (values: readonly string[], between = "; ") =>
    values.join(between).slice(0, COLUMN_LENGTH_MAX);
  return {
    sprk_filesummary: `${profile.summary.slice(0, COLUMN_LENGTH_MAX)}${model === null ? `\n\n${WITHOUT_MODEL}` : ""}`,
    sprk_filetldr: profile.tldr.slice(0, COLUMN_LENGTH_MAX),
    sprk_filekeywords: listed(profile.keywords, ", "),
    sprk_extractdocumenttype: profile.kind,
    sprk_extractdates: listed(profile.dates),
    sprk_extractorganization: listed(profile.parties),
    sprk_extractpeople: listed(profile.people),
    sprk_extractamounts: listed(profile.amounts),
    sprk_extractreference: listed(profile.references),
    sprk_filesummarydate: new Date(clock.now()).toISOString(),
    sprk_filesummarystatus: STATUS.completed,
  };
}
