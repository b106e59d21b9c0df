/** What a test, the admin API and the command line can do to the tenant's mail. */

import type { TenantContext, User } from "../context.ts";
import type { AccessPolicies } from "./call/access.ts";
import { findUser } from "./call/graph-call.ts";
import { draftFromEml, readAddresses } from "./mailbox/eml.ts";
import type { Flag, MessageDraft, StoredMessage } from "./mailbox/mail-model.ts";
import type { MailStore, MessagePatch } from "./mailbox/mail-store.ts";
import type { FolderState, Mailbox } from "./mailbox/mailbox.ts";
import { findFolder, idOf } from "./mailbox/mailbox.ts";
import { sendDraft } from "./messages/draft-routes.ts";
import type { LifecycleEvent } from "./notifications/notification-model.ts";
import type { Notifier } from "./notifications/notifier.ts";
import type { Subscription } from "./subscriptions/subscription-model.ts";
import type { Subscriptions } from "./subscriptions/subscriptions.ts";

export interface AdminWorld {
  readonly context: TenantContext;
  readonly store: MailStore;
  readonly policies: AccessPolicies;
  readonly subscriptions: Subscriptions;
  readonly notifier: Notifier;
}

export interface SendMail extends Omit<MessageDraft, "to"> {
  /** The mailboxes that receive it: ids, principal names or addresses. */
  readonly to: string | readonly string[];
  /** A well-known name or an id; by default, the inbox. */
  readonly folder?: string;
  /** A whole message as MIME, such as a file's bytes; the other properties override it, headers and attachments are added. */
  readonly eml?: Buffer | string;
  /** Delay before listings and delta show it; notifications do not wait. */
  readonly visibleAfterMs?: number;
}

export interface MessageReference {
  readonly user: string;
  readonly id: string;
  readonly immutableId: string;
  readonly folderId: string;
  readonly internetMessageId: string;
}

/** One message as it really is, to compare with what a client believes. */
export interface MessageTruth {
  readonly immutableId: string;
  readonly id: string;
  readonly folderId: string;
  readonly folder: string;
  readonly internetMessageId: string;
  readonly subject: string;
  readonly isRead: boolean;
  readonly isDraft: boolean;
  readonly flag: string;
  readonly categories: readonly string[];
  readonly receivedDateTime: string;
  readonly hasAttachments: boolean;
  readonly attachments: readonly string[];
}

export type GraphAdmin = ReturnType<typeof createGraphAdmin>;

export function createGraphAdmin(world: AdminWorld) {
  const { store, subscriptions, notifier } = world;

  const refer = (user: User, mailbox: Mailbox, message: StoredMessage): MessageReference => ({
    user: user.id,
    id: idOf(mailbox, message, "default"),
    immutableId: idOf(mailbox, message, "immutable"),
    folderId: message.folderId,
    internetMessageId: message.internetMessageId,
  });

  const open = (userName: string) => {
    const user = findUser(world.context, userName);
    if (user === null) throw new Error(`no user ${userName} in this tenant`);
    return { user, mailbox: store.mailboxOf(user) };
  };

  const openFolder = (mailbox: Mailbox, name: string): FolderState => {
    const byName = [...mailbox.folders.values()].find((state) => state.folder.displayName === name);
    const state = findFolder(mailbox, name) ?? byName ?? null;
    if (state === null) throw new Error(`this mailbox has no folder ${name}`);
    return state;
  };

  const openMessage = (userName: string, id: string) => {
    const { user, mailbox } = open(userName);
    const message = store.find(mailbox, id);
    if (message === null || message === "malformed")
      throw new Error(
        `${userName} has no message ${id}; postroom tenant messages lists the newest`,
      );
    return { user, mailbox, message };
  };

  const change = (userName: string, id: string, patch: MessagePatch): MessageReference => {
    const { user, mailbox, message } = openMessage(userName, id);
    return refer(user, mailbox, store.update(mailbox, message, patch));
  };

  const moveTo = (userName: string, id: string, folder: string): MessageReference => {
    const { user, mailbox, message } = openMessage(userName, id);
    return refer(
      user,
      mailbox,
      store.move(mailbox, message, openFolder(mailbox, folder).folder.id),
    );
  };

  return {
    /** The ID of a folder by well-known name, display name or ID. */
    folderId: (userName: string, name: string): string =>
      openFolder(open(userName).mailbox, name).folder.id,

    /** Delivers a message to each recipient that has a mailbox here; returns the copies. */
    async sendMail(mail: SendMail): Promise<MessageReference[]> {
      const { to, folder, visibleAfterMs, eml, ...given } = mail;
      const parsed: MessageDraft = eml === undefined ? {} : await draftFromEml(Buffer.from(eml));
      const replyTo = given.headers?.find(({ name }) => /^reply-to$/i.test(name))?.value;
      const draft = {
        ...parsed,
        ...(replyTo === undefined ? {} : { replyTo: readAddresses(replyTo) }),
        ...given,
        headers: [...(given.headers ?? []), ...(parsed.headers ?? [])],
        attachments: [...(parsed.attachments ?? []), ...(given.attachments ?? [])],
      };
      const names = Array.isArray(to) ? (to as string[]) : [to as string];
      const recipients = names.map((name) => ({ name, user: findUser(world.context, name) }));
      const shown = recipients.map(({ name, user }) =>
        user === null ? name : { name: user.displayName, address: user.mail },
      );
      const missing = recipients.find(({ user }) => user === null);
      if (recipients.every(({ user }) => user === null))
        throw new Error(`no mailbox for ${missing?.name}`);
      return recipients.flatMap(({ user }) => {
        if (user === null) return [];
        const mailbox = store.mailboxOf(user);
        const folderId = openFolder(mailbox, folder ?? "inbox").folder.id;
        const message = store.create(
          mailbox,
          folderId,
          { from: "sender@example.com", ...draft, to: "to" in parsed ? parsed.to : shown },
          {
            visibleFromMs:
              visibleAfterMs === undefined ? 0 : world.context.clock.now() + visibleAfterMs,
          },
        );
        return [refer(user, mailbox, message)];
      });
    },
    move: moveTo,
    copy(userName: string, id: string, folder: string): MessageReference {
      const { user, mailbox, message } = openMessage(userName, id);
      return refer(
        user,
        mailbox,
        store.copy(mailbox, message, openFolder(mailbox, folder).folder.id),
      );
    },
    markRead: (userName: string, id: string, isRead = true) => change(userName, id, { isRead }),
    flag: (userName: string, id: string, flagStatus: Flag["flagStatus"] = "flagged") =>
      change(userName, id, { flag: { flagStatus } }),
    categorize: (userName: string, id: string, categories: string[]) =>
      change(userName, id, { categories }),
    /** Moves a message to Deleted Items, as a person does. */
    softDelete: (userName: string, id: string) => moveTo(userName, id, "deleteditems"),
    /** Removes a message from the mailbox permanently. */
    hardDelete(userName: string, id: string): void {
      const { mailbox, message } = openMessage(userName, id);
      store.remove(mailbox, message);
    },
    /** Restores a message from the deleted or recoverable items. */
    restoreMessage: (userName: string, id: string, folder = "inbox") =>
      moveTo(userName, id, folder),
    createFolder(
      userName: string,
      displayName: string,
      parent = "msgfolderroot",
      options: { isHidden?: boolean; isSearchFolder?: boolean } = {},
    ) {
      const { mailbox } = open(userName);
      return store.createFolder(
        mailbox,
        openFolder(mailbox, parent).folder.id,
        displayName,
        options,
      );
    },
    /** Adds a large number of messages that are generated only when they are read. */
    addLazyMailbox(
      userName: string,
      folder: string,
      count: number,
      generate: (index: number) => MessageDraft,
    ): void {
      const { mailbox } = open(userName);
      store.addLazy(mailbox, openFolder(mailbox, folder), count, generate);
    },
    /** Creates a draft in the user's own mailbox, as Outlook saves it. */
    createDraft(userName: string, draft: MessageDraft): MessageReference {
      const { user, mailbox } = open(userName);
      const from = { name: user.displayName, address: user.mail };
      const folderId = mailbox.wellKnown.get("drafts")!;
      const message = store.create(mailbox, folderId, {
        from,
        ...draft,
        isDraft: true,
        isRead: true,
      });
      return refer(user, mailbox, message);
    },
    sendDraft(userName: string, id: string): MessageReference {
      const { user, mailbox, message } = openMessage(userName, id);
      sendDraft(world, { user, mailbox, folder: null }, message);
      return refer(user, mailbox, message);
    },
    renameFolder(userName: string, folder: string, displayName: string): void {
      const { mailbox } = open(userName);
      store.updateFolder(mailbox, openFolder(mailbox, folder).folder, { displayName });
    },
    deleteFolder(userName: string, folder: string): void {
      const { mailbox } = open(userName);
      store.removeFolder(mailbox, openFolder(mailbox, folder));
    },
    /** Outlook on the desktop sometimes moves by copying and deleting: even the immutable id changes. */
    dragToFolder(userName: string, id: string, folder: string): MessageReference {
      const { user, mailbox, message } = openMessage(userName, id);
      const copy = store.copy(mailbox, message, openFolder(mailbox, folder).folder.id);
      store.remove(mailbox, message);
      return refer(user, mailbox, copy);
    },
    /** Sets an application access policy: the app can reach only these mailboxes; null removes it. */
    restrictApp(appId: string, userNames: readonly string[] | null): void {
      world.policies.restrictApp(appId, userNames?.map((name) => open(name).user.id) ?? null);
    },
    /** Gives an app the role `Application Mail.Read` in Exchange for these mailboxes; null removes it. */
    assignMailRole(appId: string, userNames: readonly string[] | null): void {
      world.policies.assignRole(appId, userNames?.map((name) => open(name).user.id) ?? null);
    },
    /** The service's token expires: items are held until the subscription is reauthorized. */
    holdSubscription(id: string): void {
      const subscription = subscriptions.get(id);
      if (subscription === null) throw new Error(`no subscription ${id}`);
      notifier.hold(subscription);
    },
    driveChanged: (driveId: string) => notifier.driveChanged(driveId),
    /** What an event hub has received, by the notification URL that names it. */
    eventHub: (url: string): object[] => notifier.delivery.hubs.received(url),
    /** How the tenant judges each endpoint: ok, slow, drop or probing. */
    endpoints: () => notifier.delivery.modes(),
    subscriptions: (): Subscription[] => subscriptions.all(),
    /**
     * Removes a subscription although its owner did not ask for it, with or without a lifecycle notification.
     */
    removeSubscription(id: string, options: { notify?: boolean } = {}): boolean {
      const removed = subscriptions.remove(id, "service");
      if (removed !== null && options.notify !== false)
        notifier.lifecycle(removed, "subscriptionRemoved");
      return removed !== null;
    },
    sendLifecycle(id: string, event: LifecycleEvent): void {
      const subscription = subscriptions.get(id);
      if (subscription === null) throw new Error(`no subscription ${id}`);
      notifier.lifecycle(subscription, event);
    },
    /** Everything in the mailbox now, including recoverable items, in order of arrival. */
    mailboxTruth(userName: string): MessageTruth[] {
      const { mailbox } = open(userName);
      return [...mailbox.messages.values()].map((message) => toTruth(mailbox, message));
    },
    stop: () => notifier.stop(),
  };
}

function toTruth(mailbox: Mailbox, message: StoredMessage): MessageTruth {
  const folder = mailbox.folders.get(message.folderId)!.folder;
  return {
    immutableId: idOf(mailbox, message, "immutable"),
    id: idOf(mailbox, message, "default"),
    folderId: message.folderId,
    folder: folder.wellKnownName ?? folder.displayName,
    internetMessageId: message.internetMessageId,
    subject: message.subject,
    isRead: message.isRead,
    isDraft: message.isDraft,
    flag: message.flag.flagStatus,
    categories: message.categories,
    receivedDateTime: new Date(message.receivedMs).toISOString(),
    hasAttachments: message.attachments.some((each) => !each.isInline),
    attachments: message.attachments.map((each) => each.name),
  };
}
