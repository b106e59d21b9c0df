/**
 * Which messages of a mailbox are ingested: those that enter its ingestion folder, and those that we first see elsewhere
 * because a rule or a person moved them before we looked.
 */
import { ENTERING_EVENTS } from "../../mailbox/events/diff-message.ts";
import type { RecordedEvent } from "../../mailbox/events/event-table.ts";
import { findFolderIds, findFolders } from "../../mailbox/folders/folder-table.ts";
import type { Mailbox } from "../../mailbox/mailbox-table.ts";
import type { Queryable } from "../../store/database.ts";

/** Folders in which messages are created, so nobody moved them there. */
const FIRST_FOLDERS: ReadonlySet<string> = new Set(["inbox", "drafts", "outbox", "sentitems"]);

export type IsInScope = (event: RecordedEvent) => boolean;

/** Mail received before its mailbox was set up for ingestion is not ingested. */
export async function loadScope(on: Queryable, mailbox: Mailbox): Promise<IsInScope> {
  if (mailbox.ingestFolder === null) return () => false;
  const wanted = await findFolderIds(on, mailbox.id, mailbox.ingestFolder);
  const others = (await findFolders(on, mailbox.id)).filter(
    (folder) => !folder.isExcluded && !FIRST_FOLDERS.has(folder.wellKnown ?? ""),
  );
  const movedTo = new Set(others.map((folder) => folder.folderId));
  return ({ eventType, folderId, receivedAt }) => {
    if (receivedAt !== null && receivedAt < mailbox.ingestSince) return false;
    if (wanted.has(folderId)) return ENTERING_EVENTS.has(eventType);
    return eventType === "arrived" && movedTo.has(folderId);
  };
}
