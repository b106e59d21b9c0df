import * as z from "zod";
import { cursorOf, next } from "../http/paging.ts";
import { address, byId, dryRun, limit, reason, time } from "./common.ts";

const tags = ["keep"];

const LegalHold = z
  .object({
    id: z.int(),
    kind: z.enum(["person", "trade", "note"]),
    subject: z.string().describe("an address, or the id of the trade or note"),
    reason: z.string(),
    setBy: z.string().describe("a person's object id, or whose terminal used the operator key"),
    setByName: z.string().nullable(),
    setAt: time,
  })
  .meta({ id: "LegalHold" });

export const listHolds = {
  operationId: "listHolds",
  summary: "What must not be erased, and why",
  tags,
  querystring: z.object({ cursor: cursorOf("holds", z.int()), limit: limit(1_000, 200) }),
  response: { 200: z.object({ holds: z.array(LegalHold), next }) },
  example: { query: { limit: 50 } },
};

export const setHold = {
  operationId: "setHold",
  summary: "Keep a person, a trade or a contract note from being erased",
  tags,
  body: z.object({
    kind: z.enum(["person", "trade", "note"]),
    subject: z.string().trim().min(3).max(320),
    reason,
    dryRun,
  }),
  response: {
    200: z.object({ dryRun: z.literal(true), subject: z.string() }),
    201: LegalHold,
  },
  example: { body: { kind: "person" as const, subject: "omar@x.example", reason: "case 2026/17" } },
};

export const releaseHold = {
  operationId: "releaseHold",
  summary: "End a legal hold; this erases nothing",
  tags,
  params: byId("a hold"),
  response: { 200: z.object({ id: z.int() }) },
  example: { params: { id: "1" } },
};

const Counts = z.array(z.object({ place: z.string(), count: z.int() }));

const ErasureReport = z
  .object({
    person: z.string(),
    isDryRun: z.boolean(),
    erased: Counts,
    redacted: Counts.describe("rows that were kept without what identifies the person"),
    kept: z
      .array(z.object({ place: z.string(), item: z.string(), reason: z.string() }))
      .describe("each thing that was not erased, and why"),
    remains: Counts.describe("where the address still occurs in the database"),
  })
  .meta({ id: "ErasureReport" });

export const erasePerson = {
  operationId: "erasePerson",
  summary: "Erase what Postroom knows about a person, unless a legal hold forbids it",
  tags,
  body: z.object({ address, dryRun }),
  response: { 200: ErasureReport },
  example: { body: { address: "nobody@x.example", dryRun: true } },
};
