/** Older mail that is ingested and filed on request. */
import * as z from "zod";
import { dryRun, JobReference, moment } from "./common.ts";

const tags = ["ingestion"];

const wanted = {
  mailbox: z.string().min(3).max(320),
  since: moment.describe("mail received from this time on"),
  until: moment.optional().describe("mail received before this time; now if absent"),
};

const Counts = z.object({
  messages: z.int(),
  open: z.int().describe("messages whose job waits or runs"),
  dead: z.int().describe("messages whose job is a dead letter"),
});

const Covered = z.object({
  mailbox: z.string(),
  ingest: Counts,
  file: Counts,
  isComplete: z.boolean().describe("false while a folder is still being read for the first time"),
});

const EXAMPLE = { mailbox: "nina.berg@ashdown.example", since: "2026-01-01" };

export const viewBackfill = {
  operationId: "viewBackfill",
  summary: "How much older mail there is to ingest and file, and how much of it has no result yet",
  tags,
  querystring: z.object(wanted),
  response: { 200: Covered },
  example: { query: EXAMPLE },
};

export const backfill = {
  operationId: "backfill",
  summary: "Ingest and file mail that was in its folder before the mailbox was set up",
  tags,
  body: z.object({ ...wanted, dryRun }),
  response: {
    200: Covered.extend({ dryRun: z.literal(true) }),
    202: Covered.extend({ ...JobReference.shape, since: z.string(), until: z.string() }),
  },
  example: { body: { ...EXAMPLE, dryRun: true } },
};
