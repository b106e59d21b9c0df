/** E-mails of Dataverse, for operators. */
import * as z from "zod";
import { byId, dryRun, EXAMPLE_ID, JobReference, moment, text } from "./common.ts";

const tags = ["documents"];

const Counts = z.object({
  found: z.int().describe("e-mails of the range"),
  open: z.int().describe("those whose job waits or runs"),
  dead: z.int().describe("those whose job is a dead letter"),
});

export const batchProcess = {
  operationId: "batchProcessEmails",
  summary: "File the e-mails that Dataverse received in a time range",
  tags,
  body: z.object({
    since: moment.describe("e-mails created from this time on"),
    until: moment.optional().describe("e-mails created before this time; now if absent"),
    dryRun,
  }),
  response: { 200: Counts.extend({ dryRun: z.literal(true) }), 202: JobReference },
  example: { body: { since: "2026-01-01", until: "2026-01-31", dryRun: true } },
};

export const batchStatus = {
  operationId: "getEmailBatch",
  summary: "The progress of a batch of e-mails",
  tags,
  params: byId("a batch"),
  response: {
    200: Counts.extend({
      jobId: z.string(),
      status: z.string(),
      since: z.string(),
      until: z.string(),
      note: text,
      errorMessage: text,
    }),
  },
  example: { params: { id: EXAMPLE_ID } },
};

export const refreshRules = {
  operationId: "refreshMailRules",
  summary: "Read the rules for mail again before the next decision",
  tags,
  response: { 204: z.null() },
  example: {},
};
