/** Reads whole messages of watched mailboxes, for filing. */
import type { FiledMail, MailAttachmentRow } from "../../filing/filed-mail.ts";
import type { Mailbox } from "../../mailbox/mailbox-table.ts";
import { isGone } from "../../mailbox/messages/look-at-messages.ts";
import {
  downloadAttachment,
  findByInternetId,
  type GraphAttachment,
  getMime,
  ITEM,
  listAttachments,
  messagePath,
  REFERENCE,
} from "../../mailbox/messages/whole-message.ts";
import type { GraphClient } from "../../microsoft/graph/graph-client.ts";

export interface MessageToFile {
  /** The immutable id. */
  readonly id: string;
  readonly isDraft: boolean;
  readonly mail: FiledMail;
}

export interface MailboxMailSource {
  /** Null if it is gone. */
  getMessage(mailbox: Mailbox, messageId: string): Promise<MessageToFile | null>;
  /** Files and messages inside the mail. Links to files elsewhere have no bytes and stay in the mail. */
  findAttachments(mailbox: Mailbox, messageId: string): Promise<MailAttachmentRow[]>;
  downloadAttachment(mailbox: Mailbox, messageId: string, attachmentId: string): Promise<Buffer>;
  getMime(mailbox: Mailbox, messageId: string): Promise<Buffer>;
  /** The ids of the messages with this RFC 5322 id. */
  findByInternetId(mailbox: Mailbox, internetMessageId: string): Promise<string[]>;
}

interface GraphMessage {
  readonly id: string;
  readonly isDraft?: boolean;
  readonly subject?: string | null;
  readonly body?: { readonly content?: string } | null;
  readonly from?: Recipient | null;
  readonly toRecipients?: readonly Recipient[];
  readonly ccRecipients?: readonly Recipient[];
  readonly receivedDateTime: string;
  readonly internetMessageId?: string | null;
  readonly conversationIndex?: string | null;
}

interface Recipient {
  readonly emailAddress?: { readonly address?: string };
}

const SELECT =
  "id,isDraft,subject,body,from,toRecipients,ccRecipients,receivedDateTime,internetMessageId,conversationIndex";

export function createMailboxMailSource(
  graphOf: (mailbox: Mailbox) => GraphClient,
): MailboxMailSource {
  return {
    async getMessage(mailbox, messageId) {
      try {
        const path = `${messagePath(mailbox, messageId)}?$select=${SELECT}`;
        const found = await graphOf(mailbox).call<GraphMessage>({ mailbox: mailbox.address, path });
        return toMessage(found, mailbox);
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },
    async findAttachments(mailbox, messageId) {
      const found = await listAttachments(graphOf(mailbox), mailbox, messageId);
      return found.filter((each) => each["@odata.type"] !== REFERENCE).map(toRow);
    },
    downloadAttachment: (mailbox, messageId, attachmentId) =>
      downloadAttachment(graphOf(mailbox), mailbox, messageId, attachmentId),
    getMime: (mailbox, messageId) => getMime(graphOf(mailbox), mailbox, messageId),
    findByInternetId: (mailbox, internetMessageId) =>
      findByInternetId(graphOf(mailbox), mailbox, internetMessageId, 5),
  };
}

function toMessage(message: GraphMessage, mailbox: Mailbox): MessageToFile {
  const addresses = (list: readonly Recipient[] = []) =>
    list.flatMap(({ emailAddress }) => emailAddress?.address ?? []);
  const from = message.from?.emailAddress?.address ?? null;
  return {
    id: message.id,
    isDraft: message.isDraft === true,
    mail: {
      subject: message.subject || null,
      html: message.body?.content ?? null,
      from,
      to: addresses(message.toRecipients),
      cc: addresses(message.ccRecipients),
      date: new Date(message.receivedDateTime),
      messageId: message.internetMessageId ?? null,
      isOutgoing: from?.toLowerCase() === mailbox.address.toLowerCase(),
      trackingToken: null,
      conversationIndex: message.conversationIndex ?? null,
      parent: null,
    },
  };
}

function toRow(attachment: GraphAttachment): MailAttachmentRow {
  const { id, contentType, size } = attachment;
  const name = attachment.name ?? "attachment";
  if (attachment["@odata.type"] !== ITEM) return { id, name, mimeType: contentType, size };
  // A message inside the mail is downloaded as MIME.
  return { id, name: /\.eml$/i.test(name) ? name : `${name}.eml`, mimeType: contentType, size };
}
