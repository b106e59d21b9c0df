/** Documents that Spaarke filed: the file and its record exist, so our row says no more than that. */
import * as z from "zod";
import type { Transaction } from "../../store/database.ts";
import { checkDrivePath } from "../drive-path.ts";
import { insertRecorded, type RecordedFiling } from "../filing-table.ts";

const maybe = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? null);

/** A row of `sprk_document` as Dataverse's Web API returns it. */
export const SpaarkeDocument = z.object({
  sprk_documentid: z.guid().transform((id) => id.toLowerCase()),
  sprk_graphdriveid: maybe(z.string().max(200)),
  sprk_graphitemid: maybe(z.string().max(200)),
  sprk_filename: maybe(z.string().max(400)),
  sprk_filesize: maybe(z.int().nonnegative()),
  sprk_filepath: maybe(z.string().max(2_000)),
  sprk_mimetype: maybe(z.string().max(200)),
  sprk_isemailarchive: maybe(z.boolean()),
  sprk_documenttype: maybe(z.int()),
});
export type SpaarkeDocument = z.infer<typeof SpaarkeDocument>;

const EMAIL_ATTACHMENT = 100000007;
/** What stands before the path of a file in its address. */
const LIBRARY = /\/(?:Document(?: |%20)Library|Shared(?: |%20)Documents)\/(.+)$/i;

export interface DocumentImport {
  added: number;
  known: number;
  /** The record has no file. */
  withoutFile: number;
  /** The address does not say where the file is, as with files that open in Office on the web. */
  placeUnknown: number;
}

export async function importDocuments(
  tx: Transaction,
  documents: readonly SpaarkeDocument[],
): Promise<DocumentImport> {
  const withFile = documents.filter(
    (one) => one.sprk_graphdriveid !== null && one.sprk_graphitemid !== null,
  );
  const rows = withFile.map(toRecorded).filter((row) => row !== null);
  const added = await insertRecorded(tx, rows);
  return {
    added,
    known: rows.length - added,
    withoutFile: documents.length - withFile.length,
    placeUnknown: withFile.length - rows.length,
  };
}

function toRecorded(row: SpaarkeDocument): RecordedFiling | null {
  const path = pathIn(row.sprk_filepath);
  if (path === null) return null;
  const isAttachment = row.sprk_documenttype === EMAIL_ATTACHMENT;
  return {
    id: row.sprk_documentid,
    key: `spaarke:${row.sprk_documentid}`,
    source: row.sprk_isemailarchive ? "email" : isAttachment ? "attachment" : "upload",
    driveId: row.sprk_graphdriveid!,
    itemId: row.sprk_graphitemid!,
    path,
    name: row.sprk_filename ?? path.slice(path.lastIndexOf("/") + 1),
    size: row.sprk_filesize ?? 0,
    mimeType: row.sprk_mimetype,
    webUrl: row.sprk_filepath!,
  };
}

function pathIn(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== "https:") return null;
  const found = LIBRARY.exec(url.pathname);
  if (found === null) return null;
  try {
    const checked = checkDrivePath(decodeURIComponent(found[1]!));
    return "problem" in checked ? null : checked.path;
  } catch {
    return null; // a percent sign that starts no character
  }
}
