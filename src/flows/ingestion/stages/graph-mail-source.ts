import { evidenceOfMail, type MailHeader } from "../../../ingestion/sender-evidence.ts";
import { Fault } from "../../../lib/fault.ts";
import { getMailboxByAddress, type Mailbox } from "../../../mailbox/mailbox-table.ts";
import { isGone } from "../../../mailbox/messages/look-at-messages.ts";
import {
  downloadAttachment,
  FILE,
  findByInternetId,
  type GraphAttachment,
  getMime,
  ITEM,
  listAttachments,
  messagePath,
  REFERENCE,
} from "../../../mailbox/messages/whole-message.ts";
import type { GraphClient } from "../../../microsoft/graph/graph-client.ts";
import type { Queryable } from "../../../store/database.ts";
import type { MailAttachment, MailSource } from "./mail-source.ts";

interface GraphRecipient {
  readonly emailAddress?: { readonly address?: string };
}

/** Graph gives the headers only to a read of one message that asks for them. */
const MESSAGE_FIELDS =
  "id,internetMessageId,from,sender,receivedDateTime,subject,internetMessageHeaders";

const KINDS: Readonly<Record<string, MailAttachment["kind"]>> = {
  [FILE]: "file",
  [ITEM]: "item",
  [REFERENCE]: "reference",
};

/** Reads messages and attachments from Graph. Bytes are fetched one attachment at a time, never with the list. */
export function createGraphMailSource(needs: {
  database: Queryable;
  graphOf: (mailbox: Mailbox) => GraphClient;
}): MailSource {
  const open = async (address: string) => {
    const mailbox = await getMailboxByAddress(needs.database, address);
    if (mailbox === null) throw new Fault("graph.not-found", `${address} is not watched any more`);
    return { graph: needs.graphOf(mailbox), mailbox };
  };

  return {
    async getMessage(address, messageId) {
      const { graph, mailbox } = await open(address);
      const path = `${messagePath(mailbox, messageId)}?$select=${MESSAGE_FIELDS}`;
      try {
        const message = await graph.call<{
          id: string;
          internetMessageId?: string | null;
          from?: GraphRecipient | null;
          sender?: GraphRecipient | null;
          internetMessageHeaders?: readonly MailHeader[] | null;
          receivedDateTime: string;
          subject: string | null;
        }>({ mailbox: mailbox.address, path });
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
      const { graph, mailbox } = await open(address);
      return (await findByInternetId(graph, mailbox, internetMessageId, 1))[0] ?? null;
    },

    async listAttachments(address, messageId) {
      const { graph, mailbox } = await open(address);
      return (await listAttachments(graph, mailbox, messageId)).map(toAttachment);
    },

    async downloadAttachment(address, messageId, attachmentId) {
      const { graph, mailbox } = await open(address);
      return downloadAttachment(graph, mailbox, messageId, attachmentId);
    },

    async getMime(address, messageId) {
      const { graph, mailbox } = await open(address);
      return getMime(graph, mailbox, messageId);
    },
  };
}

function toAttachment(attachment: GraphAttachment): MailAttachment {
  const { id, contentType, size, isInline } = attachment;
  const kind = KINDS[attachment["@odata.type"]] ?? "file";
  return { id, name: attachment.name ?? "", contentType, size, isInline, kind };
}
