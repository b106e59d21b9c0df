/**
 * A file that another program has put into our container, and announced on the queue, becomes a filing of ours. A message
 * proves nothing about people, so all of this is done as the app, and only inside the configured container.
 */
import type { Actor, Actors } from "../../filing/actors.ts";
import { PARENTS } from "../../filing/container.ts";
import { contentOfBytes } from "../../filing/content.ts";
import { getFiling, getFilingOfItem, insertFiling } from "../../filing/filing-table.ts";
import { finishFiling } from "../../filing/finish-filing.ts";
import { OfficeRefusal } from "../../filing/office/office-refusal.ts";
import { FILE_BYTES_MAX, isBlockedName, isProgram } from "../../filing/office/office-save.ts";
import type { OfficeSaveRow, SaveFacts } from "../../filing/office/office-save-table.ts";
import { partsOf, type SavedPart } from "../../filing/office/put-files.ts";
import { findRecordOfItem } from "../../filing/record.ts";
import type { UploadNeeds } from "../../filing/upload-content.ts";
import { Fault } from "../../lib/fault.ts";
import { uuidFor } from "../../lib/hash.ts";
import type { MessagePayload } from "../specs/office.ts";

export interface TakeFileNeeds extends UploadNeeds {
  readonly actors: Actors;
  readonly defaultContainerId: string;
}

/** What is needed to write the records of a save. */
export type SaveToFinish = Pick<OfficeSaveRow, "id" | "key" | "facts">;

const badRequest = (detail: string) => new Fault("request.bad", detail);

/** Never the id of a person's save, whatever the message calls itself: their files and rows are out of its reach. */
const saveIdOf = (jobId: string): string => uuidFor("office message", jobId);

/** Copies the file to its place; a repeated message finds it there. */
export async function takeFile(
  needs: TakeFileNeeds,
  jobId: string,
  payload: MessagePayload,
): Promise<{ save: SaveToFinish; actor: Actor }> {
  const actor = needs.actors.app;
  const { defaultContainerId: driveId } = needs;
  if ((payload.containerId ?? driveId) !== driveId)
    throw badRequest("the message names a container that is not ours");
  const facts = factsOf(payload, driveId);
  await assertTarget(actor, facts);
  const id = saveIdOf(jobId);
  const part = partOf(id, facts, payload.folderPath ?? undefined);
  const known = await getFiling(needs.database, part.filingId);
  const save = (size: number): SaveToFinish => ({
    id,
    key: jobId,
    facts: { ...facts, main: { ...facts.main, size } },
  });
  if (known !== null && known.state !== "pending") return { save: save(known.size), actor };
  await assertNotFiled(needs, payload.tempFileLocation, part.filingId);
  const bytes = await actor.readFile(driveId, payload.tempFileLocation, FILE_BYTES_MAX);
  if (bytes === null) throw badRequest("the container has no such file of at most 25 MB");
  if (isProgram(bytes) || isBlockedName(payload.fileName))
    throw badRequest("this type of file is blocked");
  const { key, filingId, path, columns } = part;
  const content = contentOfBytes(bytes);
  const filing =
    known ??
    (await insertFiling(needs.database, {
      id: filingId,
      key,
      driveId,
      path,
      columns,
      source: "office",
      ownerId: null,
      name: payload.fileName,
      size: bytes.length,
      mimeType: null,
      sha256: content.sha256,
      isSpooled: false,
      wantsRecord: false,
      mailKey: null,
      review: null,
    }));
  await finishFiling(needs, actor, filing!, content, "fail");
  return { save: save(bytes.length), actor };
}

/** The announced file is only a copy once the records are written. */
export async function removeTaken(needs: TakeFileNeeds, payload: MessagePayload): Promise<void> {
  await needs.actors.app.drives.remove(needs.defaultContainerId, payload.tempFileLocation);
}

function partOf(id: string, facts: SaveFacts, folderPath: string | undefined): SavedPart {
  try {
    return partsOf(id, facts, folderPath)[0]!;
  } catch (error) {
    throw error instanceof OfficeRefusal ? badRequest(error.message) : error;
  }
}

/** The announced file is removed after it was taken, so it must not be a document that somebody filed. */
async function assertNotFiled(
  { database, actors, defaultContainerId: driveId }: TakeFileNeeds,
  itemId: string,
  filingId: string,
): Promise<void> {
  const isDocument =
    (await getFilingOfItem(database, driveId, itemId, filingId)) !== null ||
    (await findRecordOfItem(actors.app.dataverse, driveId, itemId)) !== null;
  if (isDocument) throw badRequest("the file is a document already");
}

async function assertTarget({ dataverse }: Actor, { target }: SaveFacts): Promise<void> {
  const path = `${PARENTS[target.table].set}(${target.id})?$select=${target.table}id`;
  if ((await dataverse.get(path)) === null)
    throw badRequest(`there is no ${target.table} ${target.id}`);
}

function factsOf(payload: MessagePayload, containerId: string): SaveFacts {
  const { emailMetadata: mail } = payload;
  const ai = { profileSummary: true, ragIndex: true, deepAnalysis: false };
  return {
    kind: payload.contentType,
    target: { table: payload.associationType, id: payload.associationId.toLowerCase() },
    targetName: "",
    containerId,
    // The file itself says how large it is.
    main: { name: payload.fileName, mimeType: null, size: 0, sha256: "" },
    attachments: [],
    mail:
      mail === null || mail === undefined
        ? null
        : {
            subject: mail.subject ?? null,
            from: mail.senderEmail ?? null,
            to: (mail.recipients ?? []).map(({ email }) => email),
            cc: [],
            sentDate: mail.sentDate ?? null,
            receivedDate: mail.receivedDate ?? null,
            internetMessageId: mail.internetMessageId ?? null,
            conversationId: mail.conversationId ?? null,
          },
    ai: payload.triggerAiProcessing === false ? null : (payload.aiOptions ?? ai),
  };
}
