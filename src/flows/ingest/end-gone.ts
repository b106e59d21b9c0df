/**
 * A message that is not there any more. Some programs move a message by copying and deleting it, and then it
 * stands elsewhere in the mailbox under another id; else it is gone, which is an end that is seen and no failure.
 */

import type { Claim } from "../../ingestion/claim-mail.ts";
import { concludeMail } from "../../ingestion/finish-mail.ts";
import { findInternetId } from "../../ingestion/mail-aliases.ts";
import type { JobRun } from "../../jobs/handler.ts";
import type { Job } from "../../jobs/job.ts";
import { excluded, type JobOutcome } from "../../jobs/outcome.ts";
import { Fault } from "../../lib/fault.ts";
import { getMailboxByAddress } from "../../mailbox/mailbox-table.ts";
import { findMessages } from "../../mailbox/messages/message-table.ts";
import { ingestMail, ingestMailKey } from "../specs-ingest.ts";
import type { IngestNeeds, Walk } from "./needs.ts";

type MailJob = Job<(typeof ingestMail)["payload"]["_output"]>;

export async function endGone(
  needs: IngestNeeds,
  job: MailJob,
  run: JobRun,
  owned: { readonly claim: Claim; readonly trace: Walk["trace"] },
): Promise<JobOutcome> {
  const { mailbox, messageId } = job.payload;
  const now = await findAgain(needs, mailbox, messageId);
  const reason =
    now === null ? "gone: the message was not there any more" : `moved: it is ${now} now`;
  await run.commit([job], async (tx) => {
    if (now !== null) {
      const payload = { ...job.payload, messageId: now };
      const next = { subjectId: now, idempotencyKey: ingestMailKey(now), payload };
      await needs.jobs.add(tx, ingestMail, [next]);
    }
    const conclusion = { status: "skipped", reason } as const;
    if (await concludeMail(tx, needs.table, owned.claim, async () => conclusion)) return;
    throw lostClaim();
  });
  await owned.trace("6", { status: "skipped", reason });
  return excluded(reason);
}

/** The id under which the same message stands in the mailbox now; null when it does not, or nobody knows. */
async function findAgain(
  needs: IngestNeeds,
  mailbox: string,
  messageId: string,
): Promise<string | null> {
  const internetId = await internetIdOf(needs, mailbox, messageId);
  if (internetId === null) return null;
  const now = await needs.mail.findByInternetId(mailbox, internetId);
  return now === messageId ? null : now;
}

/** From ingestion's own notes, else from what was observed of the mailbox. */
async function internetIdOf(
  { database }: IngestNeeds,
  address: string,
  messageId: string,
): Promise<string | null> {
  const read = await findInternetId(database, { mailbox: address, messageId });
  if (read !== null) return read;
  const mailbox = await getMailboxByAddress(database, address);
  if (mailbox === null) return null;
  const observed = await findMessages(database, mailbox.id, [messageId]);
  return observed.get(messageId)?.internetMessageId ?? null;
}

export const lostClaim = () => new Fault("job.lease-lost", "the message was taken over meanwhile");
