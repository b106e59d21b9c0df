/**
 * Mail to trade, in the stages that every program on the shared table agreed on:
 *
 *   0 id → 1 check → 2 claim → 3 fetch → 4 process → 5 archive → 6 mark, or 6b failed with a reason
 *
 * Every stage before 6 can be repeated without harm. Stage 6 is one transaction: the trades, the questions, the
 * mark on the shared table and the end of the job. Each stage leaves an entry in the trace.
 */

import { findDoneAlias, recordAliases } from "../../ingestion/alias-table.ts";
import { type Claim, claimMail, type Refusal } from "../../ingestion/claim-mail.ts";
import { recordConflict } from "../../ingestion/conflict-table.ts";
import { type Conclusion, concludeMail } from "../../ingestion/finish-mail.ts";
import { isDone, isStillOurs } from "../../ingestion/ingestion-table.ts";
import { startHeartbeat } from "../../ingestion/keep-claims.ts";
import { uncountClaim } from "../../ingestion/lease-table.ts";
import { emailKeyOf } from "../../ingestion/mail-key.ts";
import { assertMessageId } from "../../ingestion/message-id.ts";
import { recordStage } from "../../ingestion/trace-table.ts";
import { newWorkerId } from "../../ingestion/worker-id.ts";
import type { JobHandler, JobRun } from "../../jobs/handler.ts";
import { handle } from "../../jobs/handler.ts";
import type { Job } from "../../jobs/job.ts";
import { excluded, failure, type JobOutcome, outcomeOf, success } from "../../jobs/outcome.ts";
import { backoffMs } from "../../lib/backoff.ts";
import { Fault, toFault } from "../../lib/fault.ts";
import { killPoint } from "../../lib/kill-points.ts";
import { redactText } from "../../lib/redact.ts";
import type { SandboxPool } from "../../reading/sandbox-pool.ts";
import type { Transaction } from "../../store/database.ts";
import { ingestMail, ingestMailKey } from "../specs/ingestion.ts";
import { archiveAll, recordLost } from "./stages/archive-all.ts";
import {
  type FetchedFiles,
  fetchAgain,
  fetchFiles,
  recallMessage,
  rememberMessage,
} from "./stages/fetch-files.ts";
import { findMoved } from "./stages/find-moved.ts";
import type { MailMessage } from "./stages/mail-source.ts";
import type { Ingestion, IngestNeeds } from "./stages/needs.ts";
import { type ReadDocument, readDocument } from "./stages/read-document.ts";
import { settleDocuments } from "./stages/settle-documents.ts";

type MailJob = Job<(typeof ingestMail)["payload"]["_output"]>;

export interface IngestMailNeeds extends IngestNeeds {
  /** Opens messages inside messages. */
  readonly pool: SandboxPool;
  /** Why no message may be claimed at present; null if there is no obstacle. */
  readonly getObstacle?: () => Promise<string | null>;
}

/** A notification may arrive before every replica has the message. */
const LOOKS_BEFORE_GONE = 3;
const LOOK_AGAIN_MS = 20_000;
const RETRY = { firstMs: 5_000, capMs: 900_000 };
const OBSTACLE_RETRY_MS = 60_000;
/** A claim may be held for minutes; taking one needs seconds at most. */
const LIVE_RETRY_MS = 30_000;
const BUSY_RETRY_MS = 2_000;

export function ingestMailHandler(needs: IngestMailNeeds): JobHandler<MailJob["payload"]> {
  return handle(ingestMail, (job, run) => ingest(needs, job, run), { concurrency: 4 });
}

async function ingest(needs: IngestMailNeeds, job: MailJob, run: JobRun): Promise<JobOutcome> {
  await killPoint("ingest.job-leased");
  const { mailbox, messageId, isForced = false } = job.payload;
  assertMessageId(messageId);
  const obstacle = (await needs.getObstacle?.()) ?? null;
  if (obstacle !== null) {
    const later = { countsAsAttempt: false, retryAfterMs: OBSTACLE_RETRY_MS };
    return failure("settings.bad", obstacle, later);
  }
  const workerId = newWorkerId(needs.random);
  const trace = tracer(needs, run, messageId, workerId);

  await trace("0", { mailbox, attempt: job.attempt });
  if (await isDone(needs.database, needs.table, messageId)) return excluded("done before");
  await trace("1");
  await killPoint("ingest.success-checked");

  const message =
    (await needs.mail.getMessage(mailbox, messageId)) ??
    (await recallMessage(needs, mailbox, messageId));
  if (message === null && job.attempt < LOOKS_BEFORE_GONE) {
    return failure("graph.not-found", "the message was not found", { retryAfterMs: LOOK_AGAIN_MS });
  }
  if (message !== null && (await isDoneUnderOtherId(needs, mailbox, message))) {
    return excluded("done under its other id");
  }
  const mail = mailToClaim(mailbox, messageId, message);
  const answer = await claimMail(needs.database, needs.table, mail, { workerId, isForced });
  await killPoint("ingest.claimed");
  if (!answer.isOurs) return outcomeOfRefusal(answer.refusal);
  await trace("2", { token: answer.claim.token, attempt: answer.claim.attempts });
  if (message === null) return endGone(needs, job, run, { claim: answer.claim, trace });

  const heartbeat = startHeartbeat(needs, needs.table, answer.claim);
  const ingestion: Ingestion = {
    emailKey: emailKeyOf({ mailbox, messageId, internetMessageId: message.internetMessageId }),
    source: "graph_webhook",
    mailbox,
    messageId,
    senderEmail: message.from ?? "unknown",
    senderEvidence: message.senderEvidence ?? null,
    receivedAt: message.receivedAt,
    generation: null,
    workerId,
    signal: AbortSignal.any([run.signal, heartbeat.signal]),
    fetchAgain: () => fetchAgain(needs, ingestion),
    trace,
  };
  try {
    return await ingestClaimed(needs, job, run, { ingestion, claim: answer.claim, message });
  } catch (error) {
    return await endWithError(needs, answer.claim, trace, error);
  } finally {
    await heartbeat.stop();
  }
}

/** Records each stage that a message passes; a recorded stage is also progress of the job. */
function tracer(
  needs: IngestMailNeeds,
  run: JobRun,
  messageId: string,
  worker: string,
): Ingestion["trace"] {
  return (step, detail) => {
    run.progress();
    const stage = { messageId, worker, step, ...(detail === undefined ? {} : { detail }) };
    return recordStage(needs.database, stage);
  };
}

/** Stages 3 to 6 of a message that is ours. */
async function ingestClaimed(
  needs: IngestMailNeeds,
  job: MailJob,
  run: JobRun,
  { ingestion, claim, message }: { ingestion: Ingestion; claim: Claim; message: MailMessage },
): Promise<JobOutcome> {
  const owned = { claim, trace: ingestion.trace };
  const fetched = await fetchFiles(needs, ingestion);
  await rememberMessage(needs, ingestion, message);
  await ingestion.trace("3", {
    files: fetched.files.map((file) => file.name),
    ...(fetched.lost.length > 0 ? { lost: fetched.lost.map((file) => file.reason) } : {}),
    ...(fetched.ignored.length > 0 ? { ignored: fetched.ignored } : {}),
  });
  if (fetched.files.length + fetched.lost.length === 0) {
    const reason = ["no PDF", ...fetched.ignored].join("; ");
    return conclude(needs, job, run, owned, async () => ({ status: "skipped", reason }));
  }
  const documents = await readAll(needs, ingestion, fetched);
  if (!(await isStillOurs(needs.database, needs.table, claim))) throw lostClaim();
  const archived = await archiveAll(needs, ingestion, documents);
  await ingestion.trace("5", { paths: archived.map((document) => document.path) });
  return conclude(needs, job, run, owned, async (tx) => {
    const settled = await settleDocuments(tx, needs, ingestion, archived);
    if (settled.unreadable.length === 0) return { status: "success", ...settled };
    // The readable documents have taken effect. The others wait for a person, whose answer starts this
    // message again.
    return { status: "failed", reason: settled.unreadable.join("; "), retryAfterMs: null };
  });
}

async function readAll(
  needs: IngestMailNeeds,
  ingestion: Ingestion,
  fetched: FetchedFiles,
): Promise<ReadDocument[]> {
  const documents: ReadDocument[] = [];
  for (const file of fetched.files) documents.push(await readDocument(needs, ingestion, file));
  for (const file of fetched.lost) documents.push(await recordLost(needs, ingestion, file));
  return documents;
}

interface Owned {
  readonly claim: Claim;
  readonly trace: Ingestion["trace"];
}

/**
 * The message is not in the mailbox. If it moved, which gave it a new id, a new job ingests it under that id.
 * Otherwise it is gone, which is not a failure.
 */
async function endGone(
  needs: IngestMailNeeds,
  job: MailJob,
  run: JobRun,
  owned: Owned,
): Promise<JobOutcome> {
  const { mailbox, messageId } = job.payload;
  const newId = await findMoved(needs, mailbox, messageId);
  const reason =
    newId === null ? "gone: the message is no longer in the mailbox" : `moved: it is ${newId} now`;
  return conclude(needs, job, run, owned, async (tx) => {
    if (newId !== null) {
      const payload = { ...job.payload, messageId: newId };
      const next = { subjectId: newId, idempotencyKey: ingestMailKey(newId), payload };
      await needs.jobs.add(tx, ingestMail, [next]);
    }
    return { status: "skipped", reason };
  });
}

/** Stage 6: effects, mark and the end of the job in one transaction, if the message is still ours. */
async function conclude(
  needs: IngestMailNeeds,
  job: MailJob,
  run: JobRun,
  { claim, trace }: Owned,
  effects: (tx: Transaction) => Promise<Conclusion>,
): Promise<JobOutcome> {
  let conclusion: Conclusion | null = null;
  await run.commit([job], async (tx) => {
    await killPoint("ingest.settlement-open");
    const isOurs = await concludeMail(tx, needs.table, claim, async () => {
      conclusion = await effects(tx);
      return conclusion;
    });
    if (!isOurs) throw lostClaim();
  });
  await killPoint("ingest.settlement-committed");
  const end = conclusion as Conclusion | null;
  await trace(end?.status === "failed" ? "6b" : "6", { ...end });
  await killPoint("ingest.job-settled");
  return end?.status === "skipped" ? excluded(end.reason) : success(describe(end!));
}

function describe(end: Conclusion): string {
  return end.status === "success"
    ? `${end.tradesExtracted} trades`
    : `${end.status}: ${end.reason}`;
}

/** Stage 6b. Throttling and a shutdown are not the fault of the message, so they do not mark it as failed. */
async function endWithError(
  needs: IngestMailNeeds,
  claim: Claim,
  trace: Ingestion["trace"],
  error: unknown,
): Promise<JobOutcome> {
  const problem = toFault(error);
  if (problem.code === "job.lease-lost") {
    const { messageId, workerId } = claim;
    await recordConflict(needs.database, needs.table, {
      messageId,
      kind: "fenced",
      ours: workerId,
    });
    // If only the job's lease was lost, the next worker need not wait for our lease on the message.
    await uncountClaim(needs.database, needs.table, claim);
    return outcomeOf(problem);
  }
  if (problem.remedy === "wait" || (error as Error)?.name === "AbortError") {
    await uncountClaim(needs.database, needs.table, claim);
    return problem.remedy === "wait"
      ? outcomeOf(problem)
      : failure("job.cancelled", "stopped before the end", { countsAsAttempt: false });
  }
  const retryAfterMs =
    problem.remedy === "retry" ? backoffMs(RETRY, claim.attempts, needs.random) : null;
  const reason = redactText(`${problem.code}: ${problem.message}`);
  const isOurs = await needs.database.transaction((tx) =>
    concludeMail(tx, needs.table, claim, async () => ({ status: "failed", reason, retryAfterMs })),
  );
  if (isOurs) await trace("6b", { reason });
  const outcome = outcomeOf(problem);
  return outcome.isSuccess || retryAfterMs === null ? outcome : { ...outcome, retryAfterMs };
}

function outcomeOfRefusal(refusal: Refusal): JobOutcome {
  switch (refusal.kind) {
    case "done":
      return excluded("done before");
    case "skipped":
      return excluded("skipped before");
    case "live":
      return failure("job.busy", `held by ${refusal.heldBy ?? "another program"}`, {
        countsAsAttempt: false,
        retryAfterMs: LIVE_RETRY_MS,
      });
    case "busy":
      return failure("job.busy", "another worker is claiming it", {
        countsAsAttempt: false,
        retryAfterMs: BUSY_RETRY_MS,
      });
    case "not-due":
      return failure("job.busy", "its next attempt is not due", {
        countsAsAttempt: false,
        retryAfterMs: refusal.retryAfterMs,
      });
  }
}

async function isDoneUnderOtherId(
  needs: IngestMailNeeds,
  mailbox: string,
  message: MailMessage,
): Promise<boolean> {
  const { id: messageId, defaultId, internetMessageId } = message;
  await recordAliases(needs.database, { mailbox, messageId, defaultId, internetMessageId });
  return (await findDoneAlias(needs.database, needs.table, { mailbox, messageId })) !== null;
}

function mailToClaim(mailbox: string, messageId: string, message: MailMessage | null) {
  return {
    messageId,
    mailbox,
    sender: message?.from ?? null,
    receivedAt: message?.receivedAt ?? null,
    subject: message?.subject ?? null,
  };
}

const lostClaim = () =>
  new Fault("job.lease-lost", "another worker or program has taken over the message");
