/** The steps that every filing takes: upload the file, then write the record. Each can be repeated safely. */
import { Fault } from "../lib/fault.ts";
import { killPoint } from "../lib/kill-points.ts";
import type { ConflictBehavior } from "../microsoft/graph/drive-client.ts";
import type { Transaction } from "../store/database.ts";
import type { Actor } from "./actors.ts";
import { type Content, createMeasure } from "./content.ts";
import { contentTypeOf } from "./content-type.ts";
import type { Filing } from "./filing.ts";
import { getFiling, markFiling } from "./filing-table.ts";
import { isTemporary, writeRecord } from "./record.ts";
import { settleUpload } from "./settle-upload.ts";
import { type UploadNeeds, uploadContent } from "./upload-content.ts";

/** What follows a filing. */
export interface AfterFiling {
  /** The version of the record; null if Dataverse does not say. */
  versionOf(id: string): Promise<string | null>;
  /** Adds the jobs that follow, in the transaction that marks the filing as recorded. */
  add(tx: Transaction, filing: Filing, version: string | null): Promise<void>;
}

export interface FilingNeeds extends UploadNeeds {
  readonly after?: AfterFiling;
  readonly onFiled?: (filing: Filing) => void;
}

/** Continues a filing from the state it is in: file first, then record. */
export async function finishFiling(
  needs: FilingNeeds,
  actor: Actor,
  filing: Filing,
  content: Content,
  whenTaken: ConflictBehavior,
  contentColumns: Readonly<Record<string, unknown>> = {},
): Promise<Filing> {
  if (filing.state === "pending") {
    const {
      item,
      start: firstBytes,
      sha256,
    } = await uploadContent(needs, actor, filing, content, whenTaken);
    const mimeType = filing.mimeType ?? contentTypeOf(filing.path, firstBytes);
    const file = { itemId: item.id, webUrl: item.webUrl, mimeType, sha256 };
    const id = await settleUpload(needs.database, filing, file, whenTaken);
    await killPoint("filing.item-stored");
    return finishRecord(needs, actor, id, contentColumns);
  }
  if (content.sha256 === null) await assertSame(filing, content);
  return finishRecord(needs, actor, filing.id, contentColumns);
}

/** For a file that is already on the drive: its content is not sent again, only read and compared. */
async function assertSame(filing: Filing, content: Content): Promise<void> {
  const measure = createMeasure();
  for await (const chunk of content.chunks(1024 * 1024)) measure.update(chunk);
  if (measure.end().sha256 !== filing.sha256)
    throw new Fault("drive.conflict", "another file with that name already exists");
}

/** Writes the record of a file that is on the drive. A refusal is stored, so that the file is not forgotten. */
export async function finishRecord(
  needs: Pick<FilingNeeds, "database" | "onFiled" | "after">,
  actor: Actor,
  id: string,
  contentColumns: Readonly<Record<string, unknown>> = {},
): Promise<Filing> {
  const filing = (await getFiling(needs.database, id))!;
  const isDue = filing.state === "uploaded" || filing.state === "refused";
  if (!filing.wantsRecord || !isDue) return filing;
  try {
    await writeRecord(actor.dataverse, filing, contentColumns);
  } catch (error) {
    if (!isTemporary(error))
      await markFiling(needs.database, id, "refused", (error as Error).message);
    throw error;
  }
  await killPoint("filing.record-written");
  const version = (await needs.after?.versionOf(id)) ?? null;
  await needs.database.transaction(async (tx) => {
    await markFiling(tx, id, "recorded");
    await needs.after?.add(tx, filing, version);
  });
  await killPoint("filing.record-stored");
  const filed = (await getFiling(needs.database, id))!;
  needs.onFiled?.(filed);
  return filed;
}
