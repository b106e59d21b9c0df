/**
 * Follows the documents in Dataverse by change tracking: new and changed ones are indexed, deleted ones leave the
 * index. The first round reads all of them. The link of a round is stored with the jobs that it caused.
 */
import { RECORDS } from "../../filing/record.ts";
import { handle, type JobHandler, type JobRun } from "../../jobs/handler.ts";
import { documentIndexKey } from "../../jobs/job-keys.ts";
import { success } from "../../jobs/outcome.ts";
import { systemClock } from "../../lib/clock.ts";
import { DataverseError } from "../../microsoft/dataverse/dataverse-fault.ts";
import { forgetFeedLink, getFeedLink, storeFeedLink } from "../../search/document-feed-table.ts";
import type { VectorUpkeep } from "../../search/embed-chunks.ts";
import { findIndexed } from "../../search/indexed-document-table.ts";
import { followDocuments, indexDocument } from "../specs/search.ts";
import { forgetDocument, type IndexNeeds } from "./index-document.ts";

interface ChangedRow {
  readonly sprk_documentid?: string;
  readonly id?: string;
  readonly "@odata.etag"?: string;
  readonly "@odata.context"?: string;
  readonly reason?: string;
}

interface ChangePage {
  readonly value: readonly ChangedRow[];
  readonly "@odata.nextLink"?: string;
  readonly "@odata.deltaLink"?: string;
}

type FollowNeeds = Pick<IndexNeeds, "app" | "database" | "jobs" | "log" | "copy"> & {
  /** Null if nothing computes vectors. */
  readonly vectors: VectorUpkeep | null;
};

/** For vectors; the rest of the minute is for the changes of the next one. */
const VECTORS_MS_MAX = 30_000;

const PREFER = "odata.track-changes,odata.maxpagesize=500";

export function followDocumentsHandler(needs: FollowNeeds): JobHandler<Record<string, never>> {
  return handle(followDocuments, async (_job, run) => {
    const { changed, deleted } = await followChanges(needs, run.progress);
    const embedded = await computeVectors(needs, run);
    await needs.copy?.catchUp(run.progress);
    return success(`${changed} to index, ${deleted} removed, ${embedded} chunks got their vectors`);
  });
}

/** Of chunks that were indexed while the model was down, or before this model was set. */
async function computeVectors(
  { vectors, log }: FollowNeeds,
  run: Pick<JobRun, "signal" | "progress">,
): Promise<number> {
  if (vectors === null) return 0;
  const untilMs = systemClock.now() + VECTORS_MS_MAX;
  const isTimeUp = () => {
    run.progress();
    return systemClock.now() > untilMs;
  };
  try {
    return await vectors.catchUp(isTimeUp, run.signal);
  } catch (error) {
    run.signal.throwIfAborted();
    log.warn({ err: error }, "chunks are still without vectors");
    return 0;
  }
}

export async function followChanges(
  needs: Omit<FollowNeeds, "vectors">,
  onProgress: () => void = () => {},
): Promise<{ changed: number; deleted: number }> {
  const { database, app } = needs;
  let path = (await getFeedLink(database)) ?? `${RECORDS}?$select=sprk_documentid`;
  const total = { changed: 0, deleted: 0 };
  for (;;) {
    const page = await app.dataverse
      .call<ChangePage>({ path, headers: { prefer: PREFER } })
      .catch(async (error: unknown) => {
        // A link is good for seven days; after that the next round reads everything.
        if (error instanceof DataverseError && error.status === 400) await forgetFeedLink(database);
        throw error;
      });
    for (const row of page.value.filter(isDeletion)) {
      const id = (row.id ?? row.sprk_documentid ?? "").toLowerCase();
      if ((await forgetDocument(needs, id)) !== null) total.deleted++;
    }
    const link = page["@odata.deltaLink"];
    total.changed += await addJobs(
      needs,
      page.value.filter((row) => !isDeletion(row)),
      link,
    );
    onProgress();
    if (page["@odata.nextLink"] === undefined) return total;
    path = page["@odata.nextLink"];
  }
}

const isDeletion = (row: ChangedRow): boolean =>
  row.reason === "deleted" || (row["@odata.context"]?.includes("$deletedEntity") ?? false);

/** Jobs and the link that says they were added, in one transaction. */
async function addJobs(
  { database, jobs }: Pick<FollowNeeds, "database" | "jobs">,
  rows: readonly ChangedRow[],
  link: string | undefined,
): Promise<number> {
  const found = rows.map((row) => ({
    documentId: row.sprk_documentid!.toLowerCase(),
    version: /\d+/.exec(row["@odata.etag"] ?? "")?.[0] ?? "0",
  }));
  const known = await findIndexed(
    database,
    found.map(({ documentId }) => documentId),
  );
  const versions = new Map(known.map(({ documentId, version }) => [documentId, version]));
  const due = found.filter(({ documentId, version }) => versions.get(documentId) !== version);
  await database.transaction(async (tx) => {
    await jobs.add(
      tx,
      indexDocument,
      due.map(({ documentId, version }) => ({
        subjectId: documentId,
        idempotencyKey: documentIndexKey(documentId, version),
        payload: { documentId, version },
      })),
    );
    if (link !== undefined) await storeFeedLink(tx, link);
  });
  return due.length;
}
