/**
 * Puts the files of a save on the drive with the token of the person who saves, so that the drive's own
 * permissions apply. The key of each filing is derived from the save, so a repeated request continues where it stopped. If a save is refused, what it had uploaded is deleted.
 */
import type { FileStore } from "../../files/file-store.ts";
import { Fault } from "../../lib/fault.ts";
import { uuidFor } from "../../lib/hash.ts";
import type { Database } from "../../store/database.ts";
import type { Actor } from "../actors.ts";
import { contentOfBytes } from "../content.ts";
import {
  attachmentPath,
  checkDrivePath,
  emlPath,
  markedPath,
  nameIn,
  uploadPath,
} from "../drive-path.ts";
import type { Filing } from "../filing.ts";
import {
  getFiling,
  getFilingByKey,
  insertFiling,
  moveFiling,
  removeOfficeFiling,
} from "../filing-table.ts";
import { finishFiling } from "../finish-filing.ts";
import { isConflict, sessionUrl, type UploadNeeds } from "../upload-content.ts";
import {
  attachmentDocumentColumns,
  documentColumns,
  mailDocumentColumns,
} from "./office-columns.ts";
import { OfficeRefusal } from "./office-refusal.ts";
import type { SavedFile } from "./office-save.ts";
import type { SaveFacts } from "./office-save-table.ts";

export interface PutFilesNeeds extends UploadNeeds {
  readonly database: Database;
  readonly files: Pick<FileStore, "get">;
}

/** A file of a save: what it is, and the filing that it gets. */
export interface SavedPart {
  readonly key: string;
  readonly filingId: string;
  readonly file: SavedFile;
  readonly path: string;
  readonly columns: Readonly<Record<string, unknown>>;
}

/** The main file first, then the attachments. */
export function partsOf(saveId: string, facts: SaveFacts, folderPath?: string): SavedPart[] {
  const { kind, target, main, mail } = facts;
  const mainId = filingIdOf(`office:${saveId}:main`);
  const mainPath = folderPath === undefined ? defaultPath(facts) : inFolder(folderPath, main.name);
  const mainColumns =
    kind === "Email" && mail !== null
      ? mailDocumentColumns(target, mail)
      : kind === "Attachment"
        ? attachmentDocumentColumns(target, null)
        : documentColumns(target);
  return [
    part(`office:${saveId}:main`, main, mainPath, mainColumns),
    ...facts.attachments.map((file, index) =>
      part(
        `office:${saveId}:attachment:${index}`,
        file,
        attachmentPath(mainId, `${index + 1}-${file.name}`),
        attachmentDocumentColumns(target, { id: mainId, name: main.name }),
      ),
    ),
  ];
}

const filingIdOf = (key: string): string => uuidFor("document", key);

const part = (
  key: string,
  file: SavedFile,
  path: string,
  columns: Readonly<Record<string, unknown>>,
): SavedPart => ({ key, filingId: filingIdOf(key), file, path, columns });

function defaultPath({ kind, main, mail }: SaveFacts): string {
  if (kind !== "Email" || mail === null) return uploadPath(main.name);
  const date = mail.sentDate ?? mail.receivedDate;
  return date === null ? uploadPath(main.name) : emlPath(new Date(date), mail.subject);
}

function inFolder(folder: string, name: string): string {
  const checked = checkDrivePath(`${folder.replace(/\/+$/, "")}/${nameIn(uploadPath(name))}`);
  if ("path" in checked) return checked.path;
  throw new OfficeRefusal("OFFICE_VALIDATION", `folderPath: ${checked.problem}`);
}

/** Uploads one file; the record is written later, by the job. */
export async function putPart(
  needs: PutFilesNeeds,
  actor: Actor,
  driveId: string,
  part: SavedPart,
): Promise<Filing> {
  const filing = await reserve(needs.database, actor, driveId, part);
  if (filing.state !== "pending") return filing;
  const bytes = await needs.files.get(part.file.sha256);
  if (bytes === null)
    throw new Fault("spool.missing", "a received file is no longer in the folder `office`");
  const content = contentOfBytes(bytes);
  const withoutRecord = { database: needs.database, sessions: needs.sessions, seal: needs.seal };
  try {
    return await finishFiling(withoutRecord, actor, filing, content, "fail");
  } catch (error) {
    if (!isConflict(error)) throw error;
    // The name is taken: a piece of our filing's id is appended to it.
    await moveFiling(needs.database, filing.id, markedPath(part.path, filing.id));
    const moved = (await getFiling(needs.database, filing.id))!;
    return finishFiling(withoutRecord, actor, moved, content, "fail");
  }
}

async function reserve(
  database: Database,
  actor: Actor,
  driveId: string,
  { key, filingId: id, file, path, columns }: SavedPart,
): Promise<Filing> {
  const filing = await insertFiling(database, {
    id,
    key,
    driveId,
    path,
    columns,
    source: "office",
    ownerId: actor.id,
    name: file.name,
    size: file.size,
    mimeType: file.mimeType,
    sha256: file.sha256,
    isSpooled: false,
    // The job requests the record once all files are on the drive.
    wantsRecord: false,
    mailKey: null,
    review: null,
  });
  return filing ?? (await getFilingByKey(database, key))!;
}

/** Removes the files of a save that will not be finished. */
export async function removeParts(
  needs: UploadNeeds,
  actor: Actor,
  parts: readonly Pick<SavedPart, "filingId">[],
): Promise<void> {
  for (const { filingId } of parts) {
    const filing = await getFiling(needs.database, filingId);
    if (filing === null || filing.source !== "office" || filing.wantsRecord) continue;
    const session = sessionUrl(needs, filing);
    if (session !== null) await needs.sessions.cancel(session);
    if (filing.itemId !== null) await actor.drives.remove(filing.driveId, filing.itemId);
    await removeOfficeFiling(needs.database, filing.id);
  }
}
