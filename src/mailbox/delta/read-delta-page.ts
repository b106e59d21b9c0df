import { Fault } from "../../lib/fault.ts";
import type { GraphClient } from "../../microsoft/graph/graph-client.ts";
import type { Queryable } from "../../store/database.ts";
import type { Folder } from "../folders/folder-table.ts";
import type { Mailbox } from "../mailbox-table.ts";
import { type GraphMessage, MESSAGE_SELECT } from "../messages/message.ts";
import { timeOfAsking } from "../messages/message-table.ts";
import { userPath } from "../user-path.ts";

export interface PageNeeds {
  readonly graphOf: (mailbox: Mailbox) => GraphClient;
  readonly pageSize?: number;
}

export interface DeltaPage {
  /** When we asked for it. */
  readonly askedAt: Date;
  readonly value: readonly GraphMessage[];
  readonly "@odata.nextLink"?: string;
  readonly "@odata.deltaLink"?: string;
}

/**
 * Marks a page that is read ahead as handled: if it fails while the page before it is being written, it
 * throws only when awaited.
 */
export function readAhead<T>(page: Promise<T>): Promise<T> {
  page.catch(() => {});
  return page;
}

/** The page behind a link, or the folder's first page, with the time of the request. */
export async function readPage(
  needs: PageNeeds & { readonly database: Queryable },
  mailbox: Mailbox,
  folder: Folder,
  link: string | null,
): Promise<DeltaPage> {
  const askedAt = await timeOfAsking(needs.database);
  return { ...(await requestPage(needs, mailbox, folder, link)), askedAt };
}

/** The same without the time, for a caller that only wants to know whether the page is empty. */
export async function requestPage(
  needs: PageNeeds,
  mailbox: Mailbox,
  folder: Folder,
  link: string | null,
): Promise<Omit<DeltaPage, "askedAt">> {
  const first = `${userPath(mailbox)}/mailFolders/${encodeURIComponent(folder.folderId)}/messages/delta?$select=${MESSAGE_SELECT}`;
  try {
    const page = await needs.graphOf(mailbox).call<Omit<DeltaPage, "askedAt">>({
      mailbox: mailbox.address,
      path: link ?? first,
      headers: { Prefer: `odata.maxpagesize=${needs.pageSize ?? 500}` },
    });
    if (!Array.isArray(page?.value))
      throw new Fault("graph.bad-answer", "a delta page has no list of messages");
    return page;
  } catch (error) {
    // A link to a host that we do not call was tampered with, so the folder is read from the start.
    const isForeign = error instanceof Fault && error.code === "http.host-not-allowed";
    if (isForeign)
      throw new Fault("graph.sync-state-gone", "a stored delta link does not point to Graph", {
        cause: error,
      });
    throw error;
  }
}

/** Whether Graph no longer knows the link that we read from. */
export function isForgotten(error: unknown): boolean {
  return error instanceof Fault && error.code === "graph.sync-state-gone";
}
