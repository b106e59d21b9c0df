import type { BodyForm } from "../call/graph-call.ts";
import { badRequest } from "../call/graph-error.ts";
import { keepSelected } from "../call/query-options.ts";
import type { IdForm } from "../mailbox/mail-ids.ts";
import { toMessageId } from "../mailbox/mail-ids.ts";
import type { MessageContent, StoredAttachment, StoredMessage } from "../mailbox/mail-model.ts";
import { toGraphTime } from "../mailbox/mail-model.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { hasAttachments, toBodyForm, toRecipient } from "./message-view.ts";

export interface AttachmentView {
  readonly form: IdForm;
  readonly bodyForm: BodyForm;
  /** Names in lower case; null shows all. */
  readonly select: readonly string[] | null;
  /** How many levels of attached items are expanded; 0 for none. */
  readonly expandDepth: number;
  /** The exact length, or including Exchange's overhead. */
  readonly size: "wrapped" | "exact";
}

/** Exchange counts its own overhead too, so `size` is close to the length of a file but rarely equal. */
const WRAPPING_BYTES = 178;

const ATTACHMENT_PROPERTIES = new Set([
  ...["id", "lastmodifieddatetime", "name", "contenttype", "size", "isinline", "contentid"],
  ...["contentlocation", "contentbytes", "item", "sourceurl", "providertype", "permission"],
  "isfolder",
]);

/** Throws for a name that no kind of attachment has. */
export function checkAttachmentSelect(select: readonly string[] | null): void {
  const unknown = select?.find((name) => !ATTACHMENT_PROPERTIES.has(name));
  if (unknown === undefined) return;
  throw badRequest(
    `Parsing OData Select and Expand failed: Could not find a property named '${unknown}' on type 'microsoft.graph.attachment'.`,
    "RequestBroker--ParseUri",
  );
}

export function showAttachment(
  mailbox: Mailbox,
  message: StoredMessage,
  attachment: StoredAttachment,
  view: AttachmentView,
): Record<string, unknown> {
  const id = toMessageId(mailbox.tag, message.key, view.form, message.moves, attachment.number);
  return showWithId(attachment, id, view);
}

function showWithId(
  attachment: StoredAttachment,
  id: string,
  view: AttachmentView,
): Record<string, unknown> {
  const { select } = view;
  const shown: Record<string, unknown> = {
    lastModifiedDateTime: toGraphTime(attachment.lastModifiedMs),
    name: attachment.name,
    contentType: attachment.contentType,
    size: sizeOf(attachment, view.size === "exact" ? 0 : WRAPPING_BYTES),
    isInline: attachment.isInline,
    ...detailsOf(attachment, select),
  };
  return {
    "@odata.type": `#microsoft.graph.${attachment.kind}Attachment`,
    ...(attachment.contentType === null
      ? {}
      : { "@odata.mediaContentType": attachment.contentType }),
    id,
    ...keepSelected(shown, select),
    ...(attachment.item !== null && view.expandDepth > 0
      ? { item: showItem(attachment.item, id, view) }
      : {}),
  };
}

function detailsOf(
  attachment: StoredAttachment,
  select: readonly string[] | null,
): Record<string, unknown> {
  if (attachment.kind === "reference") {
    return {
      sourceUrl: attachment.sourceUrl,
      providerType: "other",
      permission: "view",
      isFolder: false,
    };
  }
  if (attachment.kind === "item") return {};
  const wantsBytes = select === null || select.includes("contentbytes");
  return {
    contentId: attachment.contentId,
    contentLocation: null,
    ...(wantsBytes ? { contentBytes: attachment.bytes!.toString("base64") } : {}),
  };
}

/** An attached message, with its own attachments as deep as requested. */
function showItem(item: MessageContent, id: string, view: AttachmentView): Record<string, unknown> {
  const deeper: AttachmentView = { ...view, select: null, expandDepth: view.expandDepth - 1 };
  return {
    "@odata.type": "#microsoft.graph.message",
    id: "",
    receivedDateTime: toGraphTime(item.receivedMs),
    sentDateTime: toGraphTime(item.sentMs),
    hasAttachments: hasAttachments(item),
    internetMessageId: item.internetMessageId,
    subject: item.subject,
    bodyPreview: item.bodyPreview,
    importance: item.importance,
    isDraft: false,
    isRead: true,
    body: toBodyForm(item.body, view.bodyForm),
    sender: toRecipient(item.sender),
    from: toRecipient(item.from),
    toRecipients: item.toRecipients.map(toRecipient),
    ccRecipients: item.ccRecipients.map(toRecipient),
    bccRecipients: item.bccRecipients.map(toRecipient),
    replyTo: item.replyTo.map(toRecipient),
    attachments: item.attachments.map((each) =>
      showWithId(each, `${id.slice(0, -1)}-${each.number}=`, deeper),
    ),
  };
}

function sizeOf(attachment: StoredAttachment, wrapping: number): number {
  if (attachment.bytes !== null) return attachment.bytes.length + wrapping;
  if (attachment.item !== null) return attachment.item.body.content.length + 2 * wrapping;
  return (attachment.sourceUrl?.length ?? 0) + wrapping;
}
