/** The job types for contract notes. */
import * as z from "zod";
import { defineJob } from "../../jobs/job.ts";

/** Ingests a message that may contain contract notes. Its key is `email-{messageId}`. */
export const ingestMail = defineJob({
  type: "ingest-mail",
  queue: "mail-ingest",
  together: 1,
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
  together: 1,
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
  together: 1,
  payload: z.object({ review: z.number().int() }),
  maxAttempts: 5,
});

export const ingestMailKey = (messageId: string): string => `email-${messageId}`;
