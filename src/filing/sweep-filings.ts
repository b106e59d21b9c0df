/**
 * Finishes or removes filings that were left unfinished, and checks finished ones from time to time: a file
 * without a record and a record without a file are both reported.
 */
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Actor, Actors } from "./actors.ts";
import { contentTypeOf } from "./content-type.ts";
import type { Filing } from "./filing.ts";
import { findUnfinished, markFiling, removeFiling, takeUnchecked } from "./filing-table.ts";
import { type FilingNeeds, finishRecord } from "./finish-filing.ts";
import { getRecord, hasRecordOf, isTemporary } from "./record.ts";
import { settleUpload } from "./settle-upload.ts";
import { isConflict, sessionUrl } from "./upload-content.ts";

export interface SweepNeeds extends FilingNeeds {
  readonly actors: Actors;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Swept {
  readonly finished: number;
  readonly forgotten: number;
  readonly reported: number;
}

/** Newer filings may belong to a request that is still running. */
const LEFT_ALONE_MS = 15 * 60_000;
/** A form that writes the record itself does so within minutes. */
const RECORD_DUE_MS = 60 * 60_000;
const ABANDONED_MS = 24 * 60 * 60_000;
const CHECK_EVERY_MS = 24 * 60 * 60_000;
const FILINGS_PER_ROUND = 200;
/** How far the drive's clock may be behind ours. */
const CLOCKS_APART_MS = 60_000;

type Outcome = "finished" | "forgotten" | "reported" | "waits";

export async function sweepFilings(needs: SweepNeeds): Promise<Swept> {
  const before = (ms: number) => new Date(needs.clock.now() - ms);
  const counts = { finished: 0, forgotten: 0, reported: 0, waits: 0 };
  for (const filing of await findUnfinished(
    needs.database,
    before(LEFT_ALONE_MS),
    FILINGS_PER_ROUND,
  ))
    counts[await guarded(needs, filing, finishOrForget)] += 1;
  for (const filing of await takeUnchecked(
    needs.database,
    before(CHECK_EVERY_MS),
    FILINGS_PER_ROUND,
  ))
    counts[await guarded(needs, filing, checkFinished)] += 1;
  return { finished: counts.finished, forgotten: counts.forgotten, reported: counts.reported };
}

/** A filing that fails does not delay the others. */
async function guarded(
  needs: SweepNeeds,
  filing: Filing,
  look: (needs: SweepNeeds, filing: Filing) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await look(needs, filing);
  } catch (error) {
    needs.log.warn({ filing: filing.id, err: error }, "a filing could not be swept");
    return isTemporary(error) ? "waits" : "reported";
  }
}

/** Their job finishes them or ends as a dead letter; saves from Office without a job have a sweep of their own. */
const HAVE_JOB: ReadonlySet<string> = new Set(["email", "attachment", "office"]);

async function finishOrForget(needs: SweepNeeds, filing: Filing): Promise<Outcome> {
  if (HAVE_JOB.has(filing.source)) return "waits";
  const ageMs = needs.clock.now() - filing.changedAt.getTime();
  if (filing.state === "pending" && !(await settleIfSent(needs, filing)))
    return ageMs > ABANDONED_MS ? forget(needs, filing) : "waits";
  if (!filing.wantsRecord) return ageMs > RECORD_DUE_MS ? judgeOwnRecord(needs, filing) : "waits";
  await finishRecord(needs, actorOf(needs.actors, filing), filing.id);
  return "finished";
}

/** On behalf of the sender, so that finishing an upload grants nobody more than their own rights. */
function actorOf(actors: Actors, { ownerId }: Filing): Actor {
  return ownerId === null ? actors.app : actors.actingFor(ownerId);
}

/**
 * Finds the file if the response to its upload was lost. A file of the same size that somebody else made is not
 * ours: its id and URL would tell the sender about a file that they may not be allowed to see.
 */
async function settleIfSent(needs: SweepNeeds, filing: Filing): Promise<boolean> {
  const item = await needs.actors.app.drives.getItemAt(filing.driveId, filing.path);
  if (item === null || item.size !== filing.size) return false;
  if (filing.ownerId !== null && item.createdBy?.user?.id !== filing.ownerId) return false;
  if (Date.parse(item.createdDateTime) < filing.createdAt.getTime() - CLOCKS_APART_MS) return false;
  const mimeType =
    filing.mimeType ?? item.file?.mimeType ?? contentTypeOf(filing.path, Buffer.of());
  const file = { itemId: item.id, webUrl: item.webUrl, mimeType, sha256: null };
  try {
    await settleUpload(needs.database, filing, file, "fail");
  } catch (error) {
    if (isConflict(error)) return false; // the file of another filing
    throw error;
  }
  return true;
}

async function forget(needs: SweepNeeds, filing: Filing): Promise<Outcome> {
  const url = sessionUrl(needs, filing);
  if (url !== null) await needs.sessions.cancel(url);
  await removeFiling(needs.database, filing.id);
  return "forgotten";
}

async function judgeOwnRecord(needs: SweepNeeds, filing: Filing): Promise<Outcome> {
  const isRecorded = await hasRecordOf(needs.actors.app.dataverse, filing.itemId!);
  if (isRecorded) await markFiling(needs.database, filing.id, "recorded");
  else
    await markFiling(
      needs.database,
      filing.id,
      "refused",
      "nobody has written a record of this file",
    );
  return isRecorded ? "finished" : "reported";
}

/** Either the file or its record may have been deleted. */
async function checkFinished(needs: SweepNeeds, filing: Filing): Promise<Outcome> {
  const { drives, dataverse } = needs.actors.app;
  if ((await drives.getItem(filing.driveId, filing.itemId!)) === null) {
    await markFiling(needs.database, filing.id, "missing", "its file was deleted from the drive");
    return "reported";
  }
  const isRecorded = filing.wantsRecord
    ? (await getRecord(dataverse, filing.id)) !== null
    : await hasRecordOf(dataverse, filing.itemId!);
  if (isRecorded) return "waits";
  await markFiling(needs.database, filing.id, "refused", "its record was deleted");
  return "reported";
}
