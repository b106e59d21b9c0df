/** The rows in Dataverse that describe what was saved from Office, and the links between them. */
import { uuidFor } from "../../lib/hash.ts";
import { bindParent } from "../container.ts";
import type { SavedFile, SavedMail, Target } from "./office-save.ts";

// Values of choice columns in Dataverse.
const OFFICE_ADD_IN = 659490001;
const EMAIL = 100000006;
const EMAIL_ATTACHMENT = 100000007;
const RELATION_ATTACHMENT = 100000000;
const RECEIVED = 100000000;

export const EMAIL_ARTIFACTS = "sprk_emailartifacts";
export const ATTACHMENT_ARTIFACTS = "sprk_attachmentartifacts";

export const emailArtifactId = (saveId: string): string => uuidFor("email artifact", saveId);
export const attachmentArtifactId = (filingId: string): string =>
  uuidFor("attachment artifact", filingId);

const cut = (text: string | null, max: number): string | null => text?.slice(0, max) ?? null;
/** Dataverse keeps whole seconds. */
const toSecond = (time: string | null): string | null =>
  time === null ? null : `${new Date(time).toISOString().slice(0, 19)}Z`;
const toDocument = (id: string) => ({ "sprk_Document@odata.bind": `/sprk_documents(${id})` });

export function documentColumns(target: Target): Record<string, unknown> {
  return { sprk_sourcetype: OFFICE_ADD_IN, ...bindParent(target) };
}

export function mailDocumentColumns(target: Target, mail: SavedMail): Record<string, unknown> {
  return {
    ...documentColumns(target),
    sprk_documentname: cut(mail.subject, 850) ?? "(No Subject)",
    sprk_documenttype: EMAIL,
    sprk_isemailarchive: true,
    sprk_emailsubject: cut(mail.subject, 1_000),
    sprk_emailfrom: cut(mail.from, 1_000),
    sprk_emailto: cut(mail.to.join("; "), 10_000),
    sprk_emailcc: cut(mail.cc.join("; "), 10_000),
    sprk_emaildate: toSecond(mail.sentDate ?? mail.receivedDate),
    sprk_emailmessageid: cut(mail.internetMessageId, 1_000),
    sprk_emaildirection: RECEIVED,
  };
}

/** `mailDocument` is the document of the mail, if that was saved too. */
export function attachmentDocumentColumns(
  target: Target,
  mailDocument: { readonly id: string; readonly name: string } | null,
): Record<string, unknown> {
  return {
    ...documentColumns(target),
    sprk_documenttype: EMAIL_ATTACHMENT,
    ...(mailDocument === null
      ? {}
      : {
          sprk_relationshiptype: RELATION_ATTACHMENT,
          sprk_parentfilename: mailDocument.name,
          "sprk_ParentDocument@odata.bind": `/sprk_documents(${mailDocument.id})`,
        }),
  };
}

export function emailArtifact(
  mail: SavedMail,
  hasAttachments: boolean,
  documentId: string | null,
): Record<string, unknown> {
  return {
    sprk_name: cut(mail.subject, 850) ?? "(No Subject)",
    sprk_subject: cut(mail.subject, 1_000),
    sprk_sender: cut(mail.from, 1_000),
    sprk_recipients: cut([...mail.to, ...mail.cc].join("; "), 10_000),
    sprk_sentdate: toSecond(mail.sentDate),
    sprk_receiveddate: toSecond(mail.receivedDate),
    sprk_messageid: cut(mail.internetMessageId, 1_000),
    sprk_conversationid: cut(mail.conversationId, 1_000),
    sprk_hasattachments: hasAttachments,
    ...(documentId === null ? {} : toDocument(documentId)),
  };
}

export function attachmentArtifact(
  file: SavedFile,
  documentId: string,
  mailArtifactId: string | null,
): Record<string, unknown> {
  return {
    sprk_name: cut(file.name, 850),
    sprk_originalfilename: cut(file.name, 1_000),
    sprk_contenttype: cut(file.mimeType, 255),
    sprk_size: file.size,
    sprk_contentid: cut(file.contentId ?? null, 1_000),
    sprk_isinline: file.isInline ?? false,
    ...toDocument(documentId),
    ...(mailArtifactId === null
      ? {}
      : { "sprk_EmailArtifact@odata.bind": `/${EMAIL_ARTIFACTS}(${mailArtifactId})` }),
  };
}
