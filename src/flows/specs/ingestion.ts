/** The job types for contract notes. */
import * as z from "zod";
import { defineJob } from "../../jobs/job.ts";
import type { Mailbox } from "../../mailbox/mailbox-table.ts";

/** Ingests a message that may contain contract notes. Its key is `email-{messageId}`. */
export const ingestMail = defineJob({
  type: "ingest-mail",
  queue: "mail-ingest",
  jobsPerMessageMax: 1,
  payload: z.object({
    /** The mailbox's address. */
    mailbox: z.string(),
    messageId: z.string(),
    /** A person asked for it: process the message again even if it was skipped. */
    isForced: z.boolean().optional(),
  }),
  maxAttempts: 5,
});

/** Ingests a file that did not come by mail: uploaded by a person, or found in a watched folder. */
export const ingestFile = defineJob({
  type: "ingest-file",
  queue: "mail-ingest",
  jobsPerMessageMax: 1,
  payload: z.object({
    /** The file's name in the spool. */
    sha256: z.string(),
    filename: z.string(),
    source: z.enum(["manual_upload", "poller"]),
    senderEmail: z.string(),
    /** For an upload: a person signed in and uploaded it for themselves. */
    isOwn: z.boolean().optional(),
    /** ISO time. */
    receivedAt: z.string(),
    /** For a watched folder: the version of the file. */
    generation: z.string().optional(),
  }),
  maxAttempts: 5,
});

/** Carries out a reviewer's decision. */
export const applyReview = defineJob({
  type: "apply-review",
  queue: "mail-ingest",
  jobsPerMessageMax: 1,
  payload: z.object({ review: z.number().int() }),
  maxAttempts: 5,
});

/** Adds the jobs of mail that was in its folder before the mailbox was set up. */
export const backfillMail = defineJob({
  type: "backfill-mail",
  queue: "maintenance",
  jobsPerMessageMax: 1,
  payload: z.object({
    /** The mailbox's address. */
    mailbox: z.string(),
    /** ISO times; mail received from the first on and before the second. */
    since: z.string(),
    until: z.string(),
  }),
  maxAttempts: 5,
});

/** Which mail a backfill covers. */
export interface BackfillScope {
  readonly mailbox: Mailbox;
  readonly since: Date;
  readonly until: Date;
}

/** How much mail a backfill covers, how much of it has an open job, and how much ended as dead letters. */
export interface BackfillCounts {
  readonly messages: number;
  readonly open: number;
  readonly dead: number;
}

export interface Backfills {
  /** `isComplete` is false while a folder is still being read for the first time. */
  count(
    scope: BackfillScope,
  ): Promise<{ ingest: BackfillCounts; file: BackfillCounts; isComplete: boolean }>;
}

export const ingestMailKey = (messageId: string): string => `email-${messageId}`;
