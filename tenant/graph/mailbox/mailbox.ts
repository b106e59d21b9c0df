/** One mailbox: its folders, its messages, and the log of changes of each folder. */
import type { User } from "../../context.ts";
import type { FolderLog, LogEntry } from "./folder-log.ts";
import { createFolderLog } from "./folder-log.ts";
import type { LazyBlock } from "./lazy-block.ts";
import { domainOf } from "./mail-headers.ts";
import type { IdForm } from "./mail-ids.ts";
import { mailboxTag, toFolderId, toMessageId } from "./mail-ids.ts";
import type { Folder, StoredMessage } from "./mail-model.ts";
import type { SortedMessages } from "./sorted-messages.ts";
import { createSortedMessages } from "./sorted-messages.ts";

export interface FolderState {
  readonly folder: Folder;
  readonly messages: SortedMessages;
  readonly log: FolderLog;
  unread: number;
  lazy: LazyBlock | null;
}

export interface Mailbox {
  readonly userId: string;
  /** The domain of its address, in lower case: mail from it is internal. */
  readonly domain: string;
  readonly tag: Buffer;
  readonly folders: Map<string, FolderState>;
  /** Folder ids by well-known name in lower case. */
  readonly wellKnown: Map<string, string>;
  readonly messages: Map<number, StoredMessage>;
  /** Everything except the recoverable items, for listings of the whole mailbox. */
  readonly all: SortedMessages;
  /** Keys of messages that listings do not show yet. */
  readonly lagging: Set<number>;
  nextKey: number;
  nextFolder: number;
  /** Increases with every change of a message or folder. */
  sequence: number;
  /** Changes of the folder hierarchy; the key is the folder's number. */
  folderLog: FolderLog;
}

/** Well-known name, display name, parent, hidden. */
const DEFAULT_FOLDERS: readonly (readonly [string, string, string | null, boolean])[] = [
  ["msgfolderroot", "Top of Information Store", null, false],
  ["archive", "Archive", "msgfolderroot", false],
  ["clutter", "Clutter", "msgfolderroot", true],
  ["conversationhistory", "Conversation History", "msgfolderroot", false],
  ["deleteditems", "Deleted Items", "msgfolderroot", false],
  ["drafts", "Drafts", "msgfolderroot", false],
  ["inbox", "Inbox", "msgfolderroot", false],
  ["junkemail", "Junk Email", "msgfolderroot", false],
  ["outbox", "Outbox", "msgfolderroot", false],
  ["scheduled", "Scheduled", "msgfolderroot", true],
  ["sentitems", "Sent Items", "msgfolderroot", false],
  ["syncissues", "Sync Issues", "msgfolderroot", true],
  ["conflicts", "Conflicts", "syncissues", true],
  ["localfailures", "Local Failures", "syncissues", true],
  ["serverfailures", "Server Failures", "syncissues", true],
  ["searchfolders", "Finder", null, true],
  ["recoverableitemsdeletions", "Deletions", null, true],
];

export function createMailbox(user: User): Mailbox {
  const mailbox: Mailbox = emptyMailbox(user.id, domainOf(user.mail));
  for (const [name, displayName, parent, isHidden] of DEFAULT_FOLDERS) {
    const parentFolderId = parent === null ? "" : mailbox.wellKnown.get(parent)!;
    addFolder(mailbox, { displayName, parentFolderId, wellKnownName: name, isHidden });
  }
  return mailbox;
}

export function emptyMailbox(userId: string, domain: string): Mailbox {
  return {
    userId,
    domain,
    tag: mailboxTag(userId),
    folders: new Map(),
    wellKnown: new Map(),
    messages: new Map(),
    all: createSortedMessages(),
    lagging: new Set(),
    nextKey: 1,
    nextFolder: 1,
    sequence: 0,
    folderLog: createFolderLog(),
  };
}

export interface FolderDraft {
  readonly displayName: string;
  readonly parentFolderId: string;
  readonly wellKnownName?: string | null;
  readonly isHidden?: boolean;
  readonly isSearchFolder?: boolean;
}

export function addFolder(mailbox: Mailbox, draft: FolderDraft): Folder {
  const number = mailbox.nextFolder++;
  const folder: Folder = {
    id: toFolderId(mailbox.tag, number),
    number,
    displayName: draft.displayName,
    parentFolderId: draft.parentFolderId,
    wellKnownName: draft.wellKnownName ?? null,
    isHidden: draft.isHidden ?? false,
    isSearchFolder: draft.isSearchFolder ?? false,
  };
  placeFolder(mailbox, folder);
  logFolder(mailbox, folder, "created");
  return folder;
}

export function placeFolder(mailbox: Mailbox, folder: Folder, log: readonly LogEntry[] = []): void {
  mailbox.folders.set(folder.id, {
    folder,
    messages: createSortedMessages(),
    log: createFolderLog(log),
    unread: 0,
    lazy: null,
  });
  if (folder.wellKnownName !== null) mailbox.wellKnown.set(folder.wellKnownName, folder.id);
}

export function logFolder(mailbox: Mailbox, folder: Folder, kind: LogEntry["kind"]): void {
  mailbox.folderLog.record({
    sequence: ++mailbox.sequence,
    key: folder.number,
    kind,
    moves: 0,
    entered: mailbox.sequence,
  });
}

/** Whether Graph knows this well-known name, even if the mailbox has no such folder. */
export function isWellKnown(name: string): boolean {
  return DEFAULT_FOLDERS.some(([known]) => known === name.toLowerCase());
}

/** Finds a folder by id, which is case-sensitive, or by well-known name, which is not. */
export function findFolder(mailbox: Mailbox, idOrName: string): FolderState | null {
  const id = mailbox.wellKnown.get(idOrName.toLowerCase()) ?? idOrName;
  return mailbox.folders.get(id) ?? null;
}

export function isRecoverable(mailbox: Mailbox, folderId: string): boolean {
  return mailbox.wellKnown.get("recoverableitemsdeletions") === folderId;
}

export function idOf(mailbox: Mailbox, message: StoredMessage, form: IdForm): string {
  return toMessageId(mailbox.tag, message.key, form, message.moves);
}

/** Files a message in the mailbox and its folder without notifying listeners. */
export function placeMessage(mailbox: Mailbox, message: StoredMessage): void {
  const state = mailbox.folders.get(message.folderId)!;
  mailbox.messages.set(message.key, message);
  state.messages.insert(message);
  if (!message.isRead) state.unread += 1;
  if (!isRecoverable(mailbox, message.folderId)) mailbox.all.insert(message);
}

export function unplaceMessage(mailbox: Mailbox, message: StoredMessage): void {
  const state = mailbox.folders.get(message.folderId)!;
  mailbox.messages.delete(message.key);
  state.messages.remove(message);
  mailbox.all.remove(message);
  if (!message.isRead) state.unread -= 1;
}
