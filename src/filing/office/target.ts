/** The row that something is saved to. It is read and searched with the caller's own rights. */
import { isUuid } from "../../lib/hash.ts";
import type { DataverseClient } from "../../microsoft/dataverse/dataverse-client.ts";
import { PARENTS } from "../container.ts";
import { OfficeRefusal } from "./office-refusal.ts";
import { TARGETS, type Target, type TargetTable } from "./office-save.ts";

/** The columns in which people look for a row: its name first. */
const NAMES: Readonly<Record<TargetTable, readonly string[]>> = {
  account: ["name", "emailaddress1"],
  contact: ["fullname", "emailaddress1"],
  sprk_matter: ["sprk_name", "sprk_number"],
  sprk_project: ["sprk_name", "sprk_number"],
  sprk_invoice: ["sprk_name", "sprk_number"],
};

export interface FoundTarget {
  readonly entityType: TargetTable;
  readonly id: string;
  readonly name: string;
  /** A number or an address that tells two rows with the same name apart. */
  readonly info: string | null;
}

export const nameColumnOf = (table: TargetTable): string => NAMES[table][0]!;

/** Accepts only what a save can be linked to. */
export function readTarget(
  given: { readonly entityType?: string | undefined; readonly entityId?: string | undefined } = {},
): Target {
  const { entityType = "", entityId = "" } = given;
  if (entityType === "" || entityId === "")
    throw new OfficeRefusal("OFFICE_003", "choose what to save to: entityType and entityId");
  const table = TARGETS.find((name) => name === entityType);
  if (table === undefined)
    throw new OfficeRefusal("OFFICE_002", `entityType must be one of ${TARGETS.join(", ")}`);
  if (!isUuid(entityId)) throw new OfficeRefusal("OFFICE_VALIDATION", "entityId must be a GUID");
  return { table, id: entityId.toLowerCase() };
}

/** The name of the target. A row that the caller may not see looks identical to one that does not exist. */
export async function loadTargetName(
  dataverse: DataverseClient,
  { table, id }: Target,
): Promise<string> {
  const column = nameColumnOf(table);
  const row = await dataverse.get<Record<string, string | null>>(
    `${PARENTS[table].set}(${id})?$select=${column}`,
  );
  if (row === null) throw new OfficeRefusal("OFFICE_007", `there is no ${table} ${id}`);
  return row[column] ?? "";
}

/** Throws unless the caller may attach something to the row (Dataverse's AppendTo right). */
export async function assertMayFile(dataverse: DataverseClient, target: Target): Promise<void> {
  const { UserId: userId } = await dataverse.call<{ UserId: string }>({ path: "WhoAmI" });
  const reference = `{'@odata.id':'${PARENTS[target.table].set}(${target.id})'}`;
  const { AccessRights: rights } = await dataverse.call<{ AccessRights: string }>({
    path: `systemusers(${userId})/Microsoft.Dynamics.CRM.RetrievePrincipalAccess(Target=@t)?@t=${encodeURIComponent(reference)}`,
  });
  if (!rights.split(/,\s*/).includes("AppendToAccess"))
    throw new OfficeRefusal("OFFICE_009", `you may read this ${target.table} but not save to it`);
}

/** Rows whose name, number or e-mail address contains the text, by name; Dataverse lists only those that the caller may read. */
export async function findTargets(
  dataverse: DataverseClient,
  wanted: { readonly query: string; readonly tables: readonly TargetTable[]; readonly top: number },
): Promise<FoundTarget[]> {
  const quoted = `'${wanted.query.replaceAll("'", "''")}'`;
  const found = await Promise.all(
    wanted.tables.map(async (table) => {
      const columns = NAMES[table];
      const filter = columns.map((column) => `contains(${column},${quoted})`).join(" or ");
      const { value } = await dataverse.call<{ value: Record<string, string | null>[] }>({
        path: `${PARENTS[table].set}?$select=${table}id,${columns.join(",")}&$filter=${encodeURIComponent(filter)}&$orderby=${columns[0]}&$top=${wanted.top}`,
      });
      return value.map((row) => toFound(table, row));
    }),
  );
  return found
    .flat()
    .sort((a, b) => a.name.localeCompare(b.name))
    .slice(0, wanted.top);
}

function toFound(table: TargetTable, row: Readonly<Record<string, string | null>>): FoundTarget {
  const [name, info] = NAMES[table];
  return {
    entityType: table,
    id: String(row[`${table}id`]),
    name: row[name!] ?? "",
    info: row[info!] ?? null,
  };
}
