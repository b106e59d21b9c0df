import type { FolderRoles } from "../folders/folder-table.ts";
import type { MessageState } from "../messages/message.ts";

export const EVENT_TYPES = [
  "arrived",
  "deleted",
  "moved",
  "read",
  "unread",
  "flagged",
  "unflagged",
  "categorized",
  "restored",
  "re-keyed",
  "sent",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Events that put a message into a folder. */
export const ENTERING_EVENTS: ReadonlySet<EventType> = new Set<EventType>([
  "arrived",
  "moved",
  "restored",
  "re-keyed",
]);

/** Graph's word; the others are `flagged` and `complete`, a flag that is done. */
const NOT_FLAGGED = "notFlagged";

/** One thing that happened to a message. */
export interface Happening {
  readonly type: EventType;
  /**
   * Empty for a change that can happen only once; otherwise it distinguishes this change from others of its
   * type.
   */
  readonly change: string;
  readonly fromFolder: string | null;
  readonly relatedMessageId?: string;
}

/** The id that a new message had before. */
export interface Rekeyed {
  readonly messageId: string;
  readonly wasDraft: boolean;
}

/**
 * What happened between the known state and the observed one. Webhooks, delta, polling and audit share
 * this rule, so it does not matter which of them sees a change first.
 */
export function diffMessage(
  before: MessageState | null,
  after: MessageState,
  folders: FolderRoles,
  rekeyedFrom: Rekeyed | null = null,
): Happening[] {
  if (before === null) return [firstSight(after, folders, rekeyedFrom)];
  const change = after.changeKey || String(after.modifiedAt.getTime());
  const happening = (type: EventType, fromFolder: string | null = null): Happening => ({
    type,
    // A message that came back may change again in a way whose key its first life already used.
    change: after.lives === 0 ? change : `${change}#${after.lives}`,
    fromFolder,
  });

  if (after.isDeleted) {
    return before.isDeleted
      ? []
      : [{ type: "deleted", change: lifeOf(after), fromFolder: before.folderId }];
  }
  const happenings: Happening[] = [];
  if (before.isDeleted)
    happenings.push({ type: "restored", change: lifeOf(after), fromFolder: before.folderId });
  else if (before.isDraft && !after.isDraft) happenings.push(happening("sent", before.folderId));
  else if (before.folderId !== after.folderId) {
    const isRestored = before.folderId === folders.deletedItems;
    happenings.push(happening(isRestored ? "restored" : "moved", before.folderId));
  }
  if (before.isRead !== after.isRead) happenings.push(happening(after.isRead ? "read" : "unread"));
  if (before.flag !== after.flag)
    happenings.push(happening(after.flag === NOT_FLAGGED ? "unflagged" : "flagged"));
  if (!isSameSet(before.categories, after.categories)) happenings.push(happening("categorized"));
  return happenings;
}

function firstSight(
  after: MessageState,
  folders: FolderRoles,
  rekeyedFrom: Rekeyed | null,
): Happening {
  const related = rekeyedFrom === null ? {} : { relatedMessageId: rekeyedFrom.messageId };
  // Outlook may send a draft under a new id; that is more than a changed id.
  const isSent =
    !after.isDraft &&
    (rekeyedFrom === null ? after.folderId === folders.sentItems : rekeyedFrom.wasDraft);
  const type = isSent ? "sent" : rekeyedFrom === null ? "arrived" : "re-keyed";
  return { type, change: "", fromFolder: null, ...related };
}

/** Empty in the first life, so that the unique index allows one arrival and one deletion per life. */
function lifeOf(state: MessageState): string {
  return state.lives === 0 ? "" : `#${state.lives}`;
}

export function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}
