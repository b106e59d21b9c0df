import { uuidFor } from "../lib/hash.ts";
import { killPoint } from "../lib/kill-points.ts";
import type { Queryable } from "../store/database.ts";
import { markedPath, nameIn } from "./drive-path.ts";
import type { Filing, NewFiling } from "./filing.ts";
import { getFilingByKey, getFilingOfMail, insertFiling, moveFiling } from "./filing-table.ts";

type WantedForMail = Omit<NewFiling, "id" | "name" | "ownerId" | "wantsRecord">;

/**
 * Reserves the place of a message or an attachment. The id is derived from the key, so two workers reserve the
 * same row. Of two messages with the same day and subject, the second gets a part of its id after the name. If the
 * same message came another way before, the result is that filing, under its own key.
 */
export async function reserveForMail(
  database: Queryable,
  wanted: WantedForMail,
  { isTaken = false } = {},
): Promise<Filing> {
  const id = uuidFor("document", wanted.key);
  const path = markedPath(wanted.path, id);
  if (!isTaken) {
    const known =
      (await add(database, id, wanted, wanted.path)) ??
      (await getFilingByKey(database, wanted.key));
    if (known !== null) return known;
    const held = wanted.mailKey && (await getFilingOfMail(database, wanted.mailKey));
    if (held) return held;
    const marked = await add(database, id, wanted, path);
    return marked ?? (await getFilingByKey(database, wanted.key)) ?? heldNow(database, wanted);
  }
  const filing = (await getFilingByKey(database, wanted.key))!;
  if (filing.path !== path) await moveFiling(database, id, path);
  return (await getFilingByKey(database, wanted.key))!;
}

/** Another worker reserved the same message while we looked. */
async function heldNow(database: Queryable, { mailKey }: WantedForMail): Promise<Filing> {
  return (await getFilingOfMail(database, mailKey!))!;
}

async function add(
  database: Queryable,
  id: string,
  wanted: WantedForMail,
  path: string,
): Promise<Filing | null> {
  const name = nameIn(path);
  const { key, source, driveId, size, sha256, mimeType, isSpooled, columns } = wanted;
  const { mailKey, review } = wanted;
  const made = await insertFiling(database, {
    id,
    key,
    source,
    driveId,
    path,
    name,
    size,
    sha256,
    mimeType,
    isSpooled,
    columns,
    mailKey,
    review,
    ownerId: null,
    wantsRecord: true,
  });
  if (made !== null) await killPoint("filing.intent-committed");
  return made;
}
