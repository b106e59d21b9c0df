/** Archives pending documents, and corrects promised paths that other documents took meanwhile. */
import {
  type CompletedArchive,
  type RetryNeeds,
  retryPendingArchives,
} from "../../archive/retry-pending-archives.ts";
import { getDocument, setArchivePath } from "../../ingestion/document-table.ts";
import { type IngestionTable, replaceArchivePath } from "../../ingestion/ingestion-table.ts";
import type { Transaction } from "../../store/database.ts";

export function clearArchiveBacklog(needs: RetryNeeds & { readonly table: IngestionTable }) {
  return retryPendingArchives(needs, {
    onStored: (tx, completed) => correctPath(tx, needs.table, completed),
  });
}

async function correctPath(
  tx: Transaction,
  table: IngestionTable,
  { subjectId, promisedPath, path }: CompletedArchive,
): Promise<void> {
  if (subjectId === null || path === promisedPath) return;
  await setArchivePath(tx, subjectId, path);
  const messageId = (await getDocument(tx, subjectId))?.messageId ?? null;
  if (messageId === null) return;
  await replaceArchivePath(tx, table, { messageId, from: promisedPath, to: path });
}
