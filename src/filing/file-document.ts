/** File first, then record. Each step is stored, and each can be taken again without a second one of anything. */
import { canonicalJson } from "../lib/canonical-json.ts";
import { Fault } from "../lib/fault.ts";
import { uuidFor } from "../lib/hash.ts";
import { killPoint } from "../lib/kill-points.ts";
import type { ConflictBehavior } from "../microsoft/graph/drive-client.ts";
import type { Actor } from "./actors.ts";
import { type Content, createMeasure } from "./content.ts";
import { contentTypeOf } from "./content-type.ts";
import { otherPaths } from "./drive-path.ts";
import type { Filing, NewFiling } from "./filing.ts";
import {
  getFiling,
  getFilingAt,
  insertFiling,
  markFiling,
  markUploaded,
  removeFiling,
  renewFiling,
} from "./filing-table.ts";
import { isPassing, writeRecord } from "./record.ts";
import { isConflict, type UploadNeeds, uploadContent } from "./upload-content.ts";

/** What to do when the place is taken by another file. */
export type WhenTaken = ConflictBehavior | "rename";

export type WantedFile = Omit<NewFiling, "id" | "key">;

export interface FileNeeds extends UploadNeeds {
  readonly onFiled?: (filing: Filing) => void;
}

/** Files what a person or program sent. The same content at the same place is the same document. */
export async function fileContent(
  needs: FileNeeds,
  actor: Actor,
  wanted: WantedFile,
  content: Content,
  whenTaken: WhenTaken,
): Promise<Filing> {
  for (const path of whenTaken === "rename" ? otherPaths(wanted.path) : [wanted.path]) {
    const filing = await reserve(needs, { ...wanted, path }, whenTaken);
    if (filing === null) continue;
    try {
      return await finishFiling(
        needs,
        actor,
        filing,
        content,
        whenTaken === "replace" ? "replace" : "fail",
      );
    } catch (error) {
      if (!isConflict(error)) throw error;
      await removeFiling(needs.database, filing.id);
      if (whenTaken !== "rename" || !content.isRereadable) throw error;
    }
  }
  throw new Fault("drive.conflict", "a file of that name is there already");
}

/** The row for a place: a new one, or that of an earlier attempt at the same thing. Null: it is taken. */
export async function reserve(
  { database }: Pick<FileNeeds, "database">,
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
  if (known === null) return null; // freed at this moment; the caller asks again
  if (isRepeat(known, wanted)) return known;
  if (whenTaken !== "replace" || known.key !== key) return null;
  await renewFiling(database, known.id, wanted);
  return getFiling(database, known.id);
}

/** The same sender with the same thing: his last answer was lost, or he was cut off. */
function isRepeat(known: Filing, wanted: WantedFile): boolean {
  const isSameWish =
    known.ownerId === wanted.ownerId &&
    known.size === wanted.size &&
    known.source === wanted.source &&
    canonicalJson(known.columns) === canonicalJson(wanted.columns);
  if (!isSameWish) return false;
  // Content that is only known after reading is compared then.
  return wanted.sha256 === null || known.sha256 === wanted.sha256;
}

/** Takes a filing from wherever it stands to its end. */
export async function finishFiling(
  needs: FileNeeds,
  actor: Actor,
  filing: Filing,
  content: Content,
  conflict: ConflictBehavior,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Filing> {
  if (filing.state === "pending") {
    const { item, start, sha256 } = await uploadContent(needs, actor, filing, content, conflict);
    await markUploaded(needs.database, filing.id, {
      itemId: item.id,
      webUrl: item.webUrl,
      mimeType: filing.mimeType ?? contentTypeOf(filing.path, start),
      sha256,
    });
    await killPoint("filing.item-stored");
  } else if (content.sha256 === null) {
    await assertSame(filing, content);
  }
  return finishRecord(needs, actor, filing.id, more);
}

/** A file that is done is not sent again; what comes is read to its end and compared. */
async function assertSame(filing: Filing, content: Content): Promise<void> {
  const measure = createMeasure();
  for await (const chunk of content.chunks(1024 * 1024)) measure.update(chunk);
  if (measure.end().sha256 !== filing.sha256)
    throw new Fault("drive.conflict", "another file of that name is there already");
}

/** The record of a file that is on the drive. A refusal is kept, so that the file is not forgotten. */
export async function finishRecord(
  needs: Pick<FileNeeds, "database" | "onFiled">,
  actor: Actor,
  id: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Filing> {
  const filing = (await getFiling(needs.database, id))!;
  const isDue = filing.state === "uploaded" || filing.state === "refused";
  if (!filing.wantsRecord || !isDue) return filing;
  try {
    await writeRecord(actor.dataverse, filing, more);
  } catch (error) {
    if (!isPassing(error))
      await markFiling(needs.database, id, "refused", (error as Error).message);
    throw error;
  }
  await killPoint("filing.record-written");
  await markFiling(needs.database, id, "recorded");
  await killPoint("filing.record-stored");
  const filed = (await getFiling(needs.database, id))!;
  needs.onFiled?.(filed);
  return filed;
}
