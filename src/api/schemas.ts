/** Pieces that many operations share. */
import * as z from "zod";

/** A moment with a zone, or a day, which begins at midnight UTC. */
export const since = z.iso
  .datetime({ offset: true })
  .or(z.iso.date())
  .transform((text) => new Date(text));

/** Lists page in one way: `next` of an answer is `cursor` of the next request. */
export const page = (most: number, usual: number) => ({
  cursor: z.string().max(200).optional().describe("`next` of the page before"),
  limit: z.coerce.number().int().min(1).max(most).default(usual),
});

export const flag = z.enum(["true", "false"]).transform((value) => value === "true");

export const dryRun = z.boolean().default(false).describe("say what would happen, change nothing");
export const reason = z.string().trim().min(1).max(500);
