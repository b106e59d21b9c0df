/** The job types for filing. */
import * as z from "zod";
import { defineJob } from "../../jobs/job.ts";
import { key16 } from "../../lib/hash.ts";

/**
 * Files an e-mail from Dataverse, if the rules say so. Its key is `Email:{emailId}:Archive`. Only the ids of
 * the webhook's body are kept, because the rest is content.
 */
export const processEmailToDocument = defineJob({
  type: "ProcessEmailToDocument",
  queue: "mail-to-document",
  jobsPerMessageMax: 1,
  payload: z.object({
    emailId: z.guid(),
    triggerSource: z.enum(["Webhook", "PollingBackup", "Batch", "Operator"]),
    messageName: z.string().nullable(),
    /** ISO time. */
    operationCreatedOn: z.string().nullable(),
    webhookCorrelationId: z.string().nullable(),
  }),
  maxAttempts: 5,
});

export const archiveKey = (emailId: string): string => `Email:${emailId}:Archive`;

/**
 * Files a message of a watched mailbox because a filing rule covers its folder. One message in two such folders is
 * one document, but each folder has its job, because the rules may differ by then.
 */
export const fileMessage = defineJob({
  type: "file-message",
  queue: "mail-to-document",
  jobsPerMessageMax: 1,
  payload: z.object({
    /** The mailbox's address. */
    mailbox: z.string(),
    messageId: z.string(),
    /** As the rule names it. */
    folder: z.string(),
  }),
  maxAttempts: 5,
});

export const fileMessageKey = (messageId: string, folder: string): string =>
  `file-${key16(messageId, folder)}`;

/** Finds the newest e-mails in Dataverse that no webhook announced. */
export const pollEmails = defineJob({
  type: "poll-emails",
  queue: "maintenance",
  jobsPerMessageMax: 1,
  payload: z.object({}),
});

/** Files the e-mails of a time range. */
export const batchProcessEmails = defineJob({
  type: "BatchProcessEmails",
  queue: "maintenance",
  jobsPerMessageMax: 1,
  /** ISO times; e-mails created from the first on and before the second. */
  payload: z.object({ since: z.string(), until: z.string() }),
});

export interface EmailBatches {
  /** How many e-mails a range has, how many of them have an open job, and how many are dead letters. */
  count(range: {
    readonly since: string;
    readonly until: string;
  }): Promise<{ found: number; open: number; dead: number }>;
}

/** Finishes uploads that were interrupted, and finds files without records and records without files. */
export const sweepDocuments = defineJob({
  type: "sweep-documents",
  queue: "maintenance",
  jobsPerMessageMax: 1,
  payload: z.object({}),
});
