import type { Transaction } from "../store/database.ts";
import type { IngestionTable } from "./ingestion-table.ts";

/**
 * Another name for an archived document, where its mail was finished under a promised one. The guard keeps
 * finished rows as they are, so it is told that this is meant.
 */
export async function replaceArchivePath(
  tx: Transaction,
  table: IngestionTable,
  change: { readonly messageId: string; readonly from: string; readonly to: string },
): Promise<void> {
  const column = table.naming.archivePathsColumn;
  await tx.query("SELECT set_config('postroom.ingest_override', 'on', true)");
  await tx.query(
    `UPDATE ${table.name}
        SET ${column} = (SELECT jsonb_agg(CASE WHEN path = $3 THEN $4 ELSE path END ORDER BY n)
                           FROM jsonb_array_elements_text(${column}::jsonb) WITH ORDINALITY AS p (path, n)),
            updated_at = NOW()
      WHERE app_name = $1 AND message_id = $2 AND ${column}::jsonb ? $3`,
    [table.naming.appName, change.messageId, change.from, change.to],
  );
  await tx.query("SELECT set_config('postroom.ingest_override', 'off', true)");
}
