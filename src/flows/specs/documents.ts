/** The job types for filing. */
import * as z from "zod";
import { defineJob } from "../../jobs/job.ts";

/**
 * Files an e-mail from Dataverse, if the rules say so. Its key is `Email:{emailId}:Archive`. Only the ids of
 * the webhook's body are kept, because the rest is content.
 */
export const processEmailToDocument = defineJob({
  type: "ProcessEmailToDocument",
  queue: "mail-to-document",
  together: 1,
  payload: z.object({
    emailId: z.guid(),
    triggerSource: z.enum(["Webhook", "Operator"]),
    messageName: z.string().nullable(),
    /** ISO time. */
    operationCreatedOn: z.string().nullable(),
    webhookCorrelationId: z.string().nullable(),
  }),
  maxAttempts: 5,
});

export const archiveKey = (emailId: string): string => `Email:${emailId}:Archive`;

/** Finishes uploads that were interrupted, and finds files without records and records without files. */
export const sweepDocuments = defineJob({
  type: "sweep-documents",
  queue: "maintenance",
  together: 1,
  payload: z.object({}),
});
