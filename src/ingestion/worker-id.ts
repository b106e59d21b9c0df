import { hostname } from "node:os";
import type { Random } from "../lib/random.ts";

/** Distinguishes our workers from the other programs on the shared table. */
export const OWN_PREFIX = "ts:";

/** A new id for every attempt. It proves ownership, so a shared host or process name would not be enough. */
export function newWorkerId(random: Random): string {
  return `${OWN_PREFIX}${hostname().slice(0, 100)}:${process.pid}:${random.uuid()}`;
}
