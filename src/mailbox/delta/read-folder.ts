/**
 * One delta round of a folder. Pages are followed to their end; each page's events and the link to
 * the next page are committed together, so a crash repeats a page and never skips one. While one page
 * is being written the next is already being read.
 *
 * A full round starts without a link: the first one, or one after Graph forgot our place. When it ends,
 * every message that we expected in the folder and did not meet is looked up by its id: it was deleted
 * or moved while nobody was watching.
 */
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { killPoint } from "../../lib/kill-points.ts";
import type { Log } from "../../lib/log.ts";
import { withLease } from "../../store/named-lease.ts";
import type { SeenBy } from "../events/event.ts";
import type { LookNeeds } from "../events/look-and-record.ts";
import {
  beginFullRound,
  type CursorMove,
  type Folder,
  getFolder,
} from "../folders/folder-table.ts";
import type { Mailbox } from "../mailbox-table.ts";
import type { Mirror } from "../mirror.ts";
import { isForgotten, type PageNeeds, readAhead, readPage } from "./read-delta-page.ts";
import { sweepFolder } from "./sweep-folder.ts";
import { writePage } from "./write-page.ts";

export interface DeltaNeeds extends LookNeeds, PageNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly mirror?: Mirror;
  readonly onReset?: () => void;
  /** Called for every page, so that a long first round does not look stuck. */
  readonly onPage?: () => void;
}

export interface RoundReport {
  readonly pages: number;
  readonly messages: number;
  readonly events: number;
  readonly resets: number;
}

const PAGES_MAX = 20_000;
const RESETS_PER_RUN = 2;
const LEASE_SECONDS = 60;

/** A folder as it was loaded, and whether Graph has already said that it forgot the link. */
export interface FolderToRead extends Folder {
  readonly isForgotten?: boolean;
}

/** Returns null if another process is reading this folder. */
export async function readFolder(
  needs: DeltaNeeds,
  mailbox: Mailbox,
  folder: FolderToRead,
  seenBy: SeenBy,
): Promise<RoundReport | null> {
  return withLease(needs, `delta:${mailbox.id}:${folder.folderId}`, LEASE_SECONDS, async () => {
    const report = { pages: 0, messages: 0, events: 0, resets: 0 };
    // The previous lease holder may have moved the link.
    let current = (await getFolder(needs.database, mailbox.id, folder.folderId)) ?? folder;
    if (folder.isForgotten && current.deltaLink === folder.deltaLink)
      current = await forgetPlace(needs, mailbox, current, report);
    for (;;) {
      try {
        const from =
          current.deltaLink === null ? await beginFullRound(needs.database, current) : current;
        await readToEnd(needs, mailbox, from, seenBy, report);
        return report;
      } catch (error) {
        if (!isForgotten(error) || report.resets >= RESETS_PER_RUN) throw error;
        current = await forgetPlace(needs, mailbox, current, report);
      }
    }
  });
}

async function forgetPlace(
  needs: DeltaNeeds,
  mailbox: Mailbox,
  folder: Folder,
  report: { resets: number },
): Promise<Folder> {
  report.resets += 1;
  needs.onReset?.();
  needs.log.info(
    { mailbox: mailbox.address, folder: folder.displayName },
    "Graph has forgotten our place; the folder is read from the start",
  );
  await needs.mirror?.cursor(mailbox.id, folder.folderId, null);
  return { ...folder, deltaLink: null };
}

async function readToEnd(
  needs: DeltaNeeds,
  mailbox: Mailbox,
  folder: Folder,
  seenBy: SeenBy,
  report: { pages: number; messages: number; events: number },
): Promise<void> {
  const linksSeen = new Set<string>();
  let link = folder.deltaLink;
  let reading = readPage(needs, mailbox, folder, link);
  for (;;) {
    const page = await reading;
    needs.onPage?.();
    await killPoint("delta.page-read");
    const next = page["@odata.nextLink"] ?? null;
    const end = page["@odata.deltaLink"] ?? null;
    const target = next ?? end;
    if (target === null || (next !== null && (linksSeen.has(next) || linksSeen.size > PAGES_MAX))) {
      throw new Fault("graph.bad-answer", "a delta round does not end", {
        facts: { mailbox: mailbox.address, folder: folder.displayName, pages: linksSeen.size },
      });
    }
    linksSeen.add(target);
    if (next !== null) reading = readAhead(readPage(needs, mailbox, folder, next));
    const move: CursorMove = { from: link, to: target, isEnd: end !== null };
    report.events += await writePage(needs, mailbox, folder, page, move, seenBy);
    report.pages += 1;
    report.messages += page.value.length;
    link = target;
    if (end !== null) break;
  }
  if (folder.isFullRound) report.events += await sweepFolder(needs, mailbox, folder, seenBy);
}
