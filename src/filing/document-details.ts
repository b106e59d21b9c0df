/** What the drive and the record say about a document beyond its place: versions, who may read it, what happened to it. */
import type { DataverseClient } from "../microsoft/dataverse/dataverse-client.ts";
import type { DrivePermission, DriveVersion, Identities } from "../microsoft/graph/drive-client.ts";
import type { Filing } from "./filing.ts";
import { RECORDS } from "./record.ts";

export function viewVersion({ id, lastModifiedDateTime, lastModifiedBy, size }: DriveVersion) {
  return {
    id,
    at: new Date(lastModifiedDateTime),
    by: lastModifiedBy === undefined ? null : identityOf(lastModifiedBy).name,
    size: size ?? null,
  };
}

/** A link is not shown itself: anybody who has it could use it. */
export function viewReaders(permission: DrivePermission) {
  const { roles = [], link, grantedToV2, grantedToIdentitiesV2 = [] } = permission;
  const granted = grantedToV2 === undefined ? grantedToIdentitiesV2 : [grantedToV2];
  const shared = {
    roles: [...roles],
    isInherited: permission.inheritedFrom != null,
    until: permission.expirationDateTime ? new Date(permission.expirationDateTime) : null,
  };
  const people = granted.map((each) => ({ ...identityOf(each), ...shared }));
  if (link === undefined) return people;
  const isOpen = link.scope === "anonymous" || link.scope === "organization";
  const everybody = link.scope === "anonymous" ? "Anyone with the link" : "Everyone in the tenant";
  return isOpen
    ? [{ kind: "link" as const, name: everybody, email: null, ...shared }, ...people]
    : people;
}

function identityOf({ user, siteUser, group, siteGroup, application }: Identities) {
  const person = user ?? siteUser;
  const found = person ?? group ?? siteGroup ?? application;
  const kind = person ? "person" : group || siteGroup ? "group" : "app";
  return {
    kind: kind as "person" | "group" | "app",
    name: found?.displayName || found?.email || "unknown",
    email: found?.email || null,
  };
}

const NAME = "OData.Community.Display.V1.FormattedValue";

export interface RecordDetails {
  readonly createdAt: Date;
  readonly createdBy: string | null;
  readonly changedAt: Date;
  readonly changedBy: string | null;
  readonly owner: string | null;
  readonly summary: string | null;
  readonly tldr: string | null;
  readonly keywords: string | null;
  readonly documentType: string | null;
  readonly summarizedAt: Date | null;
}

const COLUMNS = [
  "createdon,modifiedon,_createdby_value,_modifiedby_value,_ownerid_value",
  "sprk_filesummary,sprk_filetldr,sprk_filekeywords,sprk_extractdocumenttype,sprk_filesummarydate",
].join(",");

/** Reads with the caller's token, so Dataverse enforces access; null if missing or hidden. */
export async function getRecordDetails(
  dataverse: DataverseClient,
  id: string,
): Promise<RecordDetails | null> {
  const row = await dataverse.get<Record<string, unknown>>(`${RECORDS}(${id})?$select=${COLUMNS}`, {
    prefer: `odata.include-annotations="${NAME}"`,
  });
  if (row === null) return null;
  const text = (name: string) => (typeof row[name] === "string" ? (row[name] as string) : null);
  const moment = (name: string) => (text(name) === null ? null : new Date(text(name)!));
  return {
    createdAt: moment("createdon")!,
    createdBy: text(`_createdby_value@${NAME}`),
    changedAt: moment("modifiedon")!,
    changedBy: text(`_modifiedby_value@${NAME}`),
    owner: text(`_ownerid_value@${NAME}`),
    summary: text("sprk_filesummary"),
    tldr: text("sprk_filetldr"),
    keywords: text("sprk_filekeywords"),
    documentType: text("sprk_extractdocumenttype"),
    summarizedAt: moment("sprk_filesummarydate"),
  };
}

export interface HistoryStep {
  readonly at: Date;
  readonly what:
    | "filed"
    | "refused"
    | "missing"
    | "record-created"
    | "record-changed"
    | "indexed"
    | "summarized";
  readonly by: string | null;
  readonly detail: string | null;
}

/** Oldest first. Dataverse keeps only the last change of a record. */
export function toHistory(
  filing: Filing | null,
  record: RecordDetails | null,
  indexedAt: Date | null,
): HistoryStep[] {
  const steps: HistoryStep[] = [];
  const add = (at: Date | null, what: HistoryStep["what"], more: Partial<HistoryStep> = {}) => {
    if (at !== null) steps.push({ at, what, by: null, detail: null, ...more });
  };
  if (filing !== null) add(filing.createdAt, "filed", { detail: filing.source });
  if (filing?.state === "refused" || filing?.state === "missing")
    add(filing.changedAt, filing.state, { detail: filing.reason });
  if (record !== null) {
    add(record.createdAt, "record-created", { by: record.createdBy });
    if (record.changedAt.getTime() !== record.createdAt.getTime())
      add(record.changedAt, "record-changed", { by: record.changedBy });
    add(record.summarizedAt, "summarized");
  }
  add(indexedAt, "indexed");
  // Dataverse counts whole seconds; within one, the order above is the order in which things happen.
  const second = ({ at }: HistoryStep): number => Math.floor(at.getTime() / 1_000);
  return steps.sort((a, b) => second(a) - second(b));
}
