import { evidenceOfMail, type MailHeader } from "../../../ingestion/sender-evidence.ts";
import { Fault } from "../../../lib/fault.ts";
import { getMailboxByAddress, type Mailbox } from "../../../mailbox/mailbox-table.ts";
import { isGone } from "../../../mailbox/messages/look-at-messages.ts";
import { userPath } from "../../../mailbox/user-path.ts";
import type { GraphClient } from "../../../microsoft/graph/graph-client.ts";
import type { Queryable } from "../../../store/database.ts";
import type { MailAttachment, MailSource } from "./mail-source.ts";

interface GraphRecipient {
  readonly emailAddress?: { readonly address?: string };
}

/** Graph gives the headers only to a read of one message that asks for them. */
const MESSAGE_FIELDS =
  "id,internetMessageId,from,sender,receivedDateTime,subject,internetMessageHeaders";

interface GraphAttachment {
  readonly "@odata.type": string;
  readonly id: string;
  readonly name: string | null;
  readonly contentType: string | null;
  readonly size: number;
  readonly isInline: boolean;
}

interface AttachmentPage {
  readonly value: readonly GraphAttachment[];
  readonly "@odata.nextLink"?: string;
}

const KINDS: Readonly<Record<string, MailAttachment["kind"]>> = {
  "#microsoft.graph.fileAttachment": "file",
  "#microsoft.graph.itemAttachment": "item",
  "#microsoft.graph.referenceAttachment": "reference",
};

/** Reads messages and attachments from Graph. Bytes are fetched one attachment at a time, never with the list. */
export function createGraphMailSource(needs: {
  database: Queryable;
  graphOf: (mailbox: Mailbox) => GraphClient;
}): MailSource {
  const openMailbox = async (address: string) => {
    const mailbox = await getMailboxByAddress(needs.database, address);
    if (mailbox === null) throw new Fault("graph.not-found", `${address} is not watched any more`);
    const path = `${userPath(mailbox)}/messages`;
    return { graph: needs.graphOf(mailbox), mailbox: mailbox.address, path };
  };
  const open = async (address: string, messageId: string) => {
    const { path, ...opened } = await openMailbox(address);
    return { ...opened, path: `${path}/${encodeURIComponent(messageId)}` };
  };

  return {
    async getMessage(address, messageId) {
      const { graph, mailbox, path } = await open(address, messageId);
      try {
        const message = await graph.call<{
          id: string;
          internetMessageId?: string | null;
          from?: GraphRecipient | null;
          sender?: GraphRecipient | null;
          internetMessageHeaders?: readonly MailHeader[] | null;
          receivedDateTime: string;
          subject: string | null;
        }>({ mailbox, path: `${path}?$select=${MESSAGE_FIELDS}` });
        return {
          id: message.id,
          ...(message.internetMessageId ? { internetMessageId: message.internetMessageId } : {}),
          from: message.from?.emailAddress?.address ?? null,
          senderEvidence: evidenceOfMail(
            message.internetMessageHeaders ?? [],
            message.sender?.emailAddress?.address ?? null,
          ),
          receivedAt: new Date(message.receivedDateTime),
          subject: message.subject,
        };
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    },

    async findByInternetId(address, internetMessageId) {
      const { graph, mailbox, path } = await openMailbox(address);
      const quoted = `'<${internetMessageId.replaceAll("'", "''")}>'`;
      const filter = encodeURIComponent(`internetMessageId eq ${quoted}`);
      const { value } = await graph.call<{ value: readonly { id: string }[] }>({
        mailbox,
        path: `${path}?$filter=${filter}&$select=id&$top=1`,
      });
      return value[0]?.id ?? null;
    },

    async listAttachments(address, messageId) {
      const { graph, mailbox, path } = await open(address, messageId);
      const found: MailAttachment[] = [];
      let next: string | undefined =
        `${path}/attachments?$select=id,name,contentType,size,isInline`;
      while (next !== undefined) {
        const page: AttachmentPage = await graph.call({ mailbox, path: next });
        found.push(...page.value.map(toAttachment));
        next = page["@odata.nextLink"];
      }
      return found;
    },

    async downloadAttachment(address, messageId, attachmentId) {
      const { graph, mailbox, path } = await open(address, messageId);
      return graph.bytes({
        mailbox,
        path: `${path}/attachments/${encodeURIComponent(attachmentId)}/$value`,
      });
    },

    async getMime(address, messageId) {
      const { graph, mailbox, path } = await open(address, messageId);
      return graph.bytes({ mailbox, path: `${path}/$value` });
    },
  };
}

function toAttachment(attachment: GraphAttachment): MailAttachment {
  const { id, contentType, size, isInline } = attachment;
  const kind = KINDS[attachment["@odata.type"]] ?? "file";
  return { id, name: attachment.name ?? "", contentType, size, isInline, kind };
}
