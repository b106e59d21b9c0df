/** The only SQL for filings. */
import type { Queryable, Transaction } from "../store/database.ts";
import { toJson } from "../store/storable.ts";
import type { Filing, FilingState, NewFiling } from "./filing.ts";

const COLUMNS = `id, key, source, owner_id AS "ownerId", drive_id AS "driveId", path, name, size,
  mime_type AS "mimeType", sha256, is_spooled AS "isSpooled", wants_record AS "wantsRecord", mail_key AS "mailKey", review, columns,
  state, reason, session, session_bytes AS "sessionBytes",
  item_id AS "itemId", web_url AS "webUrl", created_at AS "createdAt", changed_at AS "changedAt"`;

/**
 * Null if the key is taken, if the same message is filed already, or if a file of another message or a reservation of
 * the same sender has the place.
 */
export async function insertFiling(on: Queryable, filing: NewFiling): Promise<Filing | null> {
  const { rows } = await on.query<Filing>(
    `INSERT INTO postroom.filing
       (id, key, source, owner_id, drive_id, path, name, size, mime_type, sha256, is_spooled, wants_record, columns,
        mail_key, review)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    [
      filing.id,
      filing.key,
      filing.source,
      filing.ownerId,
      filing.driveId,
      filing.path,
      filing.name,
      filing.size,
      filing.mimeType,
      filing.sha256,
      filing.isSpooled,
      filing.wantsRecord,
      toJson(filing.columns),
      filing.mailKey,
      filing.review,
    ],
  );
  return rows[0] ?? null;
}

/** A file with its record that another program made. */
export type RecordedFiling = Pick<
  NewFiling,
  "id" | "key" | "source" | "driveId" | "path" | "name"
> &
  Pick<NewFiling, "size" | "mimeType"> & { readonly itemId: string; readonly webUrl: string };

/** Returns how many are new; one whose id or place we know stays as it is. */
export async function insertRecorded(
  on: Queryable,
  filings: readonly RecordedFiling[],
): Promise<number> {
  const { rowCount } = await on.query(
    `INSERT INTO postroom.filing
       (id, key, source, drive_id, path, name, size, mime_type, item_id, web_url, state)
     SELECT id, key, source, "driveId", path, name, size, "mimeType", "itemId", "webUrl", 'recorded'
       FROM jsonb_to_recordset($1::jsonb) AS t(id uuid, key text, source text, "driveId" text, path text,
              name text, size bigint, "mimeType" text, "itemId" text, "webUrl" text)
     ON CONFLICT DO NOTHING`,
    [toJson(filings)],
  );
  return rowCount;
}

export async function getFiling(on: Queryable, id: string): Promise<Filing | null> {
  const { rows } = await on.query<Filing>(`SELECT ${COLUMNS} FROM postroom.filing WHERE id = $1`, [
    id,
  ]);
  return rows[0] ?? null;
}

export async function getFilingByKey(on: Queryable, key: string): Promise<Filing | null> {
  const { rows } = await on.query<Filing>(`SELECT ${COLUMNS} FROM postroom.filing WHERE key = $1`, [
    key,
  ]);
  return rows[0] ?? null;
}

/** The document of a message, whichever way it came. */
export async function getFilingOfMail(on: Queryable, mailKey: string): Promise<Filing | null> {
  const { rows } = await on.query<Filing>(
    `SELECT ${COLUMNS} FROM postroom.filing WHERE mail_key = $1`,
    [mailKey],
  );
  return rows[0] ?? null;
}

/** Documents of e-mails in Dataverse with this RFC 5322 id whose original we had not seen when we filed them. */
export async function findComposed(on: Queryable, internetMessageId: string): Promise<Filing[]> {
  const plain = internetMessageId.replace(/^<|>$/g, "");
  const { rows } = await on.query<Filing>(
    `SELECT ${COLUMNS} FROM postroom.filing
      WHERE source = 'email' AND mail_key IS NULL AND columns->>'sprk_emailmessageid' = ANY($1)
      ORDER BY created_at LIMIT 20`,
    [[plain, `<${plain}>`]],
  );
  return rows;
}

/** Filings of all senders at a place, ignoring case, because drives do too. */
export async function findFilingsAt(
  on: Queryable,
  driveId: string,
  path: string,
): Promise<Filing[]> {
  const { rows } = await on.query<Filing>(
    `SELECT ${COLUMNS} FROM postroom.filing WHERE drive_id = $1 AND lower(path) = lower($2)
      ORDER BY created_at DESC, id`,
    [driveId, path],
  );
  return rows;
}

/** Until the transaction ends, no other process settles an upload of this file. */
export async function lockItem(on: Queryable, driveId: string, itemId: string): Promise<void> {
  await on.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `filing:${driveId}:${itemId}`,
  ]);
}

/** Another filing of the same file. */
export async function getFilingOfItem(
  on: Queryable,
  driveId: string,
  itemId: string,
  exceptId: string,
): Promise<Filing | null> {
  const { rows } = await on.query<Filing>(
    `SELECT ${COLUMNS} FROM postroom.filing WHERE drive_id = $1 AND item_id = $2 AND id <> $3
      ORDER BY created_at LIMIT 1`,
    [driveId, itemId, exceptId],
  );
  return rows[0] ?? null;
}

export interface FilingFilter {
  readonly state?: FilingState;
  readonly ownerId?: string;
  /** Only documents that a person should look at. */
  readonly needsReview?: boolean;
  readonly limit?: number;
  /** Continues after this filing. If it was removed since, its time, to the millisecond, says where to continue. */
  readonly after?: { readonly id: string; readonly createdAt: string } | undefined;
}

/** Newest first. */
export async function findFilings(on: Queryable, filter: FilingFilter = {}): Promise<Filing[]> {
  const { rows } = await on.query<Filing>(
    `SELECT ${COLUMNS} FROM postroom.filing
      WHERE ($1::text IS NULL OR state = $1) AND ($2::text IS NULL OR owner_id = $2)
        AND ($4::uuid IS NULL OR (created_at, id) < (coalesce(
              (SELECT c.created_at FROM postroom.filing c WHERE c.id = $4),
              $5::timestamptz + interval '1 millisecond'), $4))
        ${filter.needsReview ? "AND review IS NOT NULL" : ""}
      ORDER BY created_at DESC, id DESC LIMIT $3`,
    [
      filter.state ?? null,
      filter.ownerId ?? null,
      filter.limit ?? 100,
      filter.after?.id ?? null,
      filter.after?.createdAt ?? null,
    ],
  );
  return rows;
}

/** Reuses a sender's own reservation for other content. */
export async function renewReservation(
  on: Queryable,
  wanted: Pick<NewFiling, "driveId" | "path" | "ownerId" | "size" | "mimeType" | "sha256" | "name">,
): Promise<Filing | null> {
  const { rows } = await on.query<Filing>(
    `UPDATE postroom.filing SET reason = NULL, size = $4, mime_type = $5, sha256 = $6, name = $7,
            session = NULL, session_bytes = 0, changed_at = postroom.now()
      WHERE drive_id = $1 AND lower(path) = lower($2) AND owner_id IS NOT DISTINCT FROM $3 AND state = 'pending'
      RETURNING ${COLUMNS}`,
    [
      wanted.driveId,
      wanted.path,
      wanted.ownerId,
      wanted.size,
      wanted.mimeType,
      wanted.sha256,
      wanted.name,
    ],
  );
  return rows[0] ?? null;
}

/** Gives a filing the content and the sender of an upload that replaced its file; file and record keep their ids. */
export async function replaceFile(
  on: Queryable,
  id: string,
  by: NewFiling,
  file: UploadedFile,
): Promise<void> {
  await on.query(
    `UPDATE postroom.filing SET state = 'uploaded', reason = NULL, name = $2, path = $3, size = $4, owner_id = $5,
            web_url = $6, mime_type = $7, sha256 = $8, session = NULL, session_bytes = 0,
            columns = CASE WHEN wants_record THEN columns ELSE $9 END,
            wants_record = wants_record OR $10, changed_at = postroom.now()
      WHERE id = $1`,
    [
      id,
      by.name,
      by.path,
      by.size,
      by.ownerId,
      file.webUrl,
      file.mimeType,
      file.sha256 ?? by.sha256,
      toJson(by.columns),
      by.wantsRecord,
    ],
  );
}

/** Moves a message's filing whose place belongs to another file; false if another message has the new place too. */
export async function moveFiling(on: Queryable, id: string, path: string): Promise<boolean> {
  const { rowCount } = await on.query(
    `UPDATE postroom.filing SET path = $2, changed_at = postroom.now()
      WHERE id = $1 AND NOT EXISTS (
        SELECT 1 FROM postroom.filing other
         WHERE other.drive_id = filing.drive_id AND lower(other.path) = lower($2) AND other.id <> $1
           AND other.source IN ('email', 'attachment'))`,
    [id, path],
  );
  return rowCount === 1;
}

/** Null removes the session. */
export async function storeSession(
  on: Queryable,
  id: string,
  session: Buffer | null,
): Promise<void> {
  await on.query(
    `UPDATE postroom.filing SET session = $2, session_bytes = 0, changed_at = postroom.now()
      WHERE id = $1`,
    [id, session],
  );
}

export async function storeProgress(on: Queryable, id: string, bytes: number): Promise<void> {
  await on.query(
    `UPDATE postroom.filing SET session_bytes = $2, changed_at = postroom.now() WHERE id = $1`,
    [id, bytes],
  );
}

export interface UploadedFile {
  readonly itemId: string;
  readonly webUrl: string;
  readonly mimeType: string | null;
  readonly sha256: string | null;
}

export async function markUploaded(on: Queryable, id: string, file: UploadedFile): Promise<void> {
  await on.query(
    `UPDATE postroom.filing SET state = 'uploaded', reason = NULL, item_id = $2, web_url = $3, mime_type = $4,
            sha256 = coalesce($5, sha256), session = NULL, changed_at = postroom.now()
      WHERE id = $1`,
    [id, file.itemId, file.webUrl, file.mimeType, file.sha256],
  );
}

export async function markFiling(
  on: Queryable,
  id: string,
  state: FilingState,
  reason: string | null = null,
): Promise<void> {
  await on.query(
    `UPDATE postroom.filing SET state = $2, reason = $3, changed_at = postroom.now() WHERE id = $1`,
    [id, state, reason],
  );
}

/** A person has looked at it. */
export async function endReview(on: Queryable, id: string): Promise<void> {
  await on.query(
    `UPDATE postroom.filing SET review = NULL, changed_at = postroom.now() WHERE id = $1`,
    [id],
  );
}

/** Adds a record to a file that was sent without one. */
export async function wantRecord(
  on: Queryable,
  id: string,
  columns: Readonly<Record<string, unknown>>,
): Promise<void> {
  await on.query(
    `UPDATE postroom.filing SET wants_record = true, columns = $2, changed_at = postroom.now() WHERE id = $1`,
    [id, toJson(columns)],
  );
}

export async function removeFiling(on: Queryable, id: string): Promise<void> {
  await on.query(`DELETE FROM postroom.filing WHERE id = $1 AND state = 'pending'`, [id]);
}

/** Removes a filing from Office whose file was removed, or never sent; a record is never orphaned. */
export async function removeOfficeFiling(on: Queryable, id: string): Promise<void> {
  await on.query(
    `DELETE FROM postroom.filing WHERE id = $1 AND source = 'office' AND NOT wants_record
        AND state IN ('pending', 'uploaded')`,
    [id],
  );
}

/** Filings that have been unfinished since `before`. */
export async function findUnfinished(
  on: Queryable,
  before: Date,
  limit: number,
): Promise<Filing[]> {
  const { rows } = await on.query<Filing>(
    `SELECT ${COLUMNS} FROM postroom.filing
      WHERE state IN ('pending', 'uploaded') AND changed_at < $1 ORDER BY changed_at LIMIT $2`,
    [before, limit],
  );
  return rows;
}

/** Which of these spooled files an unfinished filing still needs. */
export async function findSpooled(on: Queryable, sha256s: readonly string[]): Promise<Set<string>> {
  const { rows } = await on.query<{ sha256: string }>(
    `SELECT DISTINCT sha256 FROM postroom.filing
      WHERE state IN ('pending', 'uploaded') AND is_spooled AND sha256 = ANY($1)`,
    [sha256s],
  );
  return new Set(rows.map((row) => row.sha256));
}

/** Takes the filings whose last check is longest ago, and marks them as checked. */
export async function takeUnchecked(on: Queryable, before: Date, limit: number): Promise<Filing[]> {
  const { rows } = await on.query<Filing>(
    `UPDATE postroom.filing SET checked_at = postroom.now()
      WHERE id IN (SELECT id FROM postroom.filing
                    WHERE state = 'recorded' AND coalesce(checked_at, created_at) < $1
                    ORDER BY checked_at NULLS FIRST LIMIT $2)
      RETURNING ${COLUMNS}`,
    [before, limit],
  );
  return rows;
}

export async function countFilings(
  on: Queryable,
): Promise<{ state: FilingState; source: string; count: number }[]> {
  const { rows } = await on.query<{ state: FilingState; source: string; count: number }>(
    "SELECT state, source, count(*) AS count FROM postroom.filing GROUP BY 1, 2",
  );
  return rows;
}

/** Erases the filings of a person's mail. Returns a row for each, with the hash of its file. */
export async function eraseFilings(
  tx: Transaction,
  { address, heldPeople }: { readonly address: string; readonly heldPeople: readonly string[] },
): Promise<{ readonly sha256: string | null }[]> {
  const { rows } = await tx.query<{ sha256: string | null }>(
    `DELETE FROM postroom.filing WHERE strpos(lower(columns::text), $1) > 0
        AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS held WHERE strpos(lower(columns::text), held) > 0)
      RETURNING sha256`,
    [address, heldPeople],
  );
  return rows;
}
