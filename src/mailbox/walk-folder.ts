/**
 * One folder, caught up. Delta pages are followed to their end; each page's events and the link to
 * the next are committed together, so that a crash repeats a page and never skips one. While a page
 * is written the next is already being read.
 *
 * After a first walk, or one that Graph made us begin anew, what we thought to be in the folder and
 * did not meet is looked at by its id: it was deleted or moved while nobody was watching.
 */
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { killPoint } from "../lib/kill-points.ts";
import type { Log } from "../lib/log.ts";
import type { GraphClient } from "../microsoft/graph/graph-client.ts";
import type { Database, Queryable } from "../store/database.ts";
import { withLease } from "../store/named-lease.ts";
import type { SeenBy } from "./event.ts";
import { type Folder, getFolder } from "./folder-table.ts";
import { isGone, lookAtMessages } from "./graph-mail.ts";
import { withTwins } from "./look-at-twins.ts";
import type { Mailbox } from "./mailbox-table.ts";
import type { GraphMessage } from "./message.ts";
import { findMessages } from "./message-table.ts";
import { type DeltaPage, readAhead, readPage } from "./read-delta-page.ts";
import { type FollowUp, type Observation, recordObservations } from "./record-observations.ts";
import { sweepFolder } from "./sweep-folder.ts";

/** A copy of cursors and folder names for others to read; never read by us, and it never fails a walk. */
export interface Mirror {
  /** Null forgets it. */
  cursor(mailbox: number, folderId: string, link: string | null): Promise<void>;
  folders(mailbox: number, names: ReadonlyMap<string, string>): Promise<void>;
}

export interface WalkNeeds {
  readonly database: Database;
  readonly graphOf: (mailbox: Mailbox) => GraphClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly followUp: FollowUp;
  readonly mirror?: Mirror;
  readonly pageSize?: number;
  readonly onReset?: () => void;
}

export interface WalkReport {
  readonly pages: number;
  readonly messages: number;
  readonly events: number;
  readonly resets: number;
}

const PAGES_MAX = 20_000;
const RESETS_PER_RUN = 2;

/** A folder as it was read, and whether Graph has said of its link that it is forgotten. */
export interface FolderToWalk extends Folder {
  readonly isForgotten?: boolean;
}

/** Null when another process is walking this folder. */
export async function walkFolder(
  needs: WalkNeeds,
  mailbox: Mailbox,
  folder: FolderToWalk,
  seenBy: SeenBy,
): Promise<WalkReport | null> {
  return withLease(needs, `delta:${mailbox.id}:${folder.folderId}`, 60, async () => {
    const walk = { pages: 0, messages: 0, events: 0, resets: 0 };
    // Whoever had the lease before us may have moved on.
    let at = (await getFolder(needs.database, mailbox.id, folder.folderId)) ?? folder;
    if (folder.isForgotten && at.deltaLink === folder.deltaLink)
      at = await forgetPlace(needs, mailbox, at, walk);
    for (;;) {
      try {
        const from = at.deltaLink === null ? await beginWalk(needs, at) : at;
        await walkToEnd(needs, mailbox, from, seenBy, walk);
        return walk;
      } catch (error) {
        if (!isForgotten(error) || walk.resets >= RESETS_PER_RUN) throw error;
        at = await forgetPlace(needs, mailbox, at, walk);
      }
    }
  });
}

async function forgetPlace(
  needs: WalkNeeds,
  mailbox: Mailbox,
  folder: Folder,
  walk: { resets: number },
): Promise<Folder> {
  walk.resets += 1;
  needs.onReset?.();
  needs.log.info(
    { mailbox: mailbox.address, folder: folder.displayName },
    "Graph has forgotten our place; the folder is walked from the start",
  );
  await needs.mirror?.cursor(mailbox.id, folder.folderId, null);
  return { ...folder, deltaLink: null };
}

/** Whether Graph no longer knows the link that we read from. */
export function isForgotten(error: unknown): boolean {
  return error instanceof Fault && error.code === "graph.sync-state-gone";
}

/** A walk from the start carries a new generation. */
async function beginWalk(needs: WalkNeeds, folder: Folder): Promise<Folder> {
  const { rows } = await needs.database.query<{ generation: number }>(
    `UPDATE postroom.folder
        SET generation = generation + 1, is_walking = true, delta_link = NULL,
            resets = resets + CASE WHEN last_delta_at IS NULL THEN 0 ELSE 1 END,
            last_reset_at = CASE WHEN last_delta_at IS NULL THEN last_reset_at ELSE postroom.now() END
      WHERE mailbox = $1 AND folder_id = $2 RETURNING generation`,
    [folder.mailbox, folder.folderId],
  );
  return { ...folder, deltaLink: null, isWalking: true, generation: rows[0]!.generation };
}

async function walkToEnd(
  needs: WalkNeeds,
  mailbox: Mailbox,
  folder: Folder,
  seenBy: SeenBy,
  walk: { pages: number; messages: number; events: number },
): Promise<void> {
  const met = new Set<string>();
  let link = folder.deltaLink;
  let reading = readPage(needs, mailbox, folder, link);
  for (;;) {
    const page = await reading;
    await killPoint("delta.page-read");
    const next = page["@odata.nextLink"] ?? null;
    const end = page["@odata.deltaLink"] ?? null;
    const target = next ?? end;
    if (target === null || (next !== null && (met.has(next) || met.size > PAGES_MAX))) {
      throw new Fault("graph.bad-answer", "a delta walk does not come to an end", {
        facts: { mailbox: mailbox.address, folder: folder.displayName, pages: met.size },
      });
    }
    met.add(target);
    if (next !== null) reading = readAhead(readPage(needs, mailbox, folder, next));
    walk.events += await writePage(
      needs,
      mailbox,
      folder,
      page,
      { from: link, to: target, isEnd: end !== null },
      seenBy,
    );
    walk.pages += 1;
    walk.messages += page.value.length;
    link = target;
    if (end !== null) break;
  }
  if (folder.isWalking) walk.events += await sweepFolder(needs, mailbox, folder, seenBy);
}

async function writePage(
  needs: WalkNeeds,
  mailbox: Mailbox,
  folder: Folder,
  page: DeltaPage,
  cursor: { from: string | null; to: string; isEnd: boolean },
  seenBy: SeenBy,
): Promise<number> {
  const left = page.value
    .filter((message) => message["@removed"] !== undefined)
    .map((message) => message.id);
  const seen: Observation[] = [
    ...presentIn(page, folder.folderId),
    ...(await whereTheyWent(needs, mailbox, folder, left)),
  ];
  // Nothing can be a new id for something known while a mailbox is read for the first time.
  const isFirstWalk = folder.isWalking && folder.generation === 1;
  const observations = isFirstWalk ? seen : await withTwins(needs, mailbox, seen);
  const events = await needs.database.transaction(async (tx) => {
    await killPoint("delta.page-open");
    const recorded = await recordObservations(
      tx,
      mailbox,
      observations,
      {
        by: seenBy,
        at: page.askedAt,
        generation: folder.isWalking ? folder.generation : 0,
      },
      needs.followUp,
    );
    await moveCursor(tx, folder, cursor);
    return recorded.length;
  });
  await killPoint(cursor.isEnd ? "delta.link-committed" : "delta.page-committed");
  await needs.mirror?.cursor(mailbox.id, folder.folderId, cursor.to);
  return events;
}

/** The last word on a message counts: one page may name it several times. */
function presentIn(page: DeltaPage, folderId: string): Observation[] {
  const latest = new Map<string, GraphMessage>();
  for (const message of page.value) {
    if (message["@removed"] === undefined) latest.set(message.id, message);
    else latest.delete(message.id);
  }
  return [...latest.values()].map((message) => ({ kind: "present", message, folderId }));
}

/** Delta says "removed" both for a deletion and for a move; only the message itself knows which. */
async function whereTheyWent(
  needs: WalkNeeds,
  mailbox: Mailbox,
  folder: Folder,
  messageIds: readonly string[],
): Promise<Observation[]> {
  if (messageIds.length === 0) return [];
  const known = await findMessages(needs.database, mailbox.id, messageIds);
  const stillHere = messageIds.filter((id) => {
    const state = known.get(id);
    return state !== undefined && !state.isDeleted && state.folderId === folder.folderId;
  });
  return lookAtMessages(needs.graphOf(mailbox), mailbox, [...new Set(stillHere)]);
}

/** Only from where we read: a second walker that got in between loses its page, not ours. */
async function moveCursor(
  on: Queryable,
  folder: Folder,
  cursor: { from: string | null; to: string; isEnd: boolean },
): Promise<void> {
  const moved = await on.query(
    `UPDATE postroom.folder SET delta_link = $3, last_delta_at = CASE WHEN $5 THEN postroom.now() ELSE last_delta_at END
      WHERE mailbox = $1 AND folder_id = $2 AND delta_link IS NOT DISTINCT FROM $4`,
    [folder.mailbox, folder.folderId, cursor.to, cursor.from, cursor.isEnd],
  );
  if (moved.rowCount === 0)
    throw new Fault("job.lease-lost", "another walk of this folder has moved on");
}

/** A folder that Graph no longer has. */
export function isFolderGone(error: unknown): boolean {
  return isGone(error);
}
