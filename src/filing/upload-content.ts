/**
 * Uploads content so that exactly one file exists afterwards, even if responses are lost: the URL of the
 * session is stored before the first chunk, and a file found at the path counts as ours if it has our bytes.
 */
import { Fault } from "../lib/fault.ts";
import { killPoint } from "../lib/kill-points.ts";
import type { Seal } from "../lib/seal.ts";
import type { ConflictBehavior, DriveItem } from "../microsoft/graph/drive-client.ts";
import {
  CHUNK_BYTES,
  SESSION_FROM_BYTES,
  type UploadSessions,
} from "../microsoft/graph/upload-session.ts";
import type { Database } from "../store/database.ts";
import type { Actor } from "./actors.ts";
import { bytesOf, type Content, createMeasure, type Measured } from "./content.ts";
import type { Filing } from "./filing.ts";
import { storeProgress, storeSession } from "./filing-table.ts";

export interface UploadNeeds {
  readonly database: Database;
  readonly sessions: UploadSessions;
  readonly seal: Seal;
}

export interface Uploaded extends Measured {
  readonly item: DriveItem;
}

export async function uploadContent(
  needs: UploadNeeds,
  actor: Actor,
  filing: Filing,
  content: Content,
  whenTaken: ConflictBehavior,
): Promise<Uploaded> {
  const uploaded =
    content.size < SESSION_FROM_BYTES
      ? await uploadSmall(actor, filing, content, whenTaken)
      : await uploadLarge(needs, actor, filing, content, whenTaken);
  await killPoint("filing.file-complete");
  if ((hashOf(uploaded.item) ?? uploaded.quickXor) !== uploaded.quickXor) {
    // The session was begun with different bytes, so the file is a mixture of both.
    await actor.drives.remove(filing.driveId, uploaded.item.id);
    throw new Fault("drive.conflict", "the file on the drive differs from the one that was sent");
  }
  return uploaded;
}

async function uploadSmall(
  actor: Actor,
  filing: Filing,
  content: Content,
  whenTaken: ConflictBehavior,
): Promise<Uploaded> {
  const measure = createMeasure();
  const bytes = await bytesOf(content);
  measure.update(bytes);
  const measured = measure.end();
  const { driveId, path } = filing;
  try {
    const item = await actor.drives.putSmall(driveId, path, bytes, whenTaken);
    return { ...measured, item };
  } catch (error) {
    return { ...measured, item: await adopt(actor, filing, measured, error) };
  }
}

async function uploadLarge(
  needs: UploadNeeds,
  actor: Actor,
  filing: Filing,
  content: Content,
  whenTaken: ConflictBehavior,
): Promise<Uploaded> {
  const measure = createMeasure();
  let session = await resume(needs, filing);
  let nextByte = session?.nextByte ?? 0;
  let item: DriveItem | null = null;
  let conflictError: unknown = null;
  let chunkEnd = 0;
  for await (const chunk of content.chunks(CHUNK_BYTES)) {
    measure.update(chunk);
    const chunkStart = chunkEnd;
    chunkEnd += chunk.length;
    // Bytes that the session already has, or no longer takes, are only hashed.
    if (chunkEnd <= nextByte) continue;
    session ??= await openSession(needs, actor, filing, whenTaken);
    const rest = chunk.subarray(Math.max(0, nextByte - chunkStart));
    const restStart = chunkEnd - rest.length;
    try {
      const answer = await needs.sessions.put(session.url, restStart, rest, content.size);
      await killPoint("filing.chunk-sent");
      nextByte = answer.state === "more" ? answer.nextByte : content.size;
      if (answer.state === "done") item = answer.item;
      await storeProgress(needs.database, filing.id, nextByte);
      await killPoint("filing.progress-stored");
    } catch (error) {
      if (!isConflict(error)) throw error;
      conflictError = error;
      nextByte = content.size;
    }
  }
  const measured = measure.end();
  if (item !== null) return { ...measured, item };
  await storeSession(needs.database, filing.id, null);
  const reason = conflictError ?? new Fault("graph.unavailable", "the upload session has ended");
  return { ...measured, item: await adopt(actor, filing, measured, reason) };
}

interface OpenSession {
  readonly url: string;
  readonly nextByte: number;
}

/** The session of an earlier attempt, if it has not expired. */
async function resume(needs: UploadNeeds, filing: Filing): Promise<OpenSession | null> {
  const url = sessionUrl(needs, filing);
  if (url === null) return null;
  const nextByte = await needs.sessions.status(url, filing.size);
  // All bytes were sent but no file appeared: the name was already taken.
  return nextByte === null || nextByte >= filing.size ? null : { url, nextByte };
}

/** The URL of the session; null if there is none or it cannot be decrypted. */
export function sessionUrl({ seal }: Pick<UploadNeeds, "seal">, filing: Filing): string | null {
  return seal.open(filing.session ?? Buffer.alloc(0));
}

/** Opens a session and stores its URL before it is used. */
export async function openSession(
  needs: UploadNeeds,
  actor: Actor,
  filing: Filing,
  whenTaken: ConflictBehavior,
): Promise<OpenSession> {
  const { uploadUrl } = await actor.drives.createUploadSession(
    filing.driveId,
    filing.path,
    whenTaken,
  );
  await killPoint("filing.session-created");
  await storeSession(needs.database, filing.id, needs.seal.close(uploadUrl));
  await killPoint("filing.session-stored");
  return { url: uploadUrl, nextByte: 0 };
}

/** Finds the file of an attempt whose response was lost. Any other file at that path is left alone. */
async function adopt(
  actor: Actor,
  filing: Filing,
  measured: Measured,
  reason: unknown,
): Promise<DriveItem> {
  const isWorthALook = isConflict(reason) || (reason as Fault).code === "graph.unavailable";
  const item = isWorthALook ? await actor.drives.getItemAt(filing.driveId, filing.path) : null;
  // Without a hash, nothing proves that it is ours.
  if (item === null || hashOf(item) !== measured.quickXor) throw reason;
  return item;
}

const hashOf = (item: DriveItem): string | undefined => item.file?.hashes?.quickXorHash;

export function isConflict(error: unknown): boolean {
  return (error as Partial<Fault>).code === "drive.conflict";
}
