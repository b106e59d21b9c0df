/** The only SQL for erasures: it calls the function in the database that knows every place, and keeps the report. */
import type { Queryable, Transaction } from "../store/database.ts";
import { toJson } from "../store/storable.ts";

export interface ErasedRow {
  /** `index` and `file` are what the caller has to remove. */
  readonly action: "erased" | "redacted" | "kept" | "file" | "index";
  readonly place: string;
  readonly item: string | null;
  readonly count: number;
  readonly reason: string | null;
}

export async function eraseRows(
  tx: Transaction,
  person: {
    readonly address: string;
    readonly ids: readonly string[];
    readonly mailboxes: readonly number[];
  },
  shared: { readonly schema: string; readonly archivePathsColumn: string },
): Promise<ErasedRow[]> {
  const { rows } = await tx.query<ErasedRow>(
    "SELECT action, place, item, count, reason FROM postroom.erase_person($1, $2, $3, $4, $5)",
    [person.address, person.ids, person.mailboxes, shared.schema, shared.archivePathsColumn],
  );
  return rows;
}

/** Where this text still occurs in the database. */
export async function findText(
  on: Queryable,
  text: string,
): Promise<{ readonly place: string; readonly count: number }[]> {
  return (
    await on.query<{ place: string; count: number }>(
      "SELECT place, count FROM postroom.find_text($1)",
      [text],
    )
  ).rows;
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
      ...[erasure.id, erasure.personHash, erasure.askedBy, toJson(erasure.counts), erasure.kept],
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

/** The paths in the archive name the person, so they go with the files. */
export async function finishErasure(on: Queryable, id: string): Promise<void> {
  await on.query(
    "UPDATE postroom.erasure SET finished_at = postroom.now(), files = '[]' WHERE id = $1",
    [id],
  );
}
