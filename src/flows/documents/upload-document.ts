/**
 * Upload to document. A file arrives whole, or in chunks of one request each. Both ways take the same steps:
 * choose the container, reserve the place, upload the content, write the record. Each step is stored, so a
 * repeated request continues where the last one stopped; `sweep-documents.ts` finishes uploads that nobody repeats.
 */
import { type Actor, type Actors, actorFor } from "../../filing/actors.ts";
import { chooseContainer } from "../../filing/container.ts";
import { bytesOf, type Content, contentOfBytes } from "../../filing/content.ts";
import { nameIn, otherPaths } from "../../filing/drive-path.ts";
import type { Filing } from "../../filing/filing.ts";
import { findFilingsAt, getFiling, removeFiling, wantRecord } from "../../filing/filing-table.ts";
import { type FilingNeeds, finishFiling, finishRecord } from "../../filing/finish-filing.ts";
import { isTemporary } from "../../filing/record.ts";
import { uploadColumns } from "../../filing/record-columns.ts";
import {
  type Reserved,
  reserveForUpload,
  type WantedFile,
} from "../../filing/reserve-for-upload.ts";
import { beginSession, cancelSession, sendChunk, sessionStatus } from "../../filing/send-chunk.ts";
import { isConflict } from "../../filing/upload-content.ts";
import { Fault } from "../../lib/fault.ts";
import type { Random } from "../../lib/random.ts";
import { SESSION_FROM_BYTES } from "../../microsoft/graph/upload-session.ts";
import type { FileUpload, Place, Upload, Uploads } from "../specs/uploads.ts";

export interface UploadDocumentNeeds extends FilingNeeds {
  readonly actors: Actors;
  readonly random: Random;
  readonly defaultContainerId: string;
}

export function createUploads(needs: UploadDocumentNeeds): Uploads {
  const actingAs = (sender: Parameters<Uploads["begin"]>[0]) => actorFor(needs.actors, sender);
  return {
    sendFile: (sender, upload) => sendFile(needs, actingAs(sender), upload),
    checkPlace: (sender, wanted, whenTaken) =>
      checkPlace(needs, actingAs(sender), wanted, whenTaken),
    addRecord: (sender, id, parent) => addRecord(needs, actingAs(sender), id, parent),
    begin: (sender, upload) => begin(needs, actingAs(sender), upload),
    getBegun: (sender, id) => getBegun(needs, actingAs(sender), id),
    sendChunk: (sender, begun, first, bytes) =>
      sendChunk(needs, actingAs(sender), begun, first, bytes),
    getNextByte: (begun) => sessionStatus(needs, begun),
    cancel: (begun) => cancelSession(needs, begun),
  };
}

async function sendFile(
  needs: UploadDocumentNeeds,
  actor: Actor,
  upload: FileUpload,
): Promise<Filing> {
  const { whenTaken, wantsRecord } = upload;
  const driveId = await containerFor(needs, actor, upload);
  const content = await holdIfSmall(upload.content);
  const wanted = wantedFile(actor, upload, driveId, {
    source: "upload",
    sha256: content.sha256,
    wantsRecord,
  });
  for (const path of whenTaken === "rename" ? otherPaths(wanted.path) : [wanted.path]) {
    if (await isKnownTaken(needs, actor, { ...upload, content, path, driveId })) continue;
    const reserved = await reserveForUpload(needs, { ...wanted, path }, whenTaken);
    if (reserved === null) continue;
    try {
      const whenTakenOnDrive = whenTaken === "replace" ? "replace" : "fail";
      return await finishFiling(needs, actor, reserved.filing, content, whenTakenOnDrive);
    } catch (error) {
      await release(needs, reserved, error);
      if (!isConflict(error)) throw hideContainer(error);
      if (!content.isRereadable) throw error;
    }
  }
  throw nameTaken();
}

/**
 * Whether this place is already taken, for the two cases in which the drive would report it too late: a
 * stream cannot be sent twice, and an upload never replaces the file of a message. The drive is asked with the
 * sender's token, so that a stranger is refused and learns nothing.
 */
async function isKnownTaken(
  { database }: UploadDocumentNeeds,
  { drives }: Actor,
  { path, driveId, content, whenTaken }: FileUpload & { readonly driveId: string },
): Promise<boolean> {
  const isOnce = whenTaken === "rename" && !content.isRereadable;
  const there = await findFilingsAt(database, driveId, path);
  const isOfMail = there.some(({ source }) => MAIL.has(source));
  if (!isOnce && !isOfMail) return false;
  const item = await drives.getItemAt(driveId, path).catch(rethrowHidden);
  return item !== null;
}

const MAIL: ReadonlySet<string> = new Set(["email", "attachment"]);

/** A refused upload leaves nothing behind; an interrupted one can be continued. */
async function release(
  { database }: UploadDocumentNeeds,
  { filing, isNew }: Reserved,
  error: unknown,
): Promise<void> {
  const isRefused = isNew && error instanceof Fault && !isTemporary(error);
  if (isRefused || isConflict(error)) await removeFiling(database, filing.id);
}

/** A container that the sender may not use looks identical to one that does not exist. */
function hideContainer(error: unknown): unknown {
  const { code } = error as Partial<Fault>;
  if (code !== "graph.denied" && code !== "graph.not-found") return error;
  return new Fault("graph.denied", "there is no such container, or you may not write there", {
    cause: error,
  });
}

function rethrowHidden(error: unknown): never {
  throw hideContainer(error);
}

/** Reads with the caller's token, so Dataverse decides whether the caller may see the parent. */
function containerFor(
  { defaultContainerId }: UploadDocumentNeeds,
  { dataverse }: Actor,
  wanted: Pick<Upload, "containerId" | "parent">,
): Promise<string> {
  return chooseContainer({ dataverse, defaultContainerId }, wanted);
}

async function checkPlace(
  needs: UploadDocumentNeeds,
  actor: Actor,
  wanted: Omit<Upload, "size">,
  whenTaken: FileUpload["whenTaken"],
): Promise<Place> {
  const containerId = await containerFor(needs, actor, wanted);
  await actor.drives.probe(containerId).catch(rethrowHidden);
  const paths = whenTaken === "rename" ? otherPaths(wanted.path) : [wanted.path];
  for (const path of paths) {
    const item = await actor.drives.getItemAt(containerId, path).catch(rethrowHidden);
    if (item === null || whenTaken === "replace") return { containerId, path };
  }
  throw nameTaken();
}

/** A small file is held in memory, so that it can be sent again under another name. */
async function holdIfSmall(content: Content): Promise<Content> {
  if (content.size >= SESSION_FROM_BYTES) return content;
  return contentOfBytes(await bytesOf(content));
}

function wantedFile(
  actor: Actor,
  { path, size, parent }: Upload,
  driveId: string,
  more: Pick<WantedFile, "source" | "sha256" | "wantsRecord">,
): WantedFile {
  return {
    driveId,
    path,
    size,
    mimeType: null,
    isSpooled: false,
    ownerId: actor.id,
    name: nameIn(path),
    columns: uploadColumns(parent),
    ...more,
  };
}

/** For forms that send their files first and create the parent afterwards; the file stays where it is. */
async function addRecord(
  needs: UploadDocumentNeeds,
  actor: Actor,
  id: string,
  parent: Upload["parent"],
): Promise<Filing | null> {
  const filing = await getFiling(needs.database, id);
  if (filing === null || filing.ownerId !== actor.id || filing.itemId === null) return null;
  if (filing.state === "recorded") return filing;
  // Refuses a parent that the caller cannot see, before anything is written.
  await containerFor(needs, actor, { parent, containerId: filing.driveId });
  await wantRecord(needs.database, filing.id, uploadColumns(parent));
  return finishRecord(needs, actor, filing.id);
}

async function begin(needs: UploadDocumentNeeds, actor: Actor, upload: Upload): Promise<Filing> {
  const driveId = await containerFor(needs, actor, upload);
  const wanted = wantedFile(actor, upload, driveId, {
    source: "session",
    sha256: null,
    wantsRecord: true,
  });
  for (const path of otherPaths(wanted.path)) {
    const reserved = await reserveForUpload(needs, { ...wanted, path }, "fail");
    // A finished upload of the same name is a different one; an unfinished upload starts again.
    if (reserved === null || reserved.filing.state !== "pending") continue;
    try {
      if (await beginSession(needs, actor, reserved.filing))
        return (await getFiling(needs.database, reserved.filing.id))!;
    } catch (error) {
      await release(needs, reserved, error);
      throw hideContainer(error);
    }
  }
  throw nameTaken();
}

/** Somebody else's upload looks identical to one that does not exist. */
async function getBegun(
  { database }: UploadDocumentNeeds,
  actor: Actor,
  id: string,
): Promise<Filing | null> {
  const filing = await getFiling(database, id);
  return filing?.source === "session" && filing.ownerId === actor.id ? filing : null;
}

const nameTaken = () => new Fault("drive.conflict", "a file with that name already exists");
