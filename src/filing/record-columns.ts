/** Columns of a record beyond those of its file: where the file came from, and its parent. */
import { bindParent, type Parent } from "./container.ts";
import type { FiledMail } from "./filed-mail.ts";
import type { Filing } from "./filing.ts";

const USER_UPLOAD = 659490000;
const EMAIL = 100000006;
const EMAIL_ATTACHMENT = 100000007;
const OF_ARCHIVE = 659490003;
const OF_ATTACHMENT = 659490004;
const RELATION_ATTACHMENT = 100000000;
const RECEIVED = 100000000;
const SENT = 100000001;

const BODY_MAX = 10_000;

const cut = (text: string | null, max: number): string | null => text?.slice(0, max) ?? null;

export function uploadColumns(parent: Parent | null): Record<string, unknown> {
  return { sprk_sourcetype: USER_UPLOAD, ...(parent === null ? {} : bindParent(parent)) };
}

export function mailColumns(mail: FiledMail): Record<string, unknown> {
  return {
    sprk_documentname: cut(mail.subject, 850) ?? "(No Subject)",
    sprk_documenttype: EMAIL,
    sprk_sourcetype: OF_ARCHIVE,
    sprk_isemailarchive: true,
    sprk_emailsubject: cut(mail.subject, 1_000),
    sprk_emailfrom: cut(mail.from, 1_000),
    sprk_emailto: cut(mail.to.join("; "), BODY_MAX),
    sprk_emailcc: cut(mail.cc.join("; "), BODY_MAX),
    sprk_emaildate: `${mail.date.toISOString().slice(0, 19)}Z`,
    sprk_emailmessageid: cut(mail.messageId, 1_000),
    sprk_emaildirection: mail.isOutgoing ? SENT : RECEIVED,
    sprk_emailtrackingtoken: mail.trackingToken,
    sprk_emailconversationindex: mail.conversationIndex,
    ...(mail.parent === null ? {} : bindParent(mail.parent)),
  };
}

/** Dataverse lets only one record refer to an e-mail and refuses a second. */
export const emailColumn = (emailId: string): Record<string, unknown> => ({
  "sprk_Email@odata.bind": `/emails(${emailId})`,
});

/** The body goes to the record and is stored nowhere else. */
export function bodyColumn(mail: FiledMail): Record<string, unknown> {
  return { sprk_emailbody: cut(mail.html, BODY_MAX) };
}

/** An attachment refers to the record of its mail, not to the e-mail itself, which only one record may refer to. */
export function attachmentColumns(mail: FiledMail, parent: Filing): Record<string, unknown> {
  return {
    sprk_documenttype: EMAIL_ATTACHMENT,
    sprk_sourcetype: OF_ATTACHMENT,
    sprk_relationshiptype: RELATION_ATTACHMENT,
    sprk_parentfilename: parent.name,
    sprk_parentgraphitemid: parent.itemId,
    sprk_emailconversationindex: mail.conversationIndex,
    "sprk_ParentDocument@odata.bind": `/sprk_documents(${parent.id})`,
    ...(mail.parent === null ? {} : bindParent(mail.parent)),
  };
}
