/** An e-mail in Dataverse: a row, its senders and recipients, and a row for each attachment. */
import type { DataverseClient } from "../microsoft/dataverse/dataverse-client.ts";
import { PARENTS, type Parent } from "./container.ts";
import type { FiledMail, MailAttachmentRow } from "./filed-mail.ts";
import type { MailFacts } from "./rules/mail-rules.ts";

export interface DataverseMail extends FiledMail {
  readonly id: string;
  /** The table of the row that the mail is about; it is the parent only if files can belong to it. */
  readonly regardingTable: string | null;
  readonly attachmentCount: number;
}

interface EmailRow {
  readonly activityid: string;
  readonly subject: string | null;
  readonly description: string | null;
  readonly sender: string | null;
  readonly torecipients: string | null;
  readonly directioncode: boolean | null;
  readonly messageid: string | null;
  readonly trackingtoken: string | null;
  readonly conversationindex: string | null;
  readonly attachmentcount: number | null;
  readonly actualend: string | null;
  readonly senton: string | null;
  readonly createdon: string;
  readonly _regardingobjectid_value: string | null;
  readonly "_regardingobjectid_value@Microsoft.Dynamics.CRM.lookuplogicalname"?: string;
  readonly email_activity_parties?: readonly {
    readonly addressused: string | null;
    readonly participationtypemask: number | null;
  }[];
}

const SELECT =
  "subject,description,sender,torecipients,directioncode,messageid,trackingtoken,conversationindex,attachmentcount,actualend,senton,createdon,_regardingobjectid_value";
const PARTIES = "email_activity_parties($select=addressused,participationtypemask)";
/** The role of a party. */
const SENDER = 1;
const TO = 2;
const CC = 3;

/** Null if the row does not exist: Dataverse also announces operations that it then rolls back. */
export async function getDataverseMail(
  dataverse: DataverseClient,
  id: string,
): Promise<DataverseMail | null> {
  const found = await dataverse.get<{ activityid: string }>(`emails(${id})?$select=activityid`);
  if (found === null) return null;
  const row = await dataverse.call<EmailRow>({
    path: `emails(${id})?$select=${SELECT}&$expand=${PARTIES}`,
    headers: {
      prefer: 'odata.include-annotations="Microsoft.Dynamics.CRM.lookuplogicalname"',
    },
  });
  return toMail(row);
}

function toMail(row: EmailRow): DataverseMail {
  const table = row["_regardingobjectid_value@Microsoft.Dynamics.CRM.lookuplogicalname"] ?? null;
  const to = partiesOf(row, TO);
  return {
    id: row.activityid,
    subject: row.subject,
    html: row.description,
    from: partiesOf(row, SENDER)[0] ?? row.sender,
    to: to.length > 0 ? to : splitAddresses(row.torecipients),
    cc: partiesOf(row, CC),
    date: new Date(row.actualend ?? row.senton ?? row.createdon),
    messageId: row.messageid,
    isOutgoing: row.directioncode === true,
    trackingToken: row.trackingtoken,
    conversationIndex: row.conversationindex,
    regardingTable: table,
    parent:
      table !== null && table in PARENTS && row._regardingobjectid_value !== null
        ? { table: table as Parent["table"], id: row._regardingobjectid_value }
        : null,
    attachmentCount: row.attachmentcount ?? 0,
  };
}

function partiesOf(row: EmailRow, kind: number): string[] {
  return (row.email_activity_parties ?? [])
    .filter((party) => party.participationtypemask === kind && party.addressused)
    .map((party) => party.addressused!);
}

function splitAddresses(text: string | null): string[] {
  return (text ?? "")
    .split(/[;,]/)
    .map((address) => address.trim())
    .filter((address) => address !== "");
}

export async function findAttachments(
  dataverse: DataverseClient,
  emailId: string,
): Promise<MailAttachmentRow[]> {
  const rows = await dataverse.list<{
    activitymimeattachmentid: string;
    filename: string | null;
    mimetype: string | null;
    filesize: number | null;
  }>(
    `activitymimeattachments?$select=activitymimeattachmentid,filename,mimetype,filesize&$filter=_objectid_value eq ${emailId}&$orderby=attachmentnumber`,
  );
  return rows.map((row) => ({
    id: row.activitymimeattachmentid,
    name: row.filename ?? "attachment",
    mimeType: row.mimetype,
    size: row.filesize ?? 0,
  }));
}

/** The column holds Base64. */
export async function loadAttachment(dataverse: DataverseClient, id: string): Promise<Buffer> {
  const path = `activitymimeattachments(${id})?$select=body`;
  const row = await dataverse.call<{ body: string | null }>({ path });
  return Buffer.from(row.body ?? "", "base64");
}

/** Every field that a rule can test. */
export function factsOf(
  mail: FiledMail & Partial<Pick<DataverseMail, "regardingTable">>,
  attachments: readonly MailAttachmentRow[],
): MailFacts {
  const texts = (text: string | null) => (text === null ? [] : [text]);
  return {
    subject: texts(mail.subject),
    from: texts(mail.from),
    to: mail.to,
    cc: mail.cc,
    body: texts(mail.html),
    attachmentname: attachments.map((attachment) => attachment.name),
    regardingtype: texts(mail.regardingTable ?? null),
  };
}
