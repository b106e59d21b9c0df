/** What is shown beside a document. */
import * as z from "zod";
import { byId, EXAMPLE_ID, maybeTime, text, time } from "./common.ts";

const tags = ["documents"];
const params = byId("a document");
const example = { params: { id: EXAMPLE_ID } };

export const listVersions = {
  operationId: "listVersions",
  summary: "The versions that the drive keeps of a document's file, newest first",
  tags,
  params,
  response: {
    200: z.object({
      versions: z.array(
        z
          .object({
            id: z.string(),
            at: time,
            by: text.describe("the person or app that saved it"),
            size: z.int().nullable(),
          })
          .meta({ id: "DocumentVersion" }),
      ),
    }),
  },
  example,
};

export const listReaders = {
  operationId: "listReaders",
  summary:
    "Who may open a document's file, as far as Graph tells the caller: all of them for an owner of the drive, otherwise the caller's own permissions",
  tags,
  params,
  response: {
    200: z.object({
      recordOwner: text.describe("who owns the record in Dataverse"),
      readers: z.array(
        z
          .object({
            kind: z.enum(["person", "group", "app", "link"]),
            name: z.string(),
            email: text,
            roles: z.array(z.string()),
            isInherited: z
              .boolean()
              .describe("granted for the drive or a folder, not for this file"),
            until: maybeTime,
          })
          .meta({ id: "DocumentReader" }),
      ),
    }),
  },
  example,
};

export const getHistory = {
  operationId: "getDocumentHistory",
  summary: "What happened to a document, oldest first",
  tags,
  params,
  response: {
    200: z.object({
      steps: z.array(
        z
          .object({
            at: time,
            what: z.enum([
              ...["filed", "refused", "missing", "record-created", "record-changed"],
              ...["indexed", "summarized"],
            ] as const),
            by: text,
            detail: text,
          })
          .meta({ id: "DocumentStep" }),
      ),
    }),
  },
  example,
};

export const getProfile = {
  operationId: "getDocumentProfile",
  summary: "What the document profile says: written by a model or by rules, and kept in the record",
  tags,
  params,
  response: {
    200: z.object({
      summary: text,
      tldr: text,
      keywords: text,
      documentType: text,
      summarizedAt: maybeTime,
    }),
  },
  example,
};
