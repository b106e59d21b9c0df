/** A document's row in Dataverse: written once, whole, under an id that we chose. */
import { Fault } from "../lib/fault.ts";
import type { DataverseClient } from "../microsoft/dataverse/dataverse-client.ts";
import { DataverseError, DUPLICATE_KEY } from "../microsoft/dataverse/dataverse-fault.ts";
import type { Filing } from "./filing.ts";

export const DOCUMENTS = "sprk_documents";

/** The column for the size holds 32 bits. */
export const RECORDED_BYTES_MAX = 2_147_483_647;

const NAME_MAX = 850;

/** The columns of the file, exactly these; the type of the file is Dataverse's own to derive. */
export function toRecord(filing: Filing): Record<string, unknown> {
  if (filing.size > RECORDED_BYTES_MAX)
    throw new Fault("request.bad", `a record takes files of up to ${RECORDED_BYTES_MAX} bytes`);
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

/** `more` are columns that are not kept with the filing: content. */
export async function writeRecord(
  dataverse: DataverseClient,
  filing: Filing,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await dataverse.upsert(DOCUMENTS, filing.id, { ...toRecord(filing), ...more });
}

/** Another row holds what may be held once, such as the e-mail that it was made of. */
export function isTakenElsewhere(error: unknown): boolean {
  return error instanceof DataverseError && error.dataverseCode === DUPLICATE_KEY;
}

/** Whether another try could end better. */
export function isPassing(error: unknown): boolean {
  return error instanceof Fault && (error.remedy === "retry" || error.remedy === "wait");
}

export interface DocumentRow {
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

/** Reading the row as somebody is that person's right to read; null when it is not there or not his. */
export function getDocumentRow(
  dataverse: DataverseClient,
  id: string,
): Promise<DocumentRow | null> {
  return dataverse.get<DocumentRow>(`${DOCUMENTS}(${id})?$select=${COLUMNS}`);
}

/** The document that was made of an e-mail, by whomever. */
export async function findDocumentOfMail(
  dataverse: DataverseClient,
  emailId: string,
): Promise<string | null> {
  const rows = await dataverse.list<{ sprk_documentid: string }>(
    `${DOCUMENTS}?$select=sprk_documentid&$filter=_sprk_email_value eq ${emailId}&$top=1`,
  );
  return rows[0]?.sprk_documentid ?? null;
}

/** Whether somebody has made a row of this file. */
export async function hasRecordOf(dataverse: DataverseClient, itemId: string): Promise<boolean> {
  const quoted = encodeURIComponent(`'${itemId.replaceAll("'", "''")}'`);
  const rows = await dataverse.list(
    `${DOCUMENTS}?$select=sprk_documentid&$filter=sprk_graphitemid eq ${quoted}&$top=1`,
  );
  return rows.length > 0;
}
