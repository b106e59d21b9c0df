/** Chooses the container of a file. The environment has a default container; we never create one per matter. */
import { Fault } from "../lib/fault.ts";
import { isUuid } from "../lib/hash.ts";
import type { DataverseClient } from "../microsoft/dataverse/dataverse-client.ts";

/** Drive ids begin with `b!`; the GUID that administrators see is a different id of the same container. */
export const DRIVE_ID = /^b![A-Za-z0-9_-]{20,200}$/;

/** Tables that a file can belong to: the entity set, and the exact name of the lookup. */
export const PARENTS = {
  sprk_matter: { set: "sprk_matters", navigation: "sprk_Matter" },
  sprk_project: { set: "sprk_projects", navigation: "sprk_Project" },
  sprk_event: { set: "sprk_events", navigation: "sprk_Event" },
  sprk_invoice: { set: "sprk_invoices", navigation: "sprk_Invoice" },
  account: { set: "accounts", navigation: "sprk_Account" },
  contact: { set: "contacts", navigation: "sprk_Contact" },
} as const;

export interface Parent {
  readonly table: keyof typeof PARENTS;
  readonly id: string;
}

/** Accepts `sprk_matter:{id}` and `sprk_matter({id})`, with the name of the table or of its set; null for anything else. */
export function parseParent(text: string): Parent | null {
  const [, name = "", given = ""] = /^\/?(\w+)[:(]\{?([0-9a-f-]{36})\}?\)?$/i.exec(text) ?? [];
  const table = (Object.keys(PARENTS) as (keyof typeof PARENTS)[]).find(
    (known) => known === name || PARENTS[known].set === name,
  );
  if (table === undefined || !isUuid(given)) return null;
  return { table, id: given.toLowerCase() };
}

/** A parent as a request names it. */
export function readParent(text: string | undefined): Parent | null {
  if (text === undefined) return null;
  const parent = parseParent(text);
  if (parent !== null) return parent;
  throw new Fault(
    "request.bad",
    `the parent must be a table and an ID, such as sprk_matter:3f2a61b0-8c1d-4e55-9a10-5f2c3d4e5f60; tables: ${Object.keys(PARENTS).join(", ")}`,
  );
}

/** The lookup of the record; in Dataverse a reference to a row begins with a slash. */
export function bindParent({ table, id }: Parent): Record<string, string> {
  const { set, navigation } = PARENTS[table];
  return { [`${navigation}@odata.bind`]: `/${set}(${id})` };
}

/**
 * The container that the request names; otherwise the parent's own; otherwise the default. The parent is read
 * with the caller's token, so a row that the caller may not see looks identical to one that does not exist.
 */
export async function chooseContainer(
  needs: { readonly dataverse: DataverseClient; readonly defaultContainerId: string },
  wanted: { readonly containerId?: string | undefined; readonly parent: Parent | null },
): Promise<string> {
  if (wanted.parent !== null) {
    const { set } = PARENTS[wanted.parent.table];
    const path = `${set}(${wanted.parent.id})?$select=sprk_containerid`;
    const row = await needs.dataverse.get<{ sprk_containerid: string | null }>(path);
    if (row === null)
      throw new Fault("request.bad", `there is no ${wanted.parent.table} ${wanted.parent.id}`);
    if (wanted.containerId === undefined && row.sprk_containerid !== null)
      return checkContainerId(row.sprk_containerid);
  }
  return wanted.containerId === undefined
    ? needs.defaultContainerId
    : checkContainerId(wanted.containerId);
}

export function checkContainerId(id: string): string {
  if (DRIVE_ID.test(id)) return id;
  throw new Fault(
    "request.bad",
    "the container must be given by its drive ID, which begins with b!",
  );
}
