/**
 * Upload to document. A file arrives whole, or in chunks of one request each. Both ways take the same steps:
 * choose the container, reserve the place, upload the content, write the record. Each step is stored, so a
 * repeated request continues where the last one stopped; `sweep-documents.ts` finishes uploads that nobody repeats.
 */
import { type Actor, type Actors, actorFor } from "../filing/actors.ts";
import { chooseContainer } from "../filing/container.ts";
import { bytesOf, type Content, contentOfBytes } from "../filing/content.ts";
import { nameIn, otherPaths } from "../filing/drive-path.ts";
import type { Filing } from "../filing/filing.ts";
import { getFiling, removeFiling, wantRecord } from "../filing/filing-table.ts";
import { type FilingNeeds, finishFiling, finishRecord } from "../filing/finish-filing.ts";
import { uploadColumns } from "../filing/record-columns.ts";
import { reserveForUpload, type WantedFile } from "../filing/reserve-for-upload.ts";
import { beginSession, cancelSession, sendChunk, sessionStatus } from "../filing/send-chunk.ts";
import { isConflict } from "../filing/upload-content.ts";
import { Fault } from "../lib/fault.ts";
import { SESSION_FROM_BYTES } from "../microsoft/graph/upload-session.ts";
import type { FileUpload, Upload, Uploads } from "./specs-upload.ts";

export interface UploadDocumentNeeds extends FilingNeeds {
  readonly actors: Actors;
  readonly defaultContainerId: string;
}

export function createUploads(needs: UploadDocumentNeeds): Uploads {
  const as = (sender: Parameters<Uploads["begin"]>[0]) => actorFor(needs.actors, sender);
  return {
    sendFile: (sender, upload) => sendFile(needs, as(sender), upload),
    addRecord: (sender, id, parent) => addRecord(needs, as(sender), id, parent),
    begin: (sender, upload) => begin(needs, as(sender), upload),
    getBegun: (sender, id) => getBegun(needs, as(sender), id),
    sendChunk: (sender, begun, first, bytes) => sendChunk(needs, as(sender), begun, first, bytes),
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
    ...{ source: "upload", sha256: content.sha256, wantsRecord },
  });
  for (const path of whenTaken === "rename" ? otherPaths(wanted.path) : [wanted.path]) {
    const filing = await reserveForUpload(needs.database, { ...wanted, path }, whenTaken);
    if (filing === null) continue;
    try {
      const conflict = whenTaken === "replace" ? "replace" : "fail";
      return await finishFiling(needs, actor, filing, content, conflict);
    } catch (error) {
      if (!isConflict(error)) throw error;
      await removeFiling(needs.database, filing.id);
      if (whenTaken !== "rename" || !content.isRereadable) throw error;
    }
  }
  throw nameTaken();
}

/** Reads with the caller's token, so Dataverse decides whether the caller may see the parent. */
function containerFor(
  { defaultContainerId }: UploadDocumentNeeds,
  { dataverse }: Actor,
  wanted: Pick<Upload, "containerId" | "parent">,
): Promise<string> {
  return chooseContainer({ dataverse, defaultContainerId }, wanted);
}

/** A small file is held in memory, so that it can be sent again under another name. */
async function holdIfSmall(content: Content): Promise<Content> {
  if (content.isRereadable || content.size >= SESSION_FROM_BYTES) return content;
  return contentOfBytes(await bytesOf(content));
}

function wantedFile(
  actor: Actor,
  { path, size, parent }: Upload,
  driveId: string,
  more: Pick<WantedFile, "source" | "sha256" | "wantsRecord">,
): WantedFile {
  return {
    ...{ driveId, path, size, mimeType: null, isSpooled: false },
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
    ...{ source: "session", sha256: null, wantsRecord: true },
  });
  for (const path of otherPaths(wanted.path)) {
    const filing = await reserveForUpload(needs.database, { ...wanted, path }, "fail");
    // A finished upload of the same name is a different one; an unfinished upload starts again.
    if (filing === null || filing.state !== "pending") continue;
    if (await beginSession(needs, actor, filing))
      return (await getFiling(needs.database, filing.id))!;
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
