/** What mongoexport writes of MSEDB's collections, one document per line, and what a line means to us. */
import * as z from "zod";
import { key16 } from "../../lib/hash.ts";
import { toStorableText } from "../../store/database.ts";
import type { ImportedEvent } from "../events/event-table.ts";
import { normalizeInternetMessageId } from "../messages/message.ts";

/** mongoexport marks types that JSON lacks: `{"$oid": …}`, `{"$date": …}`, `{"$numberLong": …}`. */
const objectId = z
  .union([z.string(), z.object({ $oid: z.string() }).transform(({ $oid }) => $oid)])
  .pipe(z.string().min(1).max(200));
const whole = z.object({ $numberLong: z.string() }).transform((value) => Number(value.$numberLong));
const moment = z
  .union([z.string(), z.object({ $date: z.union([z.string(), z.number(), whole]) })])
  .transform((value) => new Date(typeof value === "string" ? value : value.$date))
  .refine((date) => !Number.isNaN(date.getTime()), "is not a time");
const maybe = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? null);
const text = maybe(z.string());

export const MsedbMailbox = z.object({ _id: objectId, email: z.email() });

export const MsedbEvent = z.object({
  mailboxId: objectId,
  messageId: z.string().min(1).max(1_000),
  internetMessageId: text,
  eventType: z.enum(["arrived", "deleted", "moved", "read", "flagged", "categorized"]),
  timestamp: moment,
  sender: maybe(z.object({ name: text, email: text })),
  subject: text,
  receivedAt: maybe(moment),
  fromFolder: text,
  toFolder: text,
  importance: maybe(z.enum(["low", "normal", "high"])),
  hasAttachments: maybe(z.boolean()),
  conversationId: text,
  categories: maybe(z.array(z.string()).max(100)),
  isRead: maybe(z.boolean()),
  metadata: maybe(
    z.object({ hasListUnsubscribe: maybe(z.boolean()), isAutomated: maybe(z.boolean()) }),
  ),
});
export type MsedbEvent = z.infer<typeof MsedbEvent>;

const UNKNOWN_FOLDER = "unknown";
const cut = (given: string | null, max = 998): string | null =>
  given === null ? null : toStorableText(given, max);

/** The folders of a mailbox by id, by name, and by the last part of the path that MSEDB shows. */
export type FolderIds = ReadonlyMap<string, string>;

/**
 * An event of theirs under the id that the message has here. Their ids change when a message moves, so the id is
 * part of what distinguishes two changes of one message; it arrives only once all the same.
 */
export function toImportedEvent(
  event: MsedbEvent,
  messageId: string,
  folders: FolderIds,
): ImportedEvent {
  const folder = event.toFolder ?? event.fromFolder ?? UNKNOWN_FOLDER;
  const idOf = (name: string) => folders.get(name) ?? folders.get(name.split("/").at(-1)!) ?? name;
  const isOnce = event.eventType === "arrived" || event.eventType === "deleted";
  const hasOrigin = event.eventType === "moved" || event.eventType === "deleted";
  return {
    messageId,
    type: event.eventType,
    change: isOnce ? "msedb" : `msedb:${key16(event.messageId)}`,
    at: event.timestamp,
    folderId: idOf(folder),
    folderName: cut(folder.split("/").at(-1)!),
    fromFolder: hasOrigin && event.fromFolder !== null ? idOf(event.fromFolder) : null,
    fromFolderName: hasOrigin ? cut(event.fromFolder?.split("/").at(-1) ?? null) : null,
    isRead: event.isRead ?? event.eventType === "read",
    flag: event.eventType === "flagged" ? "flagged" : "notFlagged",
    categories: (event.categories ?? []).map((name) => toStorableText(name, 255)),
    internetMessageId: normalizeInternetMessageId(event.internetMessageId),
    receivedAt: event.receivedAt,
    subject: cut(event.subject),
    senderName: cut(event.sender?.name ?? null),
    senderEmail: cut(event.sender?.email ?? null)?.toLowerCase() ?? null,
    importance: event.importance ?? "normal",
    hasAttachments: event.hasAttachments ?? false,
    conversationId: cut(event.conversationId),
    hasListUnsubscribe: event.metadata?.hasListUnsubscribe ?? false,
    isAutomated: event.metadata?.isAutomated ?? false,
  };
}
