import { Fault } from "../lib/fault.ts";
import type { Folder } from "./folder-table.ts";
import { userPath } from "./graph-mail.ts";
import type { Mailbox } from "./mailbox-table.ts";
import { type GraphMessage, MESSAGE_SELECT } from "./message.ts";
import { timeOfAsking } from "./message-table.ts";
import type { WalkNeeds } from "./walk-folder.ts";

export interface DeltaPage {
  /** When it was asked for. */
  readonly askedAt: Date;
  readonly value: readonly GraphMessage[];
  readonly "@odata.nextLink"?: string;
  readonly "@odata.deltaLink"?: string;
}

/** A page that fails while the one before it is written reports itself when it is waited for. */
export function readAhead<T>(page: Promise<T>): Promise<T> {
  page.catch(() => {});
  return page;
}

/** The page behind a link, or the first one of the folder, with the time at which it was asked for. */
export async function readPage(
  needs: WalkNeeds,
  mailbox: Mailbox,
  folder: Folder,
  link: string | null,
): Promise<DeltaPage> {
  const askedAt = await timeOfAsking(needs.database);
  return { ...(await requestPage(needs, mailbox, folder, link)), askedAt };
}

/** The same for somebody who only wants to know whether there is anything on it. */
export async function requestPage(
  needs: WalkNeeds,
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
    // A link that our host list refuses was tampered with: the walk begins anew.
    const isForeign = error instanceof Fault && error.code === "http.host-not-allowed";
    if (isForeign)
      throw new Fault("graph.sync-state-gone", "a stored delta link is not Graph's", {
        cause: error,
      });
    throw error;
  }
}
