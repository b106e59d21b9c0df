/**
 * Mail to event. A notification is only a hint that something changed: the message is read again, unless
 * the notification carried its properties, and the difference from the known state is recorded. Jobs
 * come in batches: twenty messages of a mailbox take one request and one statement.
 */
import type { JobHandler, JobRun } from "../../jobs/handler.ts";
import type { Job } from "../../jobs/job.ts";
import { excluded, failure, type JobOutcome, outcomeOf, success } from "../../jobs/outcome.ts";
import type { Log } from "../../lib/log.ts";
import { isPersonal } from "../../mailbox/consent.ts";
import type { LookNeeds } from "../../mailbox/events/look-and-record.ts";
import { recordObservations } from "../../mailbox/events/record-observations.ts";
import { type FolderNeeds, meetFolders } from "../../mailbox/folders/sync-folders.ts";
import { findMailboxesById, type Mailbox } from "../../mailbox/mailbox-table.ts";
import { isGone, readMessages } from "../../mailbox/messages/look-at-messages.ts";
import { withTwins } from "../../mailbox/messages/look-at-twins.ts";
import type { GraphMessage } from "../../mailbox/messages/message.ts";
import { timeOfAsking } from "../../mailbox/messages/message-table.ts";
import type { Observation } from "../../mailbox/messages/observation.ts";
import { findSnapshots, removeSnapshots } from "../../mailbox/notifications/snapshot-table.ts";
import { type ChangePayload, mailChanged } from "../specs/watching.ts";
import { notificationOf } from "./one-look.ts";

type ChangeJob = Job<ChangePayload>;

/** A message may be notified before every replica has it, so only the third 404 counts. */
const LOOKS_BEFORE_GONE = 3;
const LOOK_AGAIN_MS = 20_000;

export interface MailChangedNeeds extends LookNeeds, FolderNeeds {
  readonly log: Log;
  readonly onEvents: (count: number) => void;
  /** Whether notifications may carry the properties of their message. */
  readonly hasSnapshots?: boolean;
}

export function mailChangedHandler(needs: MailChangedNeeds): JobHandler<ChangeJob["payload"]> {
  return {
    spec: mailChanged,
    batchSize: 200,
    concurrency: 4,
    async process(jobs, run) {
      const mailboxes = await findMailboxesById(needs.database, [
        ...new Set(jobs.map((job) => job.payload.mailbox)),
      ]);
      const outcomes = new Map<string, JobOutcome>();
      await Promise.all(
        [...groupByMailbox(jobs)].map(async ([id, group]) => {
          const mailbox = mailboxes.get(id) ?? null;
          const results = await observe(needs, mailbox, group, run).catch((error) =>
            group.map(() => outcomeOf(error)),
          );
          for (const [index, job] of group.entries()) outcomes.set(job.jobId, results[index]!);
        }),
      );
      return jobs.map((job) => outcomes.get(job.jobId)!);
    },
  };
}

async function observe(
  needs: MailChangedNeeds,
  mailbox: Mailbox | null,
  jobs: readonly ChangeJob[],
  run: JobRun,
): Promise<JobOutcome[]> {
  if (mailbox === null) return jobs.map(() => excluded("the mailbox was removed"));
  if (mailbox.status === "paused")
    return jobs.map(() => excluded("the mailbox is paused; delta will catch up"));
  if (mailbox.status === "unreachable" && isPersonal(mailbox.connection))
    return jobs.map(() =>
      excluded("its owner must connect the mailbox again; delta will catch up"),
    );
  const snapshots = needs.hasSnapshots
    ? await findSnapshots(needs.database, jobs.map(keyOf))
    : new Map<string, GraphMessage>();
  const withSnapshot = jobs.filter((job) => snapshots.has(keyOf(job)));
  const toRead = jobs.filter((job) => !snapshots.has(keyOf(job)));

  const outcomes = new Map<string, JobOutcome>();
  if (withSnapshot.length > 0) {
    const observations = withSnapshot.map(
      (job): Observation => ({ kind: "present", message: snapshots.get(keyOf(job))! }),
    );
    const earliest = Math.min(...withSnapshot.map((job) => Date.parse(job.payload.notifiedAt)));
    await record(needs, mailbox, withSnapshot, observations, new Date(earliest), run);
    for (const job of withSnapshot)
      outcomes.set(job.jobId, success("the notification carried the properties"));
  }
  // New mail is read and recorded first, so that changes of known mail cannot use up the mailbox's quota before it.
  const isNew = (job: ChangeJob) => job.payload.change === "created";
  for (const group of [toRead.filter(isNew), toRead.filter((job) => !isNew(job))]) {
    if (group.length === 0) continue;
    await look(needs, mailbox, group, run, outcomes).catch((error) => {
      for (const job of group) outcomes.set(job.jobId, outcomeOf(error));
    });
  }
  return jobs.map((job) => outcomes.get(job.jobId)!);
}

/** Reads the messages and records what is found; every job gets its own outcome. */
async function look(
  needs: MailChangedNeeds,
  mailbox: Mailbox,
  jobs: readonly ChangeJob[],
  run: JobRun,
  outcomes: Map<string, JobOutcome>,
): Promise<void> {
  const ids = [...new Set(jobs.map((job) => job.payload.messageId).filter((id) => id !== ""))];
  const at = await timeOfAsking(needs.database);
  const results = await readMessages(needs.graphOf(mailbox), mailbox, ids);
  const resultOf = new Map(ids.map((id, index) => [id, results[index]!]));
  const observations = new Map<string, Observation>();
  for (const job of jobs) {
    const { messageId, change } = job.payload;
    const result = resultOf.get(messageId);
    if (result === undefined) outcomes.set(job.jobId, NO_MESSAGE_ID);
    else if (result.isOk) {
      observations.set(messageId, { kind: "present", message: result.body });
      outcomes.set(job.jobId, success());
    } else if (!isGone(result.error)) outcomes.set(job.jobId, outcomeOf(result.error));
    else if (change !== "deleted" && job.attempt < LOOKS_BEFORE_GONE)
      outcomes.set(job.jobId, NOT_THERE_YET);
    else {
      observations.set(messageId, { kind: "gone", messageId });
      outcomes.set(job.jobId, change === "deleted" ? success() : GONE_ALREADY);
      if (change !== "deleted")
        needs.log.info({ mailbox: mailbox.address, messageId }, "a notified message is gone");
    }
  }
  const done = jobs.filter((job) => outcomes.get(job.jobId)!.isSuccess);
  if (done.length > 0) await record(needs, mailbox, done, [...observations.values()], at, run);
}

const NO_MESSAGE_ID = failure("mail.no-message-id", "the notification named no message", {
  retryable: false,
});
const NOT_THERE_YET = failure("graph.not-found", "the message is not there yet", {
  retryAfterMs: LOOK_AGAIN_MS,
});
const GONE_ALREADY = excluded("the message was gone before it could be read");

async function record(
  needs: MailChangedNeeds,
  mailbox: Mailbox,
  jobs: readonly ChangeJob[],
  seen: readonly Observation[],
  at: Date,
  run: JobRun,
): Promise<void> {
  // Events name their folder, and the folder may be as new as the message.
  const folderIds = seen.flatMap((observation) =>
    observation.kind === "present" ? (observation.message.parentFolderId ?? []) : [],
  );
  await meetFolders(needs, mailbox, folderIds);
  const observations = await withTwins(needs, mailbox, seen);
  const events = await run.commit(jobs, async (tx) => {
    if (needs.hasSnapshots) await removeSnapshots(tx, jobs.map(keyOf));
    return recordObservations(tx, mailbox, observations, { by: "push", at }, needs.followUp);
  });
  needs.onEvents(events.length);
}

/** The key of the notification that the job was made from. */
const keyOf = (job: ChangeJob): string => notificationOf(job.idempotencyKey);

function groupByMailbox(jobs: readonly ChangeJob[]): Map<number, ChangeJob[]> {
  const groups = new Map<number, ChangeJob[]>();
  for (const job of jobs) {
    const group = groups.get(job.payload.mailbox);
    if (group === undefined) groups.set(job.payload.mailbox, [job]);
    else group.push(job);
  }
  return groups;
}
