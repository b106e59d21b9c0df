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
export async function reserveForMail(database: Queryable, wanted: WantedForMail): Promise<Filing> {
  const known =
    (await insert(database, wanted, wanted.path)) ?? (await getFilingByKey(database, wanted.key));
  if (known !== null) return known;
  const held = wanted.mailKey && (await getFilingOfMail(database, wanted.mailKey));
  if (held) return held;
  const marked = await insert(database, wanted, markedPath(wanted.path, idOf(wanted)));
  return marked ?? (await getFilingByKey(database, wanted.key)) ?? heldNow(database, wanted);
}

/** Adds a part of the id to the name of a reservation, because the drive already has a file at its path. */
export async function reserveMarkedPath(database: Queryable, planned: Filing): Promise<Filing> {
  const path = markedPath(planned.path, planned.id);
  const current = (await getFilingByKey(database, planned.key))!;
  if (current.path !== path) await moveFiling(database, planned.id, path);
  return (await getFilingByKey(database, planned.key))!;
}

/** Another worker reserved the same message while we looked. */
async function heldNow(database: Queryable, { mailKey }: WantedForMail): Promise<Filing> {
  return (await getFilingOfMail(database, mailKey!))!;
}

async function insert(
  database: Queryable,
  wanted: WantedForMail,
  path: string,
): Promise<Filing | null> {
  const filing = await insertFiling(database, {
    ...wanted,
    id: idOf(wanted),
    path,
    name: nameIn(path),
    ownerId: null,
    wantsRecord: true,
  });
  if (filing !== null) await killPoint("filing.intent-committed");
  return filing;
}

const idOf = ({ key }: WantedForMail): string => uuidFor("document", key);
