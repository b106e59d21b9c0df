/** A file on its way to a drive and to its record in Dataverse. */
import { nameIn } from "./drive-path.ts";

export type FilingSource = "upload" | "session" | "email" | "attachment" | "office";

export type FilingState =
  /** Reserved; the file may be on the drive completely, partly or not at all. */
  | "pending"
  /** The file is on the drive; the record may exist. */
  | "uploaded"
  | "recorded"
  /** The file is on the drive without a record: Dataverse refused it, nobody wrote it, or it was deleted. */
  | "refused"
  /** It was recorded, and the file was deleted later. */
  | "missing";

export interface NewFiling {
  readonly id: string;
  readonly key: string;
  readonly source: FilingSource;
  readonly ownerId: string | null;
  readonly driveId: string;
  /** No slash at either end. */
  readonly path: string;
  /** The name that the sender gave it. */
  readonly name: string;
  readonly size: number;
  readonly mimeType: string | null;
  readonly sha256: string | null;
  readonly isSpooled: boolean;
  readonly wantsRecord: boolean;
  /** Identifies a message whether it comes from Dataverse or from a mailbox; null if the file is not a message. */
  readonly mailKey: string | null;
  /** Why a person should look at it; null if nobody needs to. */
  readonly review: string | null;
  /** Additional columns of the record, besides those that describe the file. */
  readonly columns: Readonly<Record<string, unknown>>;
}

export interface Filing extends NewFiling {
  readonly state: FilingState;
  readonly reason: string | null;
  readonly session: Buffer | null;
  readonly sessionBytes: number;
  readonly itemId: string | null;
  readonly webUrl: string | null;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

/** A filing as the API shows it. */
export function viewFiling(filing: Filing) {
  const { id, source, state, reason, name, path, size, mimeType, sha256 } = filing;
  return {
    id,
    source,
    state,
    reason,
    name,
    path,
    size,
    mimeType,
    sha256,
    driveId: filing.driveId,
    itemId: filing.itemId,
    webUrl: filing.webUrl,
    ownerId: filing.ownerId,
    parent: parentIn(filing.columns),
    review: filing.review,
    hasRecord: filing.state === "recorded" || filing.state === "missing",
    createdAt: filing.createdAt,
    changedAt: filing.changedAt,
  };
}

/** The response to an upload: the drive item under the names that existing clients expect, and the filing. */
export function viewUpload(filing: Filing) {
  const { size, webUrl, driveId, path } = filing;
  return {
    id: filing.itemId,
    name: nameIn(path),
    size,
    webUrl,
    driveId,
    documentId: filing.wantsRecord ? filing.id : null,
    document: viewFiling(filing),
  };
}

/** The bound parent, like `sprk_matters(…)`, or null. */
function parentIn(columns: Readonly<Record<string, unknown>>): string | null {
  const bound = Object.entries(columns).find(
    ([name]) => name.endsWith("@odata.bind") && !/^sprk_(?:Email|ParentDocument)@/.test(name),
  );
  return bound === undefined ? null : String(bound[1]).replace(/^\//, "");
}
