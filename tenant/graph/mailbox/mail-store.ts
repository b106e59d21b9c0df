/**
 * The mail of all users. Every write updates the folder's log, the journal and the listeners together: what
 * subscriptions report and what delta shows comes from the same call.
 */
import type { TenantContext, User } from "../../context.ts";
import * as lazy from "./lazy-block.ts";
import { parseMessageId } from "./mail-ids.ts";
import type { Folder, MessageDraft, StoredMessage } from "./mail-model.ts";
import { wholeSeconds } from "./mail-model.ts";
import type { FolderState, Mailbox } from "./mailbox.ts";
import {
  addFolder,
  createMailbox,
  idOf,
  logFolder,
  placeMessage,
  unplaceMessage,
} from "./mailbox.ts";
import { conversationOf, findLazy, newMessage } from "./new-message.ts";

export type MailChange =
  | { kind: "created"; mailbox: Mailbox; message: StoredMessage }
  | { kind: "updated"; mailbox: Mailbox; message: StoredMessage; before: StoredMessage }
  | { kind: "moved"; mailbox: Mailbox; message: StoredMessage; before: StoredMessage }
  | { kind: "deleted"; mailbox: Mailbox; message: StoredMessage };

export type MessagePatch = Partial<
  Omit<StoredMessage, "key" | "moves" | "version" | "folderId" | "createdMs" | "lastModifiedMs">
>;

export type MailStore = ReturnType<typeof createMailStore>;

export function createMailStore(context: TenantContext) {
  const mailboxes = new Map<string, Mailbox>();
  const listeners = new Set<(change: MailChange) => void>();
  const { clock, journal } = context;

  const notify = (change: MailChange) => {
    for (const listener of listeners) listener(change);
  };

  const mailboxOf = (user: User): Mailbox => {
    const known = mailboxes.get(user.id);
    if (known) return known;
    const made = createMailbox(user);
    mailboxes.set(user.id, made);
    return made;
  };

  const facts = (mailbox: Mailbox, message: StoredMessage) => ({
    mailbox: mailbox.userId,
    immutableId: idOf(mailbox, message, "immutable"),
    id: idOf(mailbox, message, "default"),
    folderId: message.folderId,
    folder: folderName(mailbox, message.folderId),
    internetMessageId: message.internetMessageId,
    subject: message.subject,
    isRead: message.isRead,
  });

  const log = (
    mailbox: Mailbox,
    message: StoredMessage,
    kind: "created" | "updated" | "removed",
  ) => {
    const { log: folderLog } = mailbox.folders.get(message.folderId)!;
    const sequence = ++mailbox.sequence;
    const entered = kind === "created" ? sequence : (folderLog.enteredAt(message.key) ?? 0);
    folderLog.record({ sequence, key: message.key, kind, moves: message.moves, entered });
  };

  /** Ends the lag of a message: at its time, or when somebody changes the message and so makes it visible. */
  const reveal = (mailbox: Mailbox, message: StoredMessage) => {
    if (!mailbox.lagging.delete(message.key)) return;
    message.visibleFromMs = 0;
    log(mailbox, message, "created");
  };

  /** Delta shows a lagging message only when listings do. */
  const logArrival = (mailbox: Mailbox, message: StoredMessage) => {
    const lagMs = message.visibleFromMs - clock.now();
    if (lagMs <= 0) {
      log(mailbox, message, "created");
      return;
    }
    mailbox.lagging.add(message.key);
    clock.after(lagMs, () => reveal(mailbox, message));
  };

  /** A lazy message becomes an ordinary one before its first change. */
  const settle = (mailbox: Mailbox, message: StoredMessage): StoredMessage => {
    const known = mailbox.messages.get(message.key);
    if (known) {
      reveal(mailbox, known);
      return known;
    }
    const block = mailbox.folders.get(message.folderId)!.lazy!;
    lazy.makeHole(block, message.key - block.firstKey);
    const state = mailbox.folders.get(message.folderId)!;
    if (!message.isRead) state.unread -= 1; // counted with the block until now
    placeMessage(mailbox, message);
    return message;
  };

  return {
    mailboxes,
    mailboxOf,
    facts,

    /** After a restore: a message that was not visible yet still becomes visible at its time. */
    resumeLag(mailbox: Mailbox, message: StoredMessage): void {
      if (message.visibleFromMs > clock.now()) logArrival(mailbox, message);
    },

    watch(listener: (change: MailChange) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    create(
      mailbox: Mailbox,
      folderId: string,
      draft: MessageDraft,
      options: { visibleFromMs?: number; cause?: string } = {},
    ): StoredMessage {
      const message = newMessage(mailbox, mailbox.nextKey++, folderId, draft, clock.now());
      message.visibleFromMs = options.visibleFromMs ?? 0;
      placeMessage(mailbox, message);
      logArrival(mailbox, message);
      journal.record("message.created", {
        ...facts(mailbox, message),
        ...(options.cause === undefined ? {} : { cause: options.cause }),
      });
      notify({ kind: "created", mailbox, message });
      return message;
    },

    update(mailbox: Mailbox, found: StoredMessage, patch: MessagePatch): StoredMessage {
      const message = settle(mailbox, found);
      const before = { ...message };
      const state = mailbox.folders.get(message.folderId)!;
      if (patch.isRead !== undefined && patch.isRead !== message.isRead) {
        state.unread += patch.isRead ? -1 : 1;
      }
      Object.assign(message, patch);
      message.version += 1;
      message.lastModifiedMs = wholeSeconds(clock.now());
      log(mailbox, message, "updated");
      journal.record("message.updated", {
        ...facts(mailbox, message),
        changed: Object.keys(patch),
      });
      notify({ kind: "updated", mailbox, message, before });
      return message;
    },

    move(
      mailbox: Mailbox,
      found: StoredMessage,
      folderId: string,
      patch: MessagePatch = {},
    ): StoredMessage {
      const message = settle(mailbox, found);
      const before = { ...message };
      log(mailbox, message, "removed");
      unplaceMessage(mailbox, message);
      Object.assign(message, patch);
      message.folderId = folderId;
      message.moves += 1;
      message.version += 1;
      message.lastModifiedMs = wholeSeconds(clock.now());
      placeMessage(mailbox, message);
      log(mailbox, message, "created");
      journal.record("message.moved", {
        ...facts(mailbox, message),
        fromFolderId: before.folderId,
        fromFolder: folderName(mailbox, before.folderId),
        previousId: idOf(mailbox, before, "default"),
      });
      notify({ kind: "moved", mailbox, message, before });
      return message;
    },

    copy(mailbox: Mailbox, found: StoredMessage, folderId: string): StoredMessage {
      const nowMs = wholeSeconds(clock.now());
      const message: StoredMessage = {
        ...structuredCopy(found),
        key: mailbox.nextKey++,
        moves: 0,
        version: 1,
        folderId,
        createdMs: nowMs,
        lastModifiedMs: nowMs,
        visibleFromMs: 0,
      };
      placeMessage(mailbox, message);
      log(mailbox, message, "created");
      journal.record("message.created", {
        ...facts(mailbox, message),
        copiedFrom: idOf(mailbox, found, "immutable"),
      });
      notify({ kind: "created", mailbox, message });
      return message;
    },

    /** A copy of a message arrives in another mailbox, unread and with its own ids. */
    deliver(mailbox: Mailbox, folderId: string, sent: StoredMessage): StoredMessage {
      const nowMs = wholeSeconds(clock.now());
      const message: StoredMessage = {
        ...structuredCopy(sent),
        key: mailbox.nextKey++,
        moves: 0,
        version: 1,
        folderId,
        createdMs: nowMs,
        lastModifiedMs: nowMs,
        receivedMs: nowMs,
        isRead: false,
        isDraft: false,
        categories: [],
        bccRecipients: [],
        flag: { flagStatus: "notFlagged" as const },
        visibleFromMs: 0,
        conversationId: threadOf(mailbox, sent) ?? conversationOf(mailbox, sent.subject),
        arrival: { verdict: "internal", domain: mailbox.domain },
      };
      placeMessage(mailbox, message);
      log(mailbox, message, "created");
      journal.record("message.created", facts(mailbox, message));
      notify({ kind: "created", mailbox, message });
      return message;
    },

    remove(mailbox: Mailbox, found: StoredMessage): void {
      const message = settle(mailbox, found);
      log(mailbox, message, "removed");
      unplaceMessage(mailbox, message);
      journal.record("message.deleted", facts(mailbox, message));
      notify({ kind: "deleted", mailbox, message });
    },

    /** Null if nothing has this id now; "malformed" if it is not an id of this mailbox at all. */
    find(mailbox: Mailbox, id: string): StoredMessage | null | "malformed" {
      const parsed = parseMessageId(mailbox.tag, id);
      if (parsed === null || parsed.attachment !== 0) return "malformed";
      const message =
        mailbox.messages.get(parsed.key) ?? findLazy(mailbox, parsed.key, clock.now());
      if (message === null) return null;
      return parsed.form === "default" && parsed.moves !== message.moves ? null : message;
    },

    createFolder(
      mailbox: Mailbox,
      parentFolderId: string,
      displayName: string,
      options: { isHidden?: boolean; isSearchFolder?: boolean } = {},
    ): Folder {
      const folder = addFolder(mailbox, { displayName, parentFolderId, ...options });
      journal.record("folder.created", {
        mailbox: mailbox.userId,
        folderId: folder.id,
        displayName,
      });
      return folder;
    },

    updateFolder(
      mailbox: Mailbox,
      folder: Folder,
      patch: Partial<Pick<Folder, "displayName" | "parentFolderId">>,
    ): void {
      Object.assign(folder, patch);
      logFolder(mailbox, folder, "updated");
      journal.record("folder.updated", {
        mailbox: mailbox.userId,
        folderId: folder.id,
        displayName: folder.displayName,
        parentFolderId: folder.parentFolderId,
      });
    },

    /** The messages are deleted with the folder, and each is reported as deleted. */
    removeFolder(mailbox: Mailbox, state: FolderState): void {
      for (const child of [...mailbox.folders.values()]) {
        if (child.folder.parentFolderId === state.folder.id) this.removeFolder(mailbox, child);
      }
      for (const message of [...state.messages.items]) this.remove(mailbox, message);
      logFolder(mailbox, state.folder, "removed");
      mailbox.folders.delete(state.folder.id);
      journal.record("folder.deleted", { mailbox: mailbox.userId, folderId: state.folder.id });
    },

    addLazy(
      mailbox: Mailbox,
      state: FolderState,
      count: number,
      generate: (index: number) => MessageDraft,
    ): void {
      const block = lazy.createLazyBlock(mailbox.nextKey, count, generate);
      mailbox.nextKey += count;
      state.lazy = block;
      state.unread += count;
      journal.record("mailbox.filled", {
        mailbox: mailbox.userId,
        folderId: state.folder.id,
        count,
      });
    },
  };
}

export function folderName(mailbox: Mailbox, folderId: string): string {
  const folder = mailbox.folders.get(folderId)?.folder;
  return folder ? (folder.wellKnownName ?? folder.displayName) : "";
}

function structuredCopy(message: StoredMessage): StoredMessage {
  return {
    ...message,
    flag: { ...message.flag },
    categories: [...message.categories],
    headers: [...message.headers],
    attachments: [...message.attachments],
  };
}

/** A reply belongs to the conversation of the message that it answers, if that one is here. */
function threadOf(mailbox: Mailbox, sent: StoredMessage): string | null {
  const answered = sent.headers.find(({ name }) => /^in-reply-to$/i.test(name))?.value;
  if (answered === undefined) return null;
  for (const message of mailbox.messages.values()) {
    if (message.internetMessageId === answered) return message.conversationId;
  }
  return null;
}
