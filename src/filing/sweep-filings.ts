/**
 * What was left half done is finished or forgotten, and what stands is looked at now and then: a file
 * without a record and a record without a file are both told.
 */
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Actor, Actors } from "./actors.ts";
import { contentTypeOf } from "./content-type.ts";
import type { Filing } from "./filing.ts";
import {
  findUnfinished,
  markFiling,
  markUploaded,
  removeFiling,
  takeUnchecked,
} from "./filing-table.ts";
import { type FilingNeeds, finishRecord } from "./finish-filing.ts";
import { getDocumentRow, hasRecordOf, isPassing } from "./record.ts";
import { sessionUrl } from "./upload-content.ts";

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

/** Requests that are still running are left alone. */
const LEFT_ALONE_MS = 15 * 60_000;
/** A form that makes its record itself does so within minutes. */
const RECORD_DUE_MS = 60 * 60_000;
const ABANDONED_MS = 24 * 60 * 60_000;
const CHECK_EVERY_MS = 24 * 60 * 60_000;
const A_ROUND = 200;

type Outcome = "finished" | "forgotten" | "reported" | "waits";

export async function sweepFilings(needs: SweepNeeds): Promise<Swept> {
  const before = (ms: number) => new Date(needs.clock.now() - ms);
  const counts = { finished: 0, forgotten: 0, reported: 0, waits: 0 };
  for (const filing of await findUnfinished(needs.database, before(LEFT_ALONE_MS), A_ROUND))
    counts[await guarded(needs, filing, finishOrForget)] += 1;
  for (const filing of await takeUnchecked(needs.database, before(CHECK_EVERY_MS), A_ROUND))
    counts[await guarded(needs, filing, check)] += 1;
  return { finished: counts.finished, forgotten: counts.forgotten, reported: counts.reported };
}

/** One that cannot be looked at now does not keep the others waiting. */
async function guarded(
  needs: SweepNeeds,
  filing: Filing,
  look: (needs: SweepNeeds, filing: Filing) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await look(needs, filing);
  } catch (error) {
    needs.log.warn({ filing: filing.id, err: error }, "a filing could not be swept");
    return isPassing(error) ? "waits" : "reported";
  }
}

/** Mail has a job that is tried again, and a dead letter where that does not help. */
const isOfMail = (filing: Filing) => filing.source === "email" || filing.source === "attachment";

async function finishOrForget(needs: SweepNeeds, filing: Filing): Promise<Outcome> {
  if (isOfMail(filing)) return "waits";
  const ageMs = needs.clock.now() - filing.changedAt.getTime();
  if (filing.state === "pending" && !(await isThere(needs, filing)))
    return ageMs > ABANDONED_MS ? forget(needs, filing) : "waits";
  if (!filing.wantsRecord) return ageMs > RECORD_DUE_MS ? judgeOwnRecord(needs, filing) : "waits";
  await finishRecord(needs, actorOf(needs.actors, filing), filing.id);
  return "finished";
}

/** In the name of the person who sent it, so that nobody gains a right by our finishing it. */
function actorOf(actors: Actors, { ownerId }: Filing): Actor {
  return ownerId === null ? actors.app : actors.inNameOf(ownerId);
}

/** A file whose answer was lost lies at its place; the place was free when the filing began. */
async function isThere(needs: SweepNeeds, filing: Filing): Promise<boolean> {
  const item = await needs.actors.app.drives.getItemAt(filing.driveId, filing.path);
  if (item === null || item.size !== filing.size) return false;
  if (Date.parse(item.createdDateTime) < filing.createdAt.getTime() - 60_000) return false;
  const mimeType =
    filing.mimeType ?? item.file?.mimeType ?? contentTypeOf(filing.path, Buffer.of());
  await markUploaded(needs.database, filing.id, {
    ...{ itemId: item.id, webUrl: item.webUrl, mimeType },
    sha256: null,
  });
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
    await markFiling(needs.database, filing.id, "refused", "nobody has made a record of this file");
  return isRecorded ? "finished" : "reported";
}

/** Both ways: the file may have been deleted, or its record. */
async function check(needs: SweepNeeds, filing: Filing): Promise<Outcome> {
  const { drives, dataverse } = needs.actors.app;
  if ((await drives.getItem(filing.driveId, filing.itemId!)) === null) {
    await markFiling(needs.database, filing.id, "missing", "its file is not on the drive any more");
    return "reported";
  }
  const isRecorded = filing.wantsRecord
    ? (await getDocumentRow(dataverse, filing.id)) !== null
    : await hasRecordOf(dataverse, filing.itemId!);
  if (isRecorded) return "waits";
  await markFiling(needs.database, filing.id, "refused", "its record has been deleted");
  return "reported";
}
