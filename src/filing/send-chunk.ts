/** An upload in chunks, one request from the sender per chunk. */
import { killPoint } from "../lib/kill-points.ts";
import type { Actor } from "./actors.ts";
import { contentTypeOf } from "./content-type.ts";
import type { Filing } from "./filing.ts";
import { removeFiling, storeProgress } from "./filing-table.ts";
import { type FilingNeeds, finishRecord } from "./finish-filing.ts";
import { settleUpload } from "./settle-upload.ts";
import { isConflict, openSession, sessionUrl } from "./upload-content.ts";

/** Opens a session and cancels an older one of the same upload; false if a file already has that path. */
export async function beginSession(
  needs: FilingNeeds,
  actor: Actor,
  filing: Filing,
): Promise<boolean> {
  const { driveId, path } = filing;
  const isTaken = (await actor.drives.getItemAt(driveId, path)) !== null;
  if (!isTaken) {
    try {
      const older = sessionUrl(needs, filing);
      await openSession(needs, actor, filing, "fail");
      if (older !== null) await needs.sessions.cancel(older);
      return true;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
  await removeFiling(needs.database, filing.id);
  return false;
}

export type SentChunk =
  | { readonly state: "more"; readonly nextByte: number; readonly isOutOfOrder: boolean }
  | { readonly state: "done"; readonly filing: Filing }
  | { readonly state: "gone" };

export async function sendChunk(
  needs: FilingNeeds,
  actor: Actor,
  filing: Filing,
  firstByte: number,
  bytes: Buffer,
): Promise<SentChunk> {
  // The last response was lost or the record failed, but the file is on the drive.
  if (filing.state !== "pending")
    return { state: "done", filing: await finishRecord(needs, actor, filing.id) };
  const url = sessionUrl(needs, filing);
  if (url === null) return { state: "gone" };
  const answer = await needs.sessions.put(url, firstByte, bytes, filing.size);
  await killPoint("filing.chunk-sent");
  let item = answer.state === "done" ? answer.item : null;
  if (answer.state === "gone") item = await findSentFile(actor, filing);
  if (item !== null) {
    await killPoint("filing.file-complete");
    const firstBytes = firstByte === 0 ? bytes : Buffer.alloc(0);
    const mimeType =
      filing.mimeType ?? item.file?.mimeType ?? contentTypeOf(filing.path, firstBytes);
    const file = { itemId: item.id, webUrl: item.webUrl, mimeType, sha256: null };
    await settleUpload(needs.database, filing, file, "fail");
    await killPoint("filing.item-stored");
    return { state: "done", filing: await finishRecord(needs, actor, filing.id) };
  }
  if (answer.state !== "more") return { state: "gone" };
  await storeProgress(needs.database, filing.id, answer.nextByte);
  await killPoint("filing.progress-stored");
  const isOutOfOrder = answer.nextByte !== firstByte + bytes.length;
  return { state: "more", nextByte: answer.nextByte, isOutOfOrder };
}

/** Finds the file if the response to the last chunk was lost. The path was free when the upload began. */
async function findSentFile(actor: Actor, filing: Filing) {
  const item = await actor.drives.getItemAt(filing.driveId, filing.path);
  return item !== null && item.size === filing.size ? item : null;
}

/** Where the next chunk begins; null if the session has expired. */
export async function sessionStatus(needs: FilingNeeds, filing: Filing): Promise<number | null> {
  const url = sessionUrl(needs, filing);
  return url === null ? null : needs.sessions.status(url, filing.size);
}

/** A finished upload stays. */
export async function cancelSession(needs: FilingNeeds, filing: Filing): Promise<void> {
  const url = sessionUrl(needs, filing);
  if (url !== null) await needs.sessions.cancel(url);
  await removeFiling(needs.database, filing.id);
}
