/** Folders of watched mailboxes whose mail is filed. */
import * as z from "zod";
import { text, time } from "./common.ts";

const tags = ["mailboxes"];
const params = z.object({ address: z.string().max(500).describe("the address of a mailbox") });
const EXAMPLE = { address: "nina.berg@ashdown.example" };
const folder = z
  .string()
  .min(1)
  .max(500)
  .describe("an id, a well-known name or a display name; * for the whole mailbox");

const FilingRule = z
  .object({
    folder,
    parent: text,
    containerId: text,
    since: time.describe("mail received earlier is filed only on request"),
  })
  .meta({ id: "FilingRule" });

export const listFilingRules = {
  operationId: "listFilingRules",
  summary: "The folders of a mailbox whose mail is filed",
  tags,
  params,
  response: { 200: z.object({ address: z.string(), rules: z.array(FilingRule) }) },
  example: { params: EXAMPLE },
};

export const setFilingRule = {
  operationId: "setFilingRule",
  summary: "File the mail of a folder from now on",
  tags,
  params,
  body: z.object({
    folder,
    parent: z.string().max(200).optional().describe("like sprk_matter:{id}"),
    containerId: z.string().max(300).optional().describe("a drive id; the usual one if absent"),
  }),
  response: { 200: FilingRule.extend({ address: z.string() }) },
  example: { params: EXAMPLE, body: { folder: "Inbox" } },
};

export const removeFilingRule = {
  operationId: "removeFilingRule",
  summary: "Stop filing the mail of a folder; its documents stay",
  tags,
  params,
  querystring: z.object({ folder }),
  response: {
    200: z.object({ address: z.string(), folder: z.string(), removed: z.literal(true) }),
  },
  example: { params: EXAMPLE, query: { folder: "Inbox" } },
};
