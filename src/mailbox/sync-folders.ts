/** The folder tree of a mailbox, kept up to date by its own delta. */
import { Fault } from "../lib/fault.ts";
import type { GraphClient } from "../microsoft/graph/graph-client.ts";
import type { Transaction } from "../store/database.ts";
import { toStorableText } from "../store/database.ts";
import { withLease } from "../store/named-lease.ts";
import { loadFolderMap } from "./folder-table.ts";
import { userPath } from "./graph-mail.ts";
import { getMailbox, type Mailbox } from "./mailbox-table.ts";
import type { WalkNeeds } from "./walk-folder.ts";

/** Folders that have a role, asked for by name because display names are in the user's language. */
const WELL_KNOWN = [
  "inbox",
  "sentitems",
  "deleteditems",
  "archive",
  "drafts",
  "junkemail",
  "outbox",
  "recoverableitemsdeletions",
  "syncissues",
  "conflicts",
  "localfailures",
  "serverfailures",
] as const;

/** Nobody's mail: failures of clients, and what the mailbox counts as deleted already. */
const EXCLUDED = new Set<string>([
  "outbox",
  "recoverableitemsdeletions",
  "syncissues",
  "conflicts",
  "localfailures",
  "serverfailures",
]);

interface GraphFolder {
  readonly id: string;
  readonly "@odata.type"?: string;
  readonly "@removed"?: object;
  readonly displayName?: string;
  readonly parentFolderId?: string;
}

interface FolderPage {
  readonly value: readonly GraphFolder[];
  readonly "@odata.nextLink"?: string;
  readonly "@odata.deltaLink"?: string;
}

export type FolderNeeds = Pick<WalkNeeds, "database" | "graphOf" | "clock" | "mirror">;

const LEASE_SECONDS = 60;

/** Answers how many folders are new or gone; nothing is done while another process is at it. */
export async function syncFolders(needs: FolderNeeds, mailbox: Mailbox): Promise<number> {
  // With a copy of the names elsewhere every run renews that, changed or not.
  if (needs.mirror === undefined && (await isUnchanged(needs, mailbox))) return 0;
  const name = `folders:${mailbox.id}`;
  const changed = await withLease(needs, name, LEASE_SECONDS, async () => {
    const fresh = (await getMailbox(needs.database, mailbox.id)) ?? mailbox;
    const count = await follow(needs, fresh);
    if (needs.mirror !== undefined)
      await needs.mirror.folders(
        mailbox.id,
        (await loadFolderMap(needs.database, mailbox.id)).names,
      );
    return count;
  });
  return changed ?? 0;
}

/** Folder trees seldom change: one request and one statement then, over the link that was read alone. */
async function isUnchanged(needs: FolderNeeds, mailbox: Mailbox): Promise<boolean> {
  const link = mailbox.foldersDeltaLink;
  if (link === null) return false;
  try {
    const page = await needs
      .graphOf(mailbox)
      .call<FolderPage>({ mailbox: mailbox.address, path: link });
    const end = page["@odata.deltaLink"];
    if (page.value.length > 0 || end === undefined) return false;
    await needs.database.query(
      "UPDATE postroom.mailbox SET folders_delta_link = $2 WHERE id = $1 AND folders_delta_link = $3",
      [mailbox.id, end, link],
    );
    return true;
  } catch (error) {
    if (isForgotten(error)) return false;
    throw error;
  }
}

function isForgotten(error: unknown): boolean {
  return (
    error instanceof Fault &&
    (error.code === "graph.sync-state-gone" || error.code === "http.host-not-allowed")
  );
}

async function follow(needs: FolderNeeds, mailbox: Mailbox): Promise<number> {
  try {
    return await followFolders(needs, mailbox, mailbox.foldersDeltaLink);
  } catch (error) {
    if (!isForgotten(error) || mailbox.foldersDeltaLink === null) throw error;
    return followFolders(needs, mailbox, null);
  }
}

async function followFolders(
  needs: FolderNeeds,
  mailbox: Mailbox,
  link: string | null,
): Promise<number> {
  const graph = needs.graphOf(mailbox);
  const isFirst = link === null;
  const names = isFirst ? await findWellKnown(graph, mailbox) : null;
  const met: string[] = [];
  let changed = 0;
  let next: string =
    link ?? `${userPath(mailbox)}/mailFolders/delta?$select=id,displayName,parentFolderId`;
  for (let pages = 0; pages < 1_000; pages++) {
    const page = await graph.call<FolderPage>({ mailbox: mailbox.address, path: next });
    met.push(...page.value.map((folder) => folder.id));
    const end = page["@odata.deltaLink"];
    changed += await needs.database.transaction(async (tx) => {
      const count = await writeFolders(tx, mailbox.id, page.value, names);
      if (end !== undefined) {
        if (names !== null) {
          const apart = standingApart(names, met);
          await writeFolders(tx, mailbox.id, apart, names);
          await markOthersGone(tx, mailbox.id, [...met, ...apart.map((folder) => folder.id)]);
        }
        await tx.query("UPDATE postroom.mailbox SET folders_delta_link = $2 WHERE id = $1", [
          mailbox.id,
          end,
        ]);
      }
      return count;
    });
    if (end !== undefined) return changed;
    next = page["@odata.nextLink"] ?? endless();
  }
  return endless();
}

/** Folders with a role that no list shows, such as that of the recoverable items. */
function standingApart(names: ReadonlyMap<string, string>, met: readonly string[]): GraphFolder[] {
  return [...names]
    .filter(([id]) => !met.includes(id))
    .map(([id, name]) => ({ id, displayName: name }));
}

/** Asks for folders that a message names and we have not met: a new one, or one that no list shows. */
export async function meetFolders(
  needs: FolderNeeds,
  mailbox: Mailbox,
  folderIds: readonly string[],
): Promise<void> {
  const { names } = await loadFolderMap(needs.database, mailbox.id);
  const unknown = [...new Set(folderIds)].filter((id) => !names.has(id));
  if (unknown.length === 0) return;
  const results = await needs.graphOf(mailbox).batch<GraphFolder>(
    mailbox.address,
    unknown.map((id) => ({
      path: `${userPath(mailbox)}/mailFolders/${encodeURIComponent(id)}?$select=id,displayName,parentFolderId`,
    })),
  );
  const found = results.flatMap((result) => (result.isOk ? [result.body] : []));
  await needs.database.transaction((tx) => writeFolders(tx, mailbox.id, found, null));
}

function endless(): never {
  throw new Fault("graph.bad-answer", "the folder list of a mailbox does not come to an end");
}

async function findWellKnown(graph: GraphClient, mailbox: Mailbox): Promise<Map<string, string>> {
  const user = userPath(mailbox);
  const results = await graph.batch<{ id: string }>(
    mailbox.address,
    WELL_KNOWN.map((name) => ({ path: `${user}/mailFolders/${name}?$select=id` })),
  );
  const names = new Map<string, string>();
  for (const [index, result] of results.entries()) {
    if (result.isOk) names.set(result.body.id, WELL_KNOWN[index]!);
    else if (result.error.status !== 404) throw result.error;
  }
  return names;
}

async function writeFolders(
  tx: Transaction,
  mailbox: number,
  folders: readonly GraphFolder[],
  names: ReadonlyMap<string, string> | null,
): Promise<number> {
  const isRealFolder = (folder: GraphFolder) =>
    !folder["@odata.type"]?.endsWith("mailSearchFolder");
  const present = folders.filter(
    (folder) => folder["@removed"] === undefined && isRealFolder(folder),
  );
  const gone = folders
    .filter((folder) => folder["@removed"] !== undefined)
    .map((folder) => folder.id);
  const nameOf = (folder: GraphFolder) => names?.get(folder.id) ?? null;
  const written = await tx.query(
    `INSERT INTO postroom.folder (mailbox, folder_id, parent_id, display_name, well_known, is_excluded)
     SELECT $1, id, parent, coalesce(name, id), known, excluded
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bool[]) AS t(id, parent, name, known, excluded)
     ON CONFLICT (mailbox, folder_id) DO UPDATE SET
       parent_id = coalesce(EXCLUDED.parent_id, folder.parent_id),
       display_name = CASE WHEN EXCLUDED.display_name = EXCLUDED.folder_id THEN folder.display_name
                           ELSE EXCLUDED.display_name END,
       well_known = coalesce(EXCLUDED.well_known, folder.well_known), is_gone = false`,
    [
      mailbox,
      present.map((folder) => folder.id),
      present.map((folder) => folder.parentFolderId ?? null),
      present.map((folder) =>
        folder.displayName === undefined ? null : toStorableText(folder.displayName, 255),
      ),
      present.map(nameOf),
      present.map((folder) => EXCLUDED.has(nameOf(folder) ?? "")),
    ],
  );
  const removed = await tx.query(
    "UPDATE postroom.folder SET is_gone = true WHERE mailbox = $1 AND folder_id = ANY($2) AND NOT is_gone",
    [mailbox, gone],
  );
  return written.rowCount + removed.rowCount;
}

async function markOthersGone(
  tx: Transaction,
  mailbox: number,
  met: readonly string[],
): Promise<void> {
  await tx.query(
    "UPDATE postroom.folder SET is_gone = true WHERE mailbox = $1 AND NOT folder_id = ANY($2)",
    [mailbox, met],
  );
}
