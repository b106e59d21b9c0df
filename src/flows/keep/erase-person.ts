/**
 * Erases what we know about a person: rows first, in one transaction, then the files that nothing refers to any more. A
 * legal hold takes precedence over the erasure; the report names each thing that was kept, and why.
 */
import type { BlobStore } from "../../files/blob-store.ts";
import type { FileStore } from "../../files/file-store.ts";
import {
  addErasure,
  type ErasedFile,
  type ErasedRow,
  eraseRows,
  findText,
  findUnfinished,
  finishErasure,
} from "../../keep/erasure-table.ts";
import { findHolds } from "../../keep/legal-hold-table.ts";
import type { Clock } from "../../lib/clock.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Random } from "../../lib/random.ts";
import { findMailboxes, type Mailbox } from "../../mailbox/mailbox-table.ts";
import type { IndexCopy } from "../../search/azure/index-copy.ts";
import { deleteChunks } from "../../search/chunk-table.ts";
import { deleteIndexed, lockDocument } from "../../search/indexed-document-table.ts";
import type { Database } from "../../store/database.ts";
import type { ErasePerson, ErasureReport } from "../specs/keep.ts";

export interface EraseNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Pick<FileStore, "removeUnused">;
  readonly blobs: Pick<BlobStore, "remove">;
  /** A copy of the search index outside the database; null if there is none. */
  readonly copy: Pick<IndexCopy, "remove"> | null;
  /** The table that other programs share. */
  readonly shared: { readonly schema: string; readonly archivePathsColumn: string };
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
  const own = (await findMailboxes(database)).filter((each) => each.address === address);
  const ids = [
    ...new Set(own.flatMap(({ ownerId, graphUserId }) => [ownerId, graphUserId ?? ownerId])),
  ];
  const person = { address, ids, mailboxes: own.map(({ id }) => id) };
  if (asked.isDryRun) return toReport(address, true, await rehearse(needs, person), []);
  const isHeld = (await findHolds(database)).some(
    ({ kind, subject }) => kind === "person" && subject === address,
  );
  const retired = isHeld ? [] : own;
  for (const mailbox of retired) await needs.retire(mailbox);
  const rows = await database.transaction(async (tx) => {
    const found = [...(await eraseRows(tx, person, needs.shared)), toErasedMailboxes(retired)];
    for (const { action, item } of found) {
      if (action !== "index") continue;
      await lockDocument(tx, item!);
      await deleteChunks(tx, item!);
      await deleteIndexed(tx, item!);
    }
    const { erased, kept } = toReport(address, false, found, []);
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
  await removeErasedFiles(needs);
  return toReport(address, false, rows, await findText(database, address));
}

/** They are gone before the transaction begins, so that it cannot count them. */
const toErasedMailboxes = ({ length }: readonly Mailbox[]): ErasedRow => ({
  ...{ action: "erased", place: "mailboxes", item: null, count: length, reason: null },
});

/** Runs the same statements and rolls them back, so the report is exact. */
function rehearse(
  { database, shared }: EraseNeeds,
  person: Parameters<typeof eraseRows>[1],
): Promise<readonly ErasedRow[]> {
  return database
    .transaction(async (tx): Promise<readonly ErasedRow[]> => {
      throw new DryRun(await eraseRows(tx, person, shared));
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

/** Also those of an erasure that a crash interrupted. */
export async function removeErasedFiles(
  needs: Pick<EraseNeeds, "database" | "files" | "blobs" | "copy" | "clock">,
): Promise<void> {
  for (const { id, files } of await findUnfinished(needs.database)) {
    for (const { place, item } of files) {
      if (place === "archive") await needs.blobs.remove(item);
      else if (place === "search") await needs.copy?.remove(item);
      else await needs.files.removeUnused(item, new Date(needs.clock.now()));
    }
    await finishErasure(needs.database, id);
  }
}

function toReport(
  person: string,
  isDryRun: boolean,
  rows: readonly ErasedRow[],
  remains: ErasureReport["remains"],
): ErasureReport {
  const counted = (action: ErasedRow["action"]) =>
    rows
      .filter((row) => row.action === action && row.count > 0)
      .map(({ place, count }) => ({ place, count }));
  const files = rows.filter(({ action }) => action === "file").length;
  const indexed = rows.filter(({ action }) => action === "index").length;
  return {
    ...{ person, isDryRun, remains },
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
