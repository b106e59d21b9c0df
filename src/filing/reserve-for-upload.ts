import { canonicalJson } from "../lib/canonical-json.ts";
import { uuidFor } from "../lib/hash.ts";
import { killPoint } from "../lib/kill-points.ts";
import type { Random } from "../lib/random.ts";
import type { ConflictBehavior } from "../microsoft/graph/drive-client.ts";
import type { Queryable } from "../store/database.ts";
import type { Filing, NewFiling } from "./filing.ts";
import { findFilingsAt, insertFiling, renewReservation } from "./filing-table.ts";

/** What to do if another file has that name. */
export type WhenTaken = ConflictBehavior | "rename";

export type WantedFile = Omit<NewFiling, "id" | "key" | "mailKey" | "review">;

export interface Reserved {
  readonly filing: Filing;
  /** False for a filing that an earlier request of the same sender began. */
  readonly isNew: boolean;
}

/**
 * Reserves a place on a drive for one sender before anything is sent. Reservations and files of other people
 * are ignored here: only the drive knows what this sender may see, so the drive decides who gets the name. A
 * repeated upload gets the row of its first attempt; null means that the sender is already sending another
 * file there.
 */
export async function reserveForUpload(
  { database, random }: { readonly database: Queryable; readonly random: Random },
  wanted: WantedFile,
  whenTaken: WhenTaken,
): Promise<Reserved | null> {
  const there = await findFilingsAt(database, wanted.driveId, wanted.path);
  const repeated = there.find((filing) => isRepeat(filing, wanted));
  if (repeated !== undefined) return { filing: repeated, isNew: false };
  const key = `upload:${random.uuid()}`;
  const id = uuidFor("document", key);
  const made = await insertFiling(database, { ...wanted, key, id, mailKey: null, review: null });
  if (made !== null) {
    await killPoint("filing.intent-committed");
    return { filing: made, isNew: true };
  }
  const renewed = whenTaken === "replace" ? await renewReservation(database, wanted) : null;
  return renewed === null ? null : { filing: renewed, isNew: false };
}

/** The same sender with the same request: the connection broke, or our last response was lost. */
function isRepeat(known: Filing, wanted: WantedFile): boolean {
  const isSameRequest =
    known.ownerId === wanted.ownerId &&
    known.size === wanted.size &&
    known.source === wanted.source &&
    canonicalJson(known.columns) === canonicalJson(wanted.columns);
  if (!isSameRequest) return false;
  // A stream has no hash before it is read; its content is compared afterwards.
  return wanted.sha256 === null || known.sha256 === wanted.sha256;
}
