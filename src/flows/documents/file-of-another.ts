/**
 * The app may read every file, so a record that names a file proves nothing: anybody who may write records could name the
 * file of a document that they may not read. A file therefore belongs to one document.
 */
import { getFilingOfItem } from "../../filing/filing-table.ts";
import type { DocumentFacts } from "../../search/indexed-document.ts";
import { isHeldByAnother } from "../../search/indexed-document-table.ts";
import type { Queryable } from "../../store/database.ts";

/** To the document that we filed with it; of a file that others filed, to the first one in the index. */
export async function isFileOfAnother(
  on: Queryable,
  file: Pick<DocumentFacts, "documentId" | "driveId" | "itemId">,
): Promise<boolean> {
  const { documentId, driveId, itemId } = file;
  if (driveId === null || itemId === null) return false;
  const filing = await getFilingOfItem(on, driveId, itemId, documentId);
  return filing?.wantsRecord === true || isHeldByAnother(on, file);
}
