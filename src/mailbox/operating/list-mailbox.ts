/**
 * Lists every message of every watched folder, page by page. An audit that runs as a job keeps the pages, so that it
 * continues with the next one after a restart.
 */
import { Fault } from "../../lib/fault.ts";
import type { GraphClient } from "../../microsoft/graph/graph-client.ts";
import type { Database } from "../../store/database.ts";
import { findFolders } from "../folders/folder-table.ts";
import type { Mailbox } from "../mailbox-table.ts";
import { type GraphMessage, toMessageState } from "../messages/message.ts";
import { userPath } from "../user-path.ts";
import {
  type AuditPage,
  findAuditPages,
  keepAuditPage,
  type ListedMessage,
  removeAuditPagesOf,
} from "./audit-page-table.ts";

export interface ListNeeds {
  readonly database: Database;
  readonly graphOf: (mailbox: Mailbox) => GraphClient;
}

export interface ListOptions {
  readonly since: Date | null;
  /** The job whose pages are kept; if absent, no page is kept. */
  readonly jobId?: string;
  readonly onProgress?: (messages: number) => void;
}

const SELECT =
  "id,subject,parentFolderId,isRead,isDraft,flag,categories,changeKey,lastModifiedDateTime,receivedDateTime";
const PAGE_SIZE = 1_000;

export async function listMailbox(
  needs: ListNeeds,
  mailbox: Mailbox,
  options: ListOptions,
): Promise<Map<string, ListedMessage>> {
  const { jobId, onProgress } = options;
  const present = new Map<string, ListedMessage>();
  const take = (page: AuditPage) => {
    for (const message of page.messages) present.set(message.messageId, message);
    onProgress?.(present.size);
  };
  const kept = jobId === undefined ? [] : await findAuditPages(needs.database, jobId);
  kept.forEach(take);
  for (const { folderId, isExcluded } of await findFolders(needs.database, mailbox.id)) {
    if (isExcluded) continue;
    const last = kept.findLast((page) => page.folderId === folderId);
    if (last?.next === null) continue;
    for await (const page of listFolder(needs, mailbox, { ...options, folderId, next: last?.next }))
      take(page);
  }
  return present;
}

interface FolderOptions extends ListOptions {
  readonly folderId: string;
  /** Where an earlier run stopped. */
  readonly next: string | undefined;
}

async function* listFolder(
  needs: ListNeeds,
  mailbox: Mailbox,
  options: FolderOptions,
): AsyncGenerator<AuditPage> {
  const { folderId, jobId } = options;
  const folder = `${userPath(mailbox)}/mailFolders/${encodeURIComponent(folderId)}`;
  const begin = `${folder}/messages?$select=${SELECT}&$top=${PAGE_SIZE}`;
  let path: string | null = options.next ?? begin;
  while (path !== null) {
    const page: AuditPage | null = await readPage(needs, mailbox, options, path);
    if (page === null) {
      // Graph has forgotten where we were. What we have listed of this folder is listed again.
      await removeAuditPagesOf(needs.database, jobId!, folderId);
      path = begin;
      continue;
    }
    if (jobId !== undefined) await keepAuditPage(needs.database, jobId, page);
    yield page;
    path = page.next;
  }
}

/** Null if Graph no longer takes the link of an earlier run. */
async function readPage(
  { graphOf }: ListNeeds,
  mailbox: Mailbox,
  { since, folderId, next }: FolderOptions,
  path: string,
): Promise<AuditPage | null> {
  try {
    const page = await graphOf(mailbox).call<{
      value: GraphMessage[];
      "@odata.nextLink"?: string;
    }>({ mailbox: mailbox.address, path });
    const messages = page.value.flatMap((message) => toListed(message, folderId, since));
    return { folderId, next: page["@odata.nextLink"] ?? null, messages };
  } catch (error) {
    const isOldLink = path === next && error instanceof Fault && error.remedy === "give-up";
    if (!isOldLink) throw error;
    return null;
  }
}

function toListed(message: GraphMessage, folder: string, since: Date | null): ListedMessage[] {
  const state = toMessageState(message, null, folder, new Date(0));
  if (since !== null && (state.receivedAt ?? since) < since) return [];
  const { messageId, folderId, isRead, flag, categories, subject } = state;
  return [{ messageId, folderId, isRead, flag, categories, subject }];
}
