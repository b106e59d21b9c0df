/** Finds the mailbox, folder and message that a call names, or throws the refusal. */
import type { TenantContext, User } from "../../context.ts";
import type { AccessPolicies, MailRight } from "../call/access.ts";
import { checkMailAccess, holds } from "../call/access.ts";
import type { GraphCall } from "../call/graph-call.ts";
import { loadUser } from "../call/graph-call.ts";
import { itemNotFound, malformedId } from "../call/graph-error.ts";
import { isFolderId } from "../mailbox/mail-ids.ts";
import type { StoredMessage } from "../mailbox/mail-model.ts";
import type { MailStore } from "../mailbox/mail-store.ts";
import type { FolderState, Mailbox } from "../mailbox/mailbox.ts";
import { findFolder, isWellKnown } from "../mailbox/mailbox.ts";
import type { ViewOptions } from "./message-view.ts";
import { parseSelect } from "./message-view.ts";

export interface MailWorld {
  readonly context: TenantContext;
  readonly store: MailStore;
  readonly policies: AccessPolicies;
}

export interface MailScope {
  readonly user: User;
  readonly mailbox: Mailbox;
  /** The folder in the path, if it names one. */
  readonly folder: FolderState | null;
}

export function scopeOf(world: MailWorld, call: GraphCall, right: MailRight): MailScope {
  const user = loadUser(world.context, call.params["user"]!);
  checkMailAccess(world.policies, call.caller, user, right);
  const mailbox = world.store.mailboxOf(user);
  const folderName = call.params["folder"];
  return {
    user,
    mailbox,
    folder: folderName === undefined ? null : loadFolder(mailbox, folderName),
  };
}

export function loadFolder(mailbox: Mailbox, idOrName: string): FolderState {
  const state = findFolder(mailbox, idOrName);
  if (state !== null) return state;
  throw isFolderId(idOrName) || isWellKnown(idOrName) ? itemNotFound() : malformedId();
}

/** The message in the path; if the path names a folder, the message must be in it. */
export function loadMessage(world: MailWorld, call: GraphCall, scope: MailScope): StoredMessage {
  const message = findMessage(world, scope.mailbox, call.params["message"]!);
  if (scope.folder !== null && message.folderId !== scope.folder.folder.id) throw itemNotFound();
  return message;
}

function findMessage(world: MailWorld, mailbox: Mailbox, id: string): StoredMessage {
  const found = world.store.find(mailbox, id);
  if (found === "malformed") throw malformedId();
  if (found === null) throw itemNotFound();
  return found;
}

export function viewOf(call: GraphCall, select = call.request.query.get("$select")): ViewOptions {
  return {
    form: call.idForm,
    bodyForm: call.bodyForm,
    select: parseSelect(select),
    isBasic: !holds(call.caller, "read"),
  };
}
