/**
 * Brings content to its place on a drive so that one file is there afterwards, whatever was lost on the
 * way: the session's URL is stored before the first chunk, and a file that is found at the place counts
 * as ours when it has our bytes.
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
import type { Queryable } from "../store/database.ts";
import type { Actor } from "./actors.ts";
import { bytesOf, type Content, createMeasure, type Measured } from "./content.ts";
import type { Filing } from "./filing.ts";
import { storeProgress, storeSession } from "./filing-table.ts";

export interface UploadNeeds {
  readonly database: Queryable;
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
  conflict: ConflictBehavior,
): Promise<Uploaded> {
  const uploaded =
    content.size < SESSION_FROM_BYTES
      ? await uploadSmall(actor, filing, content, conflict)
      : await uploadLarge(needs, actor, filing, content, conflict);
  await killPoint("filing.file-complete");
  if (!isSame(uploaded.item, content.size, uploaded)) {
    // A session that was begun with other bytes: what came of it is nobody's file.
    await actor.drives.remove(filing.driveId, uploaded.item.id);
    throw new Fault("drive.conflict", "the file on the drive is not the one that was sent");
  }
  return uploaded;
}

async function uploadSmall(
  actor: Actor,
  filing: Filing,
  content: Content,
  conflict: ConflictBehavior,
): Promise<Uploaded> {
  const measure = createMeasure();
  const bytes = await bytesOf(content);
  measure.update(bytes);
  const measured = measure.end();
  const { driveId, path } = filing;
  try {
    const item = await actor.drives.putSmall(driveId, path, bytes, conflict);
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
  conflict: ConflictBehavior,
): Promise<Uploaded> {
  const measure = createMeasure();
  let session = await resume(needs, filing);
  let nextByte = session?.nextByte ?? 0;
  let item: DriveItem | null = null;
  let trouble: unknown = null;
  let at = 0;
  for await (const chunk of content.chunks(CHUNK_BYTES)) {
    measure.update(chunk);
    const first = at;
    at += chunk.length;
    // What the session already has is read for its hash alone; so is the rest once the place is taken.
    if (at <= nextByte || trouble !== null) continue;
    session ??= await openSession(needs, actor, filing, conflict);
    const rest = chunk.subarray(Math.max(0, nextByte - first));
    try {
      const answer = await needs.sessions.put(session.url, at - rest.length, rest, content.size);
      await killPoint("filing.chunk-sent");
      if (answer.state === "done") item = answer.item;
      else if (answer.state === "more") nextByte = answer.nextByte;
      else trouble = new Fault("graph.unavailable", "the upload session has ended");
    } catch (error) {
      if (!isConflict(error)) throw error;
      trouble = error;
    }
    if (item !== null || trouble !== null) continue;
    await storeProgress(needs.database, filing.id, nextByte);
    await killPoint("filing.progress-stored");
  }
  const measured = measure.end();
  if (item !== null) return { ...measured, item };
  await storeSession(needs.database, filing.id, null);
  const reason = trouble ?? new Fault("graph.unavailable", "the upload session was lost");
  return { ...measured, item: await adopt(actor, filing, measured, reason) };
}

interface OpenSession {
  readonly url: string;
  readonly nextByte: number;
}

/** The session that an earlier attempt left, if it still lives. */
async function resume(needs: UploadNeeds, filing: Filing): Promise<OpenSession | null> {
  const url = sessionUrl(needs, filing);
  if (url === null) return null;
  const nextByte = await needs.sessions.status(url, filing.size);
  // A session that has everything and made no file met a name that was taken.
  return nextByte === null || nextByte >= filing.size ? null : { url, nextByte };
}

/** Where the filing's session is, or null when it has none that we can still read. */
export function sessionUrl({ seal }: Pick<UploadNeeds, "seal">, filing: Filing): string | null {
  return filing.session === null ? null : seal.open(filing.session);
}

/** A new session of the filing, stored before it is used. */
export async function openSession(
  needs: UploadNeeds,
  actor: Actor,
  filing: Filing,
  conflict: ConflictBehavior,
): Promise<OpenSession> {
  const { uploadUrl } = await actor.drives.createUploadSession(
    filing.driveId,
    filing.path,
    conflict,
  );
  await killPoint("filing.session-created");
  await storeSession(needs.database, filing.id, needs.seal.close(uploadUrl));
  await killPoint("filing.session-stored");
  return { url: uploadUrl, nextByte: 0 };
}

/** The file of an attempt whose answer was lost; anything else at that place is not ours to touch. */
async function adopt(
  actor: Actor,
  filing: Filing,
  measured: Measured,
  reason: unknown,
): Promise<DriveItem> {
  const isWorthALook = isConflict(reason) || (reason as Fault).code === "graph.unavailable";
  const item = isWorthALook ? await actor.drives.getItemAt(filing.driveId, filing.path) : null;
  if (item !== null && isSame(item, filing.size, measured)) return item;
  throw reason;
}

export function isConflict(error: unknown): boolean {
  return error instanceof Fault && error.code === "drive.conflict";
}

/** Where Graph gives no hash the size has to do. */
function isSame(item: DriveItem, size: number, { quickXor }: Measured): boolean {
  const hash = item.file?.hashes?.quickXorHash;
  return item.size === size && (hash === undefined || hash === quickXor);
}
