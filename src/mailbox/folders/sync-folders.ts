/** The folder tree of a mailbox, kept up to date by its own delta. */
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import type { GraphClient } from "../../microsoft/graph/graph-client.ts";
import { type Database, type Transaction, toStorableText } from "../../store/database.ts";
import { withLease } from "../../store/named-lease.ts";
import {
  getMailbox,
  type Mailbox,
  moveFoldersDeltaLink,
  setFoldersDeltaLink,
} from "../mailbox-table.ts";
import type { Mirror } from "../mirror.ts";
import { userPath } from "../user-path.ts";
import {
  loadFolderMap,
  markFoldersGone,
  markOtherFoldersGone,
  type NewFolder,
  upsertFolders,
} from "./folder-table.ts";

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

/** Not mail for a person: sync failures of clients, and permanently deleted messages. */
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

export interface FolderNeeds {
  readonly database: Database;
  readonly graphOf: (mailbox: Mailbox) => GraphClient;
  readonly clock: Clock;
  readonly mirror?: Mirror;
}

const LEASE_SECONDS = 60;
const PAGES_MAX = 1_000;

/** Returns how many folders are new or gone. Does nothing while another process syncs the same tree. */
export async function syncFolders(needs: FolderNeeds, mailbox: Mailbox): Promise<number> {
  // A mirror is refreshed on every run, whether or not anything changed.
  if (needs.mirror === undefined && (await isUnchanged(needs, mailbox))) return 0;
  const name = `folders:${mailbox.id}`;
  const changed = await withLease(needs, name, LEASE_SECONDS, async () => {
    const current = (await getMailbox(needs.database, mailbox.id)) ?? mailbox;
    const count = await follow(needs, current);
    if (needs.mirror !== undefined)
      await needs.mirror.folders(
        mailbox.id,
        (await loadFolderMap(needs.database, mailbox.id)).names,
      );
    return count;
  });
  return changed ?? 0;
}

/** Folder trees rarely change: then one request and one statement are enough. */
async function isUnchanged(needs: FolderNeeds, mailbox: Mailbox): Promise<boolean> {
  const link = mailbox.foldersDeltaLink;
  if (link === null) return false;
  try {
    const page = await needs
      .graphOf(mailbox)
      .call<FolderPage>({ mailbox: mailbox.address, path: link });
    const end = page["@odata.deltaLink"];
    if (page.value.length > 0 || end === undefined) return false;
    await moveFoldersDeltaLink(needs.database, mailbox.id, link, end);
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
  const idsSeen: string[] = [];
  let changed = 0;
  let next: string =
    link ?? `${userPath(mailbox)}/mailFolders/delta?$select=id,displayName,parentFolderId`;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page = await graph.call<FolderPage>({ mailbox: mailbox.address, path: next });
    idsSeen.push(...page.value.map((folder) => folder.id));
    const end = page["@odata.deltaLink"];
    changed += await needs.database.transaction(async (tx) => {
      const count = await writeFolders(tx, mailbox.id, page.value, names);
      if (end !== undefined) {
        if (names !== null) {
          const unlisted = unlistedFolders(names, idsSeen);
          await writeFolders(tx, mailbox.id, unlisted, names);
          await markOtherFoldersGone(tx, mailbox.id, [
            ...idsSeen,
            ...unlisted.map((folder) => folder.id),
          ]);
        }
        await setFoldersDeltaLink(tx, mailbox.id, end);
      }
      return count;
    });
    if (end !== undefined) return changed;
    next = page["@odata.nextLink"] ?? endless();
  }
  return endless();
}

/** Folders with a role that Graph does not list, such as the recoverable items. */
function unlistedFolders(
  names: ReadonlyMap<string, string>,
  idsSeen: readonly string[],
): GraphFolder[] {
  return [...names]
    .filter(([id]) => !idsSeen.includes(id))
    .map(([id, name]) => ({ id, displayName: name }));
}

/** Reads folders that a message names and we do not know: new ones, and ones that Graph does not list. */
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
  throw new Fault("graph.bad-answer", "the folder list of a mailbox does not end");
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
  const isRemoved = (folder: GraphFolder) => folder["@removed"] !== undefined;
  const isSearchFolder = (folder: GraphFolder) =>
    folder["@odata.type"]?.endsWith("mailSearchFolder") === true;
  const present = folders.filter((folder) => !isRemoved(folder) && !isSearchFolder(folder));
  const written = await upsertFolders(
    tx,
    mailbox,
    present.map((folder) => toNewFolder(folder, names?.get(folder.id) ?? null)),
  );
  const gone = folders.filter(isRemoved).map((folder) => folder.id);
  return written + (await markFoldersGone(tx, mailbox, gone));
}

function toNewFolder(folder: GraphFolder, wellKnown: string | null): NewFolder {
  const { id, parentFolderId, displayName } = folder;
  return {
    id,
    parentId: parentFolderId ?? null,
    displayName: displayName === undefined ? null : toStorableText(displayName, 255),
    wellKnown,
    isExcluded: EXCLUDED.has(wellKnown ?? ""),
  };
}
