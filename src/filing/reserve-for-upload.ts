import { canonicalJson } from "../lib/canonical-json.ts";
import { uuidFor } from "../lib/hash.ts";
import { killPoint } from "../lib/kill-points.ts";
import type { ConflictBehavior } from "../microsoft/graph/drive-client.ts";
import type { Queryable } from "../store/database.ts";
import type { Filing, NewFiling } from "./filing.ts";
import { getFiling, getFilingAt, insertFiling, renewFiling } from "./filing-table.ts";

/** What to do if another file has that name. */
export type WhenTaken = ConflictBehavior | "rename";

export type WantedFile = Omit<NewFiling, "id" | "key">;

/**
 * Reserves a place on a drive before anything is sent. A repeated upload gets the row of its first attempt;
 * null means that another file has the place.
 */
export async function reserveForUpload(
  database: Queryable,
  wanted: WantedFile,
  whenTaken: WhenTaken,
): Promise<Filing | null> {
  const key = `file:${wanted.driveId}:${wanted.path.toLowerCase()}`;
  const made = await insertFiling(database, { ...wanted, key, id: uuidFor("document", key) });
  if (made !== null) {
    await killPoint("filing.intent-committed");
    return made;
  }
  const known = await getFilingAt(database, wanted.driveId, wanted.path);
  if (known === null) return null; // removed between the two queries; the caller can repeat the request
  if (isRepeat(known, wanted)) return known;
  if (whenTaken !== "replace" || known.key !== key) return null;
  await renewFiling(database, known.id, wanted);
  return getFiling(database, known.id);
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
