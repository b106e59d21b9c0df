/**
 * Office to document, the first half: what a person saves from Outlook or Word is put on the drive with that person's
 * own token, and a job is added that writes the records. The save is taken in the database before anything outside
 * changes, so that the same request, from any server, is done once.
 */
import { type Actor, type Actors, actorFor, type Sender } from "../../filing/actors.ts";
import { checkContainerId } from "../../filing/container.ts";
import { OfficeRefusal } from "../../filing/office/office-refusal.ts";
import { contentKeyOf, digestOf, type OfficeSave } from "../../filing/office/office-save.ts";
import {
  acceptSave,
  freeContent,
  freeKey,
  getSaveByKey,
  getSaveOfContent,
  insertSave,
  keepLock,
  type NewOfficeSave,
  type OfficeSaveRow,
  removeSave,
  retakeFailed,
  retakeSave,
} from "../../filing/office/office-save-table.ts";
import {
  type PutFilesNeeds,
  partsOf,
  putPart,
  removeParts,
  type SavedPart,
} from "../../filing/office/put-files.ts";
import { assertMayFile, loadTargetName } from "../../filing/office/target.ts";
import { getRecord, isTemporary } from "../../filing/record.ts";
import type { JobQueue } from "../../jobs/job.ts";
import { stageKey } from "../../jobs/job-keys.ts";
import { hasLiveWorker } from "../../jobs/worker-table.ts";
import { type Clock, every, systemClock } from "../../lib/clock.ts";
import { killPoint } from "../../lib/kill-points.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { type OfficeSaves, type SaveAnswer, uploadFinalization } from "../specs/office.ts";
import { getJobOfSave, hasFailed } from "./get-job-of-save.ts";
import { notePhase } from "./phases.ts";
import { createVersionReader } from "./read-versions.ts";
import { viewAnalyses } from "./view-analyses.ts";
import { viewSave } from "./view-save.ts";

export interface SaveNeeds extends PutFilesNeeds {
  readonly actors: Actors;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly queue: () => JobQueue;
  readonly defaultContainerId: string;
}

export function createOfficeSaves(needs: SaveNeeds): OfficeSaves {
  return {
    save: (sender, save, key) => saveFromOffice(needs, sender, save, key),
    getJob: (ownerId, id, after) => viewSave(needs.database, ownerId, id, after),
    findAnalyses: (caller, id) => viewAnalyses(needs, caller, id),
    getVersion: createVersionReader(needs.database),
  };
}

async function saveFromOffice(
  needs: SaveNeeds,
  sender: Sender,
  save: OfficeSave,
  key: string | null,
): Promise<SaveAnswer> {
  if (sender.token === undefined)
    throw new OfficeRefusal(
      "OFFICE_009",
      "only a signed-in person can save, with their own rights",
    );
  const actor = actorFor(needs.actors, sender);
  const targetName = await loadTargetName(actor.dataverse, save.target);
  await assertMayFile(actor.dataverse, save.target);
  if (!(await hasLiveWorker(needs.database, uploadFinalization.type)))
    throw new OfficeRefusal("OFFICE_015", "no worker runs; nothing was saved", { retryAfter: 30 });
  const digest = digestOf(save);
  const newSave: NewOfficeSave = {
    id: needs.random.uuid(),
    ownerId: sender.id,
    key: key ?? digest,
    digest,
    contentKey: contentKeyOf(save),
    facts: {
      kind: save.kind,
      target: save.target,
      targetName,
      mail: save.mail,
      ai: save.ai,
      main: save.main,
      attachments: save.attachments,
      containerId:
        save.containerId === undefined
          ? needs.defaultContainerId
          : checkContainerId(save.containerId),
    },
  };
  const taken = await take(needs, actor, newSave);
  if (taken.isDuplicate) return { jobId: taken.id, isDuplicate: true };
  await killPoint("office.save-begun");
  await putAll(needs, actor, taken.id, partsOf(taken.id, newSave.facts, save.folderPath), newSave);
  return { jobId: taken.id, isDuplicate: false };
}

/** Takes the save, or finds out who has it. */
async function take(
  needs: SaveNeeds,
  actor: Actor,
  wanted: NewOfficeSave,
): Promise<{ readonly id: string; readonly isDuplicate: boolean }> {
  const { database } = needs;
  for (;;) {
    if (await insertSave(database, wanted)) return { id: wanted.id, isDuplicate: false };
    const same = await getSaveByKey(database, wanted.ownerId, wanted.key);
    // Given up: its content was freed for somebody else before any job existed.
    const isGivenUp = same !== null && same.jobId === null && same.contentKey === null;
    if (same !== null && (same.isExpired || isGivenUp)) {
      await freeKey(database, same.id);
      continue;
    }
    if (same !== null) {
      if (same.digest !== wanted.digest)
        throw new OfficeRefusal(
          "OFFICE_VALIDATION",
          "this idempotency key was used for another save",
        );
      const job = await getJobOfSave(database, same);
      const isAgain =
        job !== null && hasFailed(job) && (await retakeFailed(database, same.id, same.jobId!));
      if (isAgain) return { id: same.id, isDuplicate: false };
      if (same.jobId !== null) return { id: same.id, isDuplicate: true };
      if (await retakeSave(database, same.id)) return { id: same.id, isDuplicate: false };
      throw busy();
    }
    const filed = await getSaveOfContent(database, wanted.contentKey);
    if (filed !== null) await giveWayTo(needs, actor, filed);
  }
}

/** Refuses what somebody has saved to the same row; returns if that was given up or deleted since. */
async function giveWayTo(needs: SaveNeeds, actor: Actor, filed: OfficeSaveRow): Promise<void> {
  const { database } = needs;
  if (filed.jobId === null) {
    // Its request died. The sweep removes its files; this request does not wait for that.
    if (filed.isLocked) throw busy();
    return freeContent(database, filed.id);
  }
  const [main] = partsOf(filed.id, filed.facts);
  const job = await getJobOfSave(database, filed);
  const isOpen = job !== null && !job.isFinished;
  const isThere = isOpen || (await getRecord(needs.actors.app.dataverse, main!.filingId)) !== null;
  if (!isThere) return freeContent(database, filed.id);
  // Only somebody who may read the document learns its id.
  const ownRecord = isOpen ? null : await getRecord(actor.dataverse, main!.filingId);
  throw new OfficeRefusal(
    "OFFICE_011",
    ownRecord === null
      ? "this is already saved there"
      : `this is already saved there as document ${main!.filingId}`,
  );
}

const busy = () =>
  new OfficeRefusal("OFFICE_IDEMPOTENCY_CONFLICT", "the same save is still in progress", {
    retryAfter: 2,
  });

const KEEP_LOCK_MS = 30_000;

/** All files are put on the drive or no file: what was uploaded before a refusal is removed again. */
async function putAll(
  needs: SaveNeeds,
  actor: Actor,
  saveId: string,
  parts: readonly SavedPart[],
  { facts, ownerId }: NewOfficeSave,
): Promise<void> {
  const startedMs = needs.clock.now();
  // As long as this process lives, no other request takes the save over.
  const stopKeeping = every(
    systemClock,
    KEEP_LOCK_MS,
    () => keepLock(needs.database, saveId),
    (error) => needs.log.warn({ saveId, err: error }, "the lock of a save was not kept"),
  );
  try {
    for (const part of parts) await putPart(needs, actor, facts.containerId, part);
  } catch (error) {
    await undo(needs, actor, saveId, parts, error);
    throw error;
  } finally {
    await stopKeeping();
  }
  await killPoint("office.files-stored");
  await needs.database.transaction(async (tx) => {
    const [jobId] = await needs.queue().add(tx, uploadFinalization, [
      {
        subjectId: saveId,
        idempotencyKey: stageKey(saveId, "upload"),
        payload: { saveId },
        ownerId,
      },
    ]);
    await acceptSave(tx, saveId, jobId!);
    await notePhase(tx, jobId!, "FileUploading", startedMs);
    await notePhase(tx, jobId!, "FileUploaded", needs.clock.now());
  });
  await killPoint("office.accepted");
}

async function undo(
  needs: SaveNeeds,
  actor: Actor,
  saveId: string,
  parts: readonly SavedPart[],
  reason: unknown,
): Promise<void> {
  try {
    await removeParts(needs, actor, parts);
    await removeSave(needs.database, saveId);
  } catch (error) {
    // The sweep removes it later; until then nobody sees it, because it has no record.
    needs.log.warn(
      { saveId, err: error, isTemporary: isTemporary(reason) },
      "a refused save was not removed",
    );
  }
}
