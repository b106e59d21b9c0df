/**
 * Erases what we know about a person: rows first, in one transaction, then the files that nothing refers to any more. A
 * legal hold takes precedence over the erasure; the report names each thing that was kept, and why.
 */
import type { BlobStore } from "../../files/blob-store.ts";
import type { FileStore } from "../../files/file-store.ts";
import { type ErasedRow, toErased } from "../../keep/erasing/erased-row.ts";
import type { ErasedPerson } from "../../keep/erasing/scope.ts";
import {
  addErasure,
  type ErasedFile,
  findText,
  findUnfinished,
  finishErasure,
  isArchivedAgain,
} from "../../keep/erasure-table.ts";
import { findHolds } from "../../keep/legal-hold-table.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { findMailboxes, type Mailbox } from "../../mailbox/mailbox-table.ts";
import type { IndexCopy } from "../../search/azure/index-copy.ts";
import { deleteChunks } from "../../search/chunk-table.ts";
import { deleteIndexed, lockDocument } from "../../search/indexed-document-table.ts";
import type { Database } from "../../store/database.ts";
import type { ErasePerson, ErasureReport } from "../specs/keep.ts";
import { type EraseRowsNeeds, eraseRows } from "./erase-rows.ts";

export interface EraseNeeds extends EraseRowsNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly files: Pick<FileStore, "removeUnused">;
  readonly blobs: Pick<BlobStore, "remove">;
  /** A copy of the search index outside the database; null if there is none. */
  readonly copy: Pick<IndexCopy, "remove"> | null;
  /** Ends the subscriptions of a mailbox and forgets it; otherwise it would be read again. */
  retire(mailbox: Mailbox): Promise<unknown>;
}

class DryRun extends Error {
  readonly rows: readonly ErasedRow[];
  constructor(rows: readonly ErasedRow[]) {
    super("nothing was erased");
    this.rows = rows;
  }
}

export async function erasePerson(
  needs: EraseNeeds,
  asked: Parameters<ErasePerson>[0],
): Promise<ErasureReport> {
  const { database } = needs;
  const address = asked.address.trim().toLowerCase();
  const ownMailboxes = (await findMailboxes(database)).filter((each) => each.address === address);
  const ids = [
    ...new Set(
      ownMailboxes.flatMap(({ ownerId, graphUserId }) => [ownerId, graphUserId ?? ownerId]),
    ),
  ];
  const person = { address, ids, mailboxes: ownMailboxes.map(({ id }) => id) };
  if (asked.isDryRun) {
    const rows = await rehearse(needs, person);
    return toReport(rows, { person: address, isDryRun: true, remains: [] });
  }
  const isHeld = (await findHolds(database)).some(
    ({ kind, subject }) => kind === "person" && subject === address,
  );
  const retired = isHeld ? [] : ownMailboxes;
  for (const mailbox of retired) await needs.retire(mailbox);
  const rows = await database.transaction(async (tx) => {
    // The mailboxes are gone before the transaction begins, so it cannot count them.
    const found = [...(await eraseRows(tx, person, needs)), toErased("mailboxes", retired.length)];
    for (const { action, item } of found) {
      if (action !== "index") continue;
      await lockDocument(tx, item!);
      await deleteChunks(tx, item!);
      await deleteIndexed(tx, item!);
    }
    const { erased, kept } = toReport(found, { person: address, isDryRun: false, remains: [] });
    await addErasure(tx, {
      id: needs.random.uuid(),
      personHash: sha256Hex(`erased:${address}`),
      askedBy: asked.by,
      counts: Object.fromEntries(erased.map(({ place, count }) => [place, count])),
      kept: kept.length,
      files: found.flatMap(toErasedFile),
    });
    return found;
  });
  const left = await removeErasedFiles(needs);
  const remains = await findText(database, address);
  return toReport([...rows, ...left], { person: address, isDryRun: false, remains });
}

/** Runs the same statements and rolls them back, so the report is exact. */
function rehearse(needs: EraseNeeds, person: ErasedPerson): Promise<readonly ErasedRow[]> {
  return needs.database
    .transaction(async (tx): Promise<readonly ErasedRow[]> => {
      throw new DryRun(await eraseRows(tx, person, needs));
    })
    .catch((error: unknown) => {
      if (error instanceof DryRun) return error.rows;
      throw error;
    });
}

/** What has to be removed outside the database. */
function toErasedFile({ action, place, item }: ErasedRow): ErasedFile[] {
  const isOutside = action === "file" || action === "index";
  return isOutside ? [{ place: place as ErasedFile["place"], item: item! }] : [];
}

/** Also those of an erasure that a crash interrupted. Returns what could not be removed now. */
export async function removeErasedFiles(needs: RemoveNeeds): Promise<ErasedRow[]> {
  const left: ErasedRow[] = [];
  for (const { id, files } of await findUnfinished(needs.database)) {
    const failed: ErasedRow[] = [];
    for (const file of files) {
      const why = await removeFile(needs, file);
      if (why === null) continue;
      needs.log.warn(
        { place: file.place, why },
        "an erased file is left and will be removed later",
      );
      failed.push(toLeft(file, why));
    }
    left.push(...failed);
    const spooled = files.filter(({ place }) => place === "spool").map(({ item }) => item);
    if (failed.length === 0) await finishErasure(needs.database, id, spooled);
  }
  return left;
}

export type RemoveNeeds = Pick<
  EraseNeeds,
  "database" | "files" | "blobs" | "copy" | "clock" | "log"
>;

/** Returns why it could not be removed; null if it is gone. */
async function removeFile(needs: RemoveNeeds, { place, item }: ErasedFile): Promise<string | null> {
  try {
    if (place === "search") await needs.copy?.remove(item);
    else if (place === "spool") await needs.files.removeUnused(item, new Date(needs.clock.now()));
    else if (!(await isArchivedAgain(needs.database, item))) await needs.blobs.remove(item);
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

const toLeft = ({ place, item }: ErasedFile, why: string): ErasedRow => ({
  action: "kept",
  place: `file in ${place}`,
  item,
  count: 1,
  reason: `could not be removed, and Postroom tries again: ${why}`,
});

function toReport(
  rows: readonly ErasedRow[],
  { person, isDryRun, remains }: Pick<ErasureReport, "person" | "isDryRun" | "remains">,
): ErasureReport {
  const counted = (action: ErasedRow["action"]) =>
    rows
      .filter((row) => row.action === action && row.count > 0)
      .map(({ place, count }) => ({ place, count }));
  const files = rows.filter(({ action }) => action === "file").length;
  const indexed = rows.filter(({ action }) => action === "index").length;
  return {
    person,
    isDryRun,
    remains,
    erased: [
      ...counted("erased"),
      ...(files > 0 ? [{ place: "files", count: files }] : []),
      ...(indexed > 0 ? [{ place: "documents in the index", count: indexed }] : []),
    ],
    redacted: counted("redacted"),
    kept: rows
      .filter(({ action }) => action === "kept")
      .map(({ place, item, reason }) => ({ place, item: item!, reason: reason! })),
  };
}
