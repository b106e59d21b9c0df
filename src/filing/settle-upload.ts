import { Fault } from "../lib/fault.ts";
import type { ConflictBehavior } from "../microsoft/graph/drive-client.ts";
import type { Database } from "../store/database.ts";
import type { Filing } from "./filing.ts";
import {
  getFilingOfItem,
  lockItem,
  markUploaded,
  removeFiling,
  replaceFile,
  type UploadedFile,
} from "./filing-table.ts";

/**
 * Stores that the file of a filing is on the drive, and returns the id of the filing that continues. One file
 * has one filing: if the drive let a sender replace a file, that sender takes over its filing, so that the
 * record keeps its id. That filing does not change before the drive has agreed.
 */
export function settleUpload(
  database: Database,
  filing: Filing,
  file: UploadedFile,
  whenTaken: ConflictBehavior,
): Promise<string> {
  return database.transaction(async (tx) => {
    await lockItem(tx, filing.driveId, file.itemId);
    const other = await getFilingOfItem(tx, filing.driveId, file.itemId, filing.id);
    if (other === null) {
      await markUploaded(tx, filing.id, file);
      return filing.id;
    }
    // The same bytes at the same path, but they belong to somebody else.
    if (whenTaken === "fail")
      throw new Fault("drive.conflict", "a file with that name already exists");
    await replaceFile(tx, other.id, filing, file);
    await removeFiling(tx, filing.id);
    return other.id;
  });
}
