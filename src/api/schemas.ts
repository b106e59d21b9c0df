/** Pieces that many operations share. */
import * as z from "zod";

/** A moment with a zone, or a day, which begins at midnight UTC. */
export const since = z.iso
  .datetime({ offset: true })
  .or(z.iso.date())
  .transform((text) => new Date(text));

export const flag = z.enum(["true", "false"]).transform((value) => value === "true");
