/** Replying and forwarding: as drafts, or sent immediately. */
import type { GraphCall } from "../call/graph-call.ts";
import { readJson } from "../call/graph-call.ts";
import { badRequest } from "../call/graph-error.ts";
import { checkParameters } from "../call/parameters.ts";
import type { RouteTable } from "../call/route-table.ts";
import { textToHtml } from "../mailbox/html-text.ts";
import type {
  Address,
  AttachmentDraft,
  MessageDraft,
  StoredAttachment,
  StoredMessage,
} from "../mailbox/mail-model.ts";
import { sendDraft } from "./draft-routes.ts";
import type { MailScope, MailWorld } from "./mail-scope.ts";
import { loadMessage, scopeOf } from "./mail-scope.ts";
import { toAddressList, toDraft } from "./message-input.ts";
import { answer, lowerFirst, ONE_MESSAGE, onMessage } from "./message-routes.ts";
import { toBodyForm } from "./message-view.ts";

type Kind = "reply" | "replyAll" | "forward";

const KINDS: readonly Kind[] = ["reply", "replyAll", "forward"];

export function addReplyRoutes(routes: RouteTable, world: MailWorld): void {
  for (const kind of KINDS) {
    const name = kind.charAt(0).toUpperCase() + kind.slice(1);
    onMessage(
      routes,
      "POST",
      `/create${name}`,
      async (call) => {
        const scope = scopeOf(world, call, "write");
        const draft = createAnswer(world, call, scope, kind);
        return answer(world, call, scope, draft, 201);
      },
      ONE_MESSAGE,
    );
    onMessage(routes, "POST", `/${kind}`, (call) => {
      const scope = scopeOf(world, call, "send");
      sendDraft(world, scope, createAnswer(world, call, scope, kind));
      return { status: 202, headers: { "content-length": "0" } };
    });
  }
}

/** A draft in the conversation of the message that it answers. */
function createAnswer(
  world: MailWorld,
  call: GraphCall,
  scope: MailScope,
  kind: Kind,
): StoredMessage {
  const original = loadMessage(world, call, scope);
  const answer = readAnswer(call, kind);
  const owner = { name: scope.user.displayName, address: scope.user.mail };
  const recipients = recipientsOf(original, kind, owner);
  const attachments = kind === "forward" ? original.attachments.map(toAttachmentDraft) : [];
  return world.store.create(scope.mailbox, scope.mailbox.wellKnown.get("drafts")!, {
    ...withoutEmpty(answer.draft),
    to: answer.to ?? recipients.to,
    cc: answer.draft.cc ?? recipients.cc,
    subject: answer.draft.subject ?? `${kind === "forward" ? "FW" : "RE"}: ${topicOf(original)}`,
    body: bodyOf(original, answer),
    attachments: [...attachments, ...(answer.draft.attachments ?? [])],
    headers: [...referencesTo(original), ...(answer.draft.headers ?? [])],
    from: answer.draft.from ?? owner,
    conversationId: original.conversationId,
    isDraft: true,
    isRead: true,
  });
}

interface Given {
  readonly comment: string;
  readonly draft: MessageDraft;
  /** Whether the caller wrote a body instead of a comment. */
  readonly hasBody: boolean;
  readonly to: Address[] | undefined;
}

function readAnswer(call: GraphCall, kind: Kind): Given {
  const body = call.request.body.length === 0 ? {} : lowerFirst(readJson(call.request));
  checkParameters(body, ["comment", "message", ...(kind === "forward" ? ["toRecipients"] : [])]);
  const message = (body["message"] ?? {}) as Record<string, unknown>;
  const hasBody = message["body"] !== undefined;
  const comment = body["comment"];
  if (comment !== undefined && hasBody) {
    throw badRequest(
      "Specify either comment or the body of message, not both.",
      "ErrorInvalidParameter",
    );
  }
  if (body["toRecipients"] !== undefined && message["toRecipients"] !== undefined) {
    throw badRequest(
      "Specify toRecipients once: as a parameter or in message.",
      "ErrorInvalidParameter",
    );
  }
  const list = body["toRecipients"] ?? message["toRecipients"];
  return {
    comment: typeof comment === "string" ? comment : "",
    draft: toDraft(message),
    hasBody,
    to: list === undefined ? undefined : toAddressList(list, "toRecipients"),
  };
}

/** What the caller left out keeps the default of the reply. */
function withoutEmpty(draft: MessageDraft): MessageDraft {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
}

function recipientsOf(
  original: StoredMessage,
  kind: Kind,
  owner: Address,
): { to: Address[]; cc: Address[] } {
  if (kind === "forward") return { to: [], cc: [] };
  const author = original.from === null ? [] : [original.from];
  const to = original.replyTo.length > 0 ? original.replyTo : author;
  if (kind === "reply") return { to: [...to], cc: [] };
  const isOther = ({ address }: Address) => address.toLowerCase() !== owner.address.toLowerCase();
  const unique = new Map(
    [...to, ...original.toRecipients].map((each) => [each.address.toLowerCase(), each]),
  );
  return { to: [...unique.values()].filter(isOther), cc: original.ccRecipients.filter(isOther) };
}

function topicOf({ subject }: StoredMessage): string {
  return subject.replace(/^\s*((re|fw|fwd|aw|wg)\s*:\s*)+/i, "").trim();
}

function bodyOf(original: StoredMessage, { comment, draft, hasBody }: Given): MessageDraft["body"] {
  if (hasBody) return draft.body;
  const date = new Date(original.sentMs).toUTCString();
  const from =
    original.from === null ? "" : `${original.from.name} &lt;${original.from.address}&gt;`;
  const quoted = toBodyForm(original.body, "html").content;
  return {
    contentType: "html",
    content: `<html><body>${textToHtml(comment)}<hr><div id="divRplyFwdMsg"><b>From:</b> ${from}<br><b>Sent:</b> ${date}<br><b>Subject:</b> ${original.subject}</div>${quoted}</body></html>`,
  };
}

function referencesTo({ internetMessageId }: StoredMessage) {
  return [
    { name: "In-Reply-To", value: internetMessageId },
    { name: "References", value: internetMessageId },
  ];
}

function toAttachmentDraft(attachment: StoredAttachment): AttachmentDraft {
  const { kind, name, contentType, isInline, contentId, bytes, item, sourceUrl } = attachment;
  return {
    kind,
    name,
    contentType,
    isInline,
    contentId,
    ...(bytes === null ? {} : { bytes }),
    ...(item === null ? {} : { item: contentToDraft(item) }),
    ...(sourceUrl === null ? {} : { sourceUrl }),
  };
}

function contentToDraft(item: NonNullable<StoredAttachment["item"]>): MessageDraft {
  return {
    subject: item.subject,
    body: item.body,
    ...(item.from === null ? {} : { from: item.from }),
    to: item.toRecipients,
    cc: item.ccRecipients,
    headers: item.headers,
    internetMessageId: item.internetMessageId,
    sentAt: item.sentMs,
    attachments: item.attachments.map(toAttachmentDraft),
  };
}
