/**
 * Converts the state of Graph to plain data and back. Lazy blocks are rules, not data, and stay as they are.
 */
import type { TenantContext } from "../context.ts";
import type { AccessPolicies } from "./call/access.ts";
import type { SyncTokens } from "./delta/sync-tokens.ts";
import type { LogEntry } from "./mailbox/folder-log.ts";
import { createFolderLog } from "./mailbox/folder-log.ts";
import type { LazyBlock } from "./mailbox/lazy-block.ts";
import { makeHole } from "./mailbox/lazy-block.ts";
import { domainOf } from "./mailbox/mail-headers.ts";
import type { Folder, MessageContent, StoredMessage } from "./mailbox/mail-model.ts";
import type { MailStore } from "./mailbox/mail-store.ts";
import type { Mailbox } from "./mailbox/mailbox.ts";
import { emptyMailbox, placeFolder, placeMessage } from "./mailbox/mailbox.ts";
import type { Notifier, NotifierState } from "./notifications/notifier.ts";
import type { Subscription } from "./subscriptions/subscription-model.ts";
import type { Subscriptions } from "./subscriptions/subscriptions.ts";

interface FolderSnapshot {
  readonly folder: Folder;
  readonly log: readonly LogEntry[];
  /** How many messages of a lazy block were unread; they are not counted one by one. */
  readonly lazyUnread: number;
  readonly holes: readonly number[];
}

interface MailboxSnapshot {
  readonly userId: string;
  readonly nextKey: number;
  readonly nextFolder: number;
  readonly sequence: number;
  readonly folderLog: readonly LogEntry[];
  readonly folders: readonly FolderSnapshot[];
  readonly messages: readonly StoredMessage[];
}

export interface GraphState {
  readonly mailboxes: readonly MailboxSnapshot[];
  readonly policies: readonly [string, string[]][];
  /** Absent in states that were saved before Exchange's roles were modelled. */
  readonly roles?: readonly [string, string[]][];
  readonly subscriptions: readonly Subscription[];
  readonly sync: readonly [string, number][];
  readonly notifier: NotifierState;
}

export interface GraphParts {
  readonly context: TenantContext;
  readonly store: MailStore;
  readonly policies: AccessPolicies;
  readonly subscriptions: Subscriptions;
  readonly notifier: Notifier;
  readonly tokens: SyncTokens;
}

export function snapshotGraph(parts: GraphParts): GraphState {
  return structuredClone({
    mailboxes: [...parts.store.mailboxes.values()].map(snapshotMailbox),
    policies: parts.policies.list(),
    roles: parts.policies.roles(),
    subscriptions: parts.subscriptions.all(),
    sync: parts.tokens.state(),
    notifier: parts.notifier.state(),
  });
}

export function restoreGraph(parts: GraphParts, state: GraphState): void {
  const blocks = lazyBlocks(parts.store);
  parts.store.mailboxes.clear();
  for (const saved of state.mailboxes) {
    const owner = parts.context.users.find(({ id }) => id === saved.userId);
    const mailbox = restoreMailbox(saved, domainOf(owner?.mail ?? ""), blocks);
    parts.store.mailboxes.set(saved.userId, mailbox);
    for (const message of mailbox.messages.values()) parts.store.resumeLag(mailbox, message);
  }
  for (const [appId] of parts.policies.list()) parts.policies.restrictApp(appId, null);
  for (const [appId, users] of state.policies) parts.policies.restrictApp(appId, users);
  for (const [appId] of parts.policies.roles()) parts.policies.assignRole(appId, null);
  for (const [appId, users] of state.roles ?? []) parts.policies.assignRole(appId, users);
  parts.subscriptions.restore(state.subscriptions.map((each) => ({ ...each })));
  parts.tokens.restore(state.sync);
  parts.notifier.restore(state.notifier);
}

function snapshotMailbox(mailbox: Mailbox): MailboxSnapshot {
  const { userId, nextKey, nextFolder, sequence } = mailbox;
  return {
    userId,
    nextKey,
    nextFolder,
    sequence,
    folderLog: mailbox.folderLog.entries(),
    folders: [...mailbox.folders.values()].map(({ folder, log, lazy, unread, messages }) => ({
      folder,
      log: log.entries(),
      holes: lazy?.sortedHoles ?? [],
      lazyUnread: unread - messages.items.filter((each) => !each.isRead).length,
    })),
    messages: [...mailbox.messages.values()].map((each) => ({
      ...each,
      attachments: each.attachments.map((one) => ({ ...one })),
    })),
  };
}

function restoreMailbox(
  saved: MailboxSnapshot,
  domain: string,
  blocks: ReadonlyMap<string, LazyBlock>,
): Mailbox {
  const mailbox = emptyMailbox(saved.userId, domain);
  for (const { folder, log } of saved.folders) placeFolder(mailbox, { ...folder }, log);
  for (const message of saved.messages)
    placeMessage(mailbox, { ...message, ...reviveBytes(message) });
  for (const { folder, holes, lazyUnread } of saved.folders) {
    const block = blocks.get(folder.id);
    if (block === undefined) continue;
    const state = mailbox.folders.get(folder.id)!;
    state.lazy = { ...block, holes: new Set(), sortedHoles: [] };
    state.unread += lazyUnread;
    for (const hole of holes) makeHole(state.lazy, hole);
  }
  mailbox.nextKey = saved.nextKey;
  mailbox.nextFolder = saved.nextFolder;
  mailbox.sequence = saved.sequence;
  mailbox.folderLog = createFolderLog(saved.folderLog);
  return mailbox;
}

/** Cloning turns a buffer into a plain byte array; the store needs buffers. */
function reviveBytes<T extends MessageContent>(content: T): Pick<T, "attachments"> {
  const attachments = content.attachments.map((each) => ({
    ...each,
    bytes: each.bytes === null ? null : Buffer.from(each.bytes),
    item: each.item === null ? null : { ...each.item, ...reviveBytes(each.item) },
  }));
  return { attachments };
}

function lazyBlocks(store: MailStore): Map<string, LazyBlock> {
  const blocks = new Map<string, LazyBlock>();
  for (const mailbox of store.mailboxes.values()) {
    for (const { folder, lazy } of mailbox.folders.values())
      if (lazy !== null) blocks.set(folder.id, lazy);
  }
  return blocks;
}
