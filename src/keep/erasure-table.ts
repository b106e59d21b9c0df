/** The only SQL for the report of an erasure, and for what is left of a person afterwards. */
import { sha256Hex } from "../lib/hash.ts";
import type { Queryable, Transaction } from "../store/database.ts";
import { toJson } from "../store/storable.ts";

const CAN_HOLD_TEXT = ["text", "text[]", "character varying", "json", "jsonb", "tsvector"];

/** Where this text still occurs in the database, in any column that can hold text, whoever owns the table. */
export async function findText(
  on: Queryable,
  text: string,
): Promise<{ readonly place: string; readonly count: number }[]> {
  const { rows: columns } = await on.query<{ place: string; table: string; column: string }>(
    `SELECT concat_ws('.', n.nspname, t.relname, a.attname) AS place,
            format('%I.%I', n.nspname, t.relname) AS table, quote_ident(a.attname) AS column
       FROM pg_attribute a JOIN pg_class t ON t.oid = a.attrelid AND t.relkind IN ('r', 'p')
       JOIN pg_namespace n ON n.oid = t.relnamespace
      WHERE a.attnum > 0 AND NOT a.attisdropped AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
        AND format_type(a.atttypid, NULL) = ANY($1) ORDER BY 1`,
    [CAN_HOLD_TEXT],
  );
  const found: { place: string; count: number }[] = [];
  // One statement for each column, because each has to end within the limit of a statement.
  for (const { place, table, column } of columns) {
    const { rows } = await on.query<{ count: number }>(
      `SELECT count(*) AS count FROM ${table} WHERE strpos(lower(${column}::text), $1) > 0`,
      [text.toLowerCase()],
    );
    if (rows[0]!.count > 0) found.push({ place, count: rows[0]!.count });
  }
  return found;
}

/** What has to be removed after the rows: files, and the copy of a document in a search service. */
export interface ErasedFile {
  readonly place: "spool" | "archive" | "search";
  readonly item: string;
}

export async function addErasure(
  tx: Transaction,
  erasure: {
    readonly id: string;
    readonly personHash: string;
    readonly askedBy: string;
    readonly counts: Readonly<Record<string, number>>;
    readonly kept: number;
    readonly files: readonly ErasedFile[];
  },
): Promise<void> {
  await tx.query(
    `INSERT INTO postroom.erasure (id, person_hash, asked_by, counts, kept, files) VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      erasure.id,
      erasure.personHash,
      erasure.askedBy,
      toJson(erasure.counts),
      erasure.kept,
      toJson(erasure.files),
    ],
  );
}

/** Erasures whose files a crash may have left. */
export async function findUnfinished(
  on: Queryable,
): Promise<{ readonly id: string; readonly files: readonly ErasedFile[] }[]> {
  return (
    await on.query<{ id: string; files: ErasedFile[] }>(
      "SELECT id, files FROM postroom.erasure WHERE finished_at IS NULL ORDER BY at",
    )
  ).rows;
}

/**
 * The paths in the archive name the person, so they go with the files. Hashes of the spool's names stay, so that the
 * spools of other machines find their copies.
 */
export async function finishErasure(
  on: Queryable,
  id: string,
  spooled: readonly string[],
): Promise<void> {
  await on.query(
    `UPDATE postroom.erasure SET finished_at = postroom.now(), files = $2 WHERE id = $1`,
    [id, toJson(spooled.map((item) => ({ place: "spool", item: hashOf(item) })))],
  );
}

const hashOf = (sha256: string): string => sha256Hex(`erased:${sha256}`);

/** Tells whether a file in a spool was erased; another machine may have carried out the erasure. */
export async function findErasedFiles(
  on: Queryable,
  sha256s: readonly string[],
): Promise<string[]> {
  const { rows } = await on.query<{ item: string }>(
    `SELECT DISTINCT f ->> 'item' AS item FROM postroom.erasure e, jsonb_array_elements(e.files) f
      WHERE e.finished_at IS NOT NULL AND f ->> 'item' = ANY($1)`,
    [sha256s.map(hashOf)],
  );
  const hashes = new Set(rows.map(({ item }) => item));
  return sha256s.filter((sha256) => hashes.has(hashOf(sha256)));
}

/** Whether a path in the archive belongs to a note again, because the same file has come since. */
export async function isArchivedAgain(on: Queryable, path: string): Promise<boolean> {
  const sql = "SELECT FROM postroom.trade_document WHERE archive_path = $1 LIMIT 1";
  return (await on.query(sql, [path])).rowCount > 0;
}
