/** A file on its way to a drive and to its record in Dataverse. */
export type FilingSource = "upload" | "session" | "email" | "attachment";

export type FilingState =
  /** Reserved; the file may be there, half there or not at all. */
  | "pending"
  /** The file is there, the record may be. */
  | "uploaded"
  | "recorded"
  /** Dataverse will not have this record; the file stays and is reported. */
  | "refused"
  /** It had been recorded, and its file has gone since. */
  | "missing";

export interface NewFiling {
  readonly id: string;
  readonly key: string;
  readonly source: FilingSource;
  readonly ownerId: string | null;
  readonly driveId: string;
  /** Without a slash at either end. */
  readonly path: string;
  /** The name that people gave it. */
  readonly name: string;
  readonly size: number;
  readonly mimeType: string | null;
  readonly sha256: string | null;
  readonly isSpooled: boolean;
  readonly wantsRecord: boolean;
  /** Columns of the record beyond those of the file. */
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

/** What a person or program is shown of one. */
export function viewFiling(filing: Filing) {
  const { id, source, state, reason, name, path, size, mimeType, sha256 } = filing;
  return {
    ...{ id, source, state, reason, name, path, size, mimeType, sha256 },
    driveId: filing.driveId,
    itemId: filing.itemId,
    webUrl: filing.webUrl,
    ownerId: filing.ownerId,
    parent: parentIn(filing.columns),
    hasRecord: filing.state === "recorded" || filing.state === "missing",
    createdAt: filing.createdAt,
    changedAt: filing.changedAt,
  };
}

export type FilingView = ReturnType<typeof viewFiling>;

/** `/sprk_matters(…)` as it is bound, or null. */
function parentIn(columns: Readonly<Record<string, unknown>>): string | null {
  const bound = Object.entries(columns).find(
    ([name]) => name.endsWith("@odata.bind") && !/^sprk_(?:Email|ParentDocument)@/.test(name),
  );
  return bound === undefined ? null : String(bound[1]).replace(/^\//, "");
}
