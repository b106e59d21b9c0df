/**
 * Mail to event. A notification is only a hint that something changed: the message is read again and
 * the difference to what we knew is recorded. Jobs come in batches, so that twenty messages of a
 * mailbox are read with one request and written with one statement.
 */
import type { JobHandler, JobRun } from "../jobs/handler.ts";
import type { Job } from "../jobs/job.ts";
import { excluded, failure, type JobOutcome, outcomeOf, success } from "../jobs/outcome.ts";
import type { Clock } from "../lib/clock.ts";
import { isGone, readMessages } from "../mailbox/graph-mail.ts";
import { findMailboxesById, type Mailbox } from "../mailbox/mailbox-table.ts";
import {
  type FollowUp,
  type Observation,
  recordObservations,
} from "../mailbox/record-observations.ts";
import type { GraphClient } from "../microsoft/graph/graph-client.ts";
import type { Database } from "../store/database.ts";
import { mailChanged } from "./specs.ts";

type ChangeJob = Job<(typeof mailChanged)["payload"]["_output"]>;

/** A message may be notified before every replica has it, so "not there" is believed the third time. */
const LOOKS_BEFORE_GONE = 3;
const LOOK_AGAIN_MS = 20_000;

export interface MailChangedNeeds {
  readonly database: Database;
  readonly graphOf: (mailbox: Mailbox) => GraphClient;
  readonly clock: Clock;
  readonly followUp: FollowUp;
  readonly onEvents: (count: number) => void;
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
      const groups = groupByMailbox(jobs);
      await Promise.all(
        [...groups].map(async ([id, group]) => {
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
  const ids = [...new Set(jobs.map((job) => job.payload.messageId).filter((id) => id !== ""))];
  const at = new Date(needs.clock.now());
  const results = await readMessages(needs.graphOf(mailbox), mailbox, ids);
  const resultOf = new Map(ids.map((id, index) => [id, results[index]!]));

  const observations = new Map<string, Observation>();
  const outcomes = jobs.map((job): JobOutcome => {
    const { messageId, change } = job.payload;
    if (messageId === "")
      return failure("mail.no-message-id", "the notification named no message", {
        retryable: false,
      });
    const result = resultOf.get(messageId)!;
    if (result.isOk) {
      observations.set(messageId, { kind: "present", message: result.body });
      return success();
    }
    if (!isGone(result.error)) return outcomeOf(result.error);
    if (change !== "deleted" && job.attempt < LOOKS_BEFORE_GONE) {
      return failure("graph.not-found", "the message is not there yet", {
        retryAfterMs: LOOK_AGAIN_MS,
      });
    }
    observations.set(messageId, { kind: "gone", messageId });
    return change === "deleted"
      ? success()
      : excluded("the message was gone before it could be read");
  });

  const done = jobs.filter((_, index) => outcomes[index]!.isSuccess);
  if (done.length > 0) {
    const events = await run.commit(done, (tx) =>
      recordObservations(
        tx,
        mailbox,
        [...observations.values()],
        { by: "push", at },
        needs.followUp,
      ),
    );
    needs.onEvents(events.length);
  }
  return outcomes;
}

function groupByMailbox(jobs: readonly ChangeJob[]): Map<number, ChangeJob[]> {
  const groups = new Map<number, ChangeJob[]>();
  for (const job of jobs) {
    const group = groups.get(job.payload.mailbox);
    if (group === undefined) groups.set(job.payload.mailbox, [job]);
    else group.push(job);
  }
  return groups;
}
