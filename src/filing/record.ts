/** The record of a file in Dataverse: one complete row under an id that we choose. */
import { Fault } from "../lib/fault.ts";
import type { DataverseClient } from "../microsoft/dataverse/dataverse-client.ts";
import { DataverseError, DUPLICATE_KEY } from "../microsoft/dataverse/dataverse-fault.ts";
import type { Filing } from "./filing.ts";

export const RECORDS = "sprk_documents";

/** The size column holds 32 bits. */
export const RECORDED_BYTES_MAX = 2_147_483_647;

const NAME_MAX = 850;

/** The columns of the file. Dataverse derives the type of the file itself. */
export function toRecord(filing: Filing): Record<string, unknown> {
  if (filing.size > RECORDED_BYTES_MAX)
    throw new Fault(
      "request.bad",
      `a record can describe files of up to ${RECORDED_BYTES_MAX} bytes`,
    );
  return {
    sprk_documentname: filing.name.slice(0, NAME_MAX),
    sprk_filename: filing.name,
    sprk_filesize: filing.size,
    sprk_mimetype: filing.mimeType,
    sprk_graphitemid: filing.itemId,
    sprk_graphdriveid: filing.driveId,
    sprk_filepath: filing.webUrl,
    sprk_hasfile: true,
    ...filing.columns,
  };
}

/** `more` holds columns with content, which is not stored with the filing. */
export async function writeRecord(
  dataverse: DataverseClient,
  filing: Filing,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await dataverse.upsert(RECORDS, filing.id, { ...toRecord(filing), ...more });
}

/** Another record already refers to something that only one record may refer to, such as an e-mail. */
export function isTakenElsewhere(error: unknown): boolean {
  return error instanceof DataverseError && error.dataverseCode === DUPLICATE_KEY;
}

/** Whether a retry could help. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Fault && (error.remedy === "retry" || error.remedy === "wait");
}

export interface RecordRow {
  readonly sprk_documentid: string;
  readonly sprk_filename: string | null;
  readonly sprk_filesize: number | null;
  readonly sprk_mimetype: string | null;
  readonly sprk_graphitemid: string | null;
  readonly sprk_graphdriveid: string | null;
  readonly sprk_filepath: string | null;
}

const COLUMNS =
  "sprk_documentid,sprk_filename,sprk_filesize,sprk_mimetype,sprk_graphitemid,sprk_graphdriveid,sprk_filepath";

/** Reads with the caller's token, so Dataverse enforces access; null if missing or hidden. */
export function getRecord(dataverse: DataverseClient, id: string): Promise<RecordRow | null> {
  return dataverse.get<RecordRow>(`${RECORDS}(${id})?$select=${COLUMNS}`);
}

/** The id of the record that refers to an e-mail, written by us or by another program. */
export async function findRecordOfMail(
  dataverse: DataverseClient,
  emailId: string,
): Promise<string | null> {
  const rows = await dataverse.list<{ sprk_documentid: string }>(
    `${RECORDS}?$select=sprk_documentid&$filter=_sprk_email_value eq ${emailId}&$top=1`,
  );
  return rows[0]?.sprk_documentid ?? null;
}

/** Whether any record refers to this file. */
export async function hasRecordOf(dataverse: DataverseClient, itemId: string): Promise<boolean> {
  const quoted = encodeURIComponent(`'${itemId.replaceAll("'", "''")}'`);
  const rows = await dataverse.list(
    `${RECORDS}?$select=sprk_documentid&$filter=sprk_graphitemid eq ${quoted}&$top=1`,
  );
  return rows.length > 0;
}

/** The id of a record that describes this file. */
export async function findRecordOfItem(
  dataverse: DataverseClient,
  driveId: string,
  itemId: string,
): Promise<string | null> {
  const filter = `sprk_graphitemid eq '${itemId}' and sprk_graphdriveid eq '${driveId}'`;
  const rows = await dataverse.list<{ sprk_documentid: string }>(
    `${RECORDS}?$select=sprk_documentid&$filter=${encodeURIComponent(filter)}&$top=1`,
  );
  return rows[0]?.sprk_documentid ?? null;
}
