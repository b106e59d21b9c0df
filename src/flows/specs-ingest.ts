/** The jobs around contract notes, as doors know them. */
import * as z from "zod";
import { defineJob } from "../jobs/job.ts";

/** A message may hold contract notes. Its key is `email-{messageId}`. */
export const ingestMail = defineJob({
  type: "ingest-mail",
  queue: "mail-ingest",
  together: 1,
  payload: z.object({
    /** The mailbox's address. */
    mailbox: z.string(),
    messageId: z.string(),
    /** A person asked for it: a skipped message is looked at again. */
    isForced: z.boolean().optional(),
  }),
  maxAttempts: 5,
});

/** A file came by another way than mail: uploaded by a person, or found in a watched folder. */
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
    /** ISO time. */
    receivedAt: z.string(),
    /** For a watched folder: what counts the versions of the file there. */
    generation: z.string().optional(),
  }),
  maxAttempts: 5,
});

/** A person decided; carries the decision out. */
export const applyReview = defineJob({
  type: "apply-review",
  queue: "mail-ingest",
  together: 1,
  payload: z.object({ review: z.number().int() }),
  maxAttempts: 5,
});

export const ingestMailKey = (messageId: string): string => `email-${messageId}`;
