/** Schemas that many operations share. */
import * as z from "zod";

/** A time with a zone, or a date, which means midnight UTC. */
export const moment = z.iso
  .datetime({ offset: true })
  .or(z.iso.date())
  .transform((text) => new Date(text));

export const flag = z.enum(["true", "false"]).transform((value) => value === "true");

export const limit = (max: number, usual: number) =>
  z.coerce.number().int().min(1).max(max).default(usual);

/** The last part of a path; whatever it looks like, something that does not exist is answered with 404. */
export const byId = (what: string) =>
  z.object({ id: z.string().max(500).describe(`the id of ${what}`) });

/** Looser than RFC 5322: mail has senders with an umlaut, and the name of a guest contains a #. */
export const address = z
  .string()
  .trim()
  .regex(/^[^\s@]+@[^\s@]+$/, "must be an address such as ada@broker.example");

export const text = z.string().nullable();
export const amount = z.number().nullable();
export const time = z.date();
export const maybeTime = time.nullable();
export const record = z.record(z.string(), z.unknown()).readonly();
export const reason = z.string().trim().min(1).max(500);
export const dryRun = z
  .boolean()
  .default(false)
  .describe("say what would happen and change nothing");

/** Work that continues after the response. */
export const JobReference = z.object({
  jobId: z.string(),
  statusUrl: z.string().describe("where the job can be followed"),
});

/** No job or other row needs to have this id: the test of examples replaces it with one that exists. */
export const EXAMPLE_ID = "0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60";
