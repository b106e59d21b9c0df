/**
 * The history that MSEDB kept, put before our own. It is history only: what we know of a message now comes from
 * reading the mailbox, so events since we watch it are left out, and so is a deletion of a message that is still there.
 */
import type { Transaction } from "../../store/database.ts";
import { insertImported } from "../events/event-table.ts";
import { findFolders } from "../folders/folder-table.ts";
import type { Mailbox } from "../mailbox-table.ts";
import { normalizeInternetMessageId } from "../messages/message.ts";
import { findPresent } from "../messages/message-table.ts";
import { type FolderIds, type MsedbEvent, toImportedEvent } from "./msedb-rows.ts";

export interface EventImport {
  added: number;
  /** Imported before, or an arrival or a deletion that we recorded ourselves. */
  known: number;
  /** It happened after we began to watch the mailbox, so we saw it. */
  ours: number;
  /** It says that a message is gone that the mailbox still has, under another id. */
  contradicted: number;
}

/** Null if the first round is complete; otherwise why nothing can be imported yet. */
export async function whyNotYet(tx: Transaction, mailbox: Mailbox): Promise<string | null> {
  const folders = (await findFolders(tx, mailbox.id)).filter((folder) => !folder.isExcluded);
  const unread = folders.filter((folder) => folder.lastDeltaAt === null).length;
  if (folders.length > 0 && unread === 0) return null;
  return `${mailbox.address} has not been read completely yet; postroom mailbox folders shows how far it is`;
}

export async function importEvents(
  tx: Transaction,
  mailbox: Mailbox,
  events: readonly MsedbEvent[],
): Promise<EventImport> {
  const earlier = events.filter((event) => event.timestamp < mailbox.createdAt);
  const folders = await foldersOf(tx, mailbox.id);
  const internetIds = earlier.map((event) => normalizeInternetMessageId(event.internetMessageId));
  const present = await findPresent(tx, mailbox.id, {
    ids: earlier.map((event) => event.messageId),
    internetIds: internetIds.filter((id) => id !== null),
  });
  const idNow = (index: number): string | undefined => {
    const { messageId } = earlier[index]!;
    const internetId = internetIds[index];
    if (present.ids.has(messageId)) return messageId;
    return internetId == null ? undefined : present.byInternetId.get(internetId);
  };
  const rows = earlier.flatMap((event, index) => {
    const now = idNow(index);
    if (event.eventType === "deleted" && now !== undefined) return [];
    return [toImportedEvent(event, now ?? event.messageId, folders)];
  });
  const added = await insertImported(tx, mailbox, rows);
  return {
    added,
    known: rows.length - added,
    ours: events.length - earlier.length,
    contradicted: earlier.length - rows.length,
  };
}

async function foldersOf(tx: Transaction, mailbox: number): Promise<FolderIds> {
  const folders = await findFolders(tx, mailbox);
  return new Map(
    folders.flatMap(({ folderId, displayName }) => [
      [displayName, folderId],
      [folderId, folderId],
    ]),
  );
}
