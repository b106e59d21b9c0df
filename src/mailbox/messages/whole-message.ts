/** What Graph has of one message besides its fields: attachments and the original MIME. */
import type { GraphClient } from "../../microsoft/graph/graph-client.ts";
import type { Mailbox } from "../mailbox-table.ts";
import { userPath } from "../user-path.ts";

export interface GraphAttachment {
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

export const FILE = "#microsoft.graph.fileAttachment";
export const ITEM = "#microsoft.graph.itemAttachment";
export const REFERENCE = "#microsoft.graph.referenceAttachment";

export const messagePath = (mailbox: Mailbox, id: string): string =>
  `${userPath(mailbox)}/messages/${encodeURIComponent(id)}`;

/** Without their bytes, which are fetched one at a time. */
export async function listAttachments(
  graph: GraphClient,
  mailbox: Mailbox,
  messageId: string,
): Promise<GraphAttachment[]> {
  const found: GraphAttachment[] = [];
  let next: string | undefined =
    `${messagePath(mailbox, messageId)}/attachments?$select=id,name,contentType,size,isInline`;
  while (next !== undefined) {
    const page: AttachmentPage = await graph.call({ mailbox: mailbox.address, path: next });
    found.push(...page.value);
    next = page["@odata.nextLink"];
  }
  return found;
}

export function downloadAttachment(
  graph: GraphClient,
  mailbox: Mailbox,
  messageId: string,
  attachmentId: string,
): Promise<Buffer> {
  const path = `${messagePath(mailbox, messageId)}/attachments/${encodeURIComponent(attachmentId)}/$value`;
  return graph.bytes({ mailbox: mailbox.address, path });
}

export function getMime(graph: GraphClient, mailbox: Mailbox, messageId: string): Promise<Buffer> {
  const path = `${messagePath(mailbox, messageId)}/$value`;
  return graph.bytes({ mailbox: mailbox.address, path });
}

/** The ids of at most this many messages with this RFC 5322 id, with or without its angle brackets. */
export async function findByInternetId(
  graph: GraphClient,
  mailbox: Mailbox,
  internetMessageId: string,
  most: number,
): Promise<string[]> {
  const plain = internetMessageId.trim().replace(/^<|>$/g, "");
  const filter = encodeURIComponent(`internetMessageId eq '<${plain.replaceAll("'", "''")}>'`);
  const { value } = await graph.call<{ value: readonly { id: string }[] }>({
    mailbox: mailbox.address,
    path: `${userPath(mailbox)}/messages?$filter=${filter}&$select=id&$top=${most}`,
  });
  return value.map(({ id }) => id);
}
