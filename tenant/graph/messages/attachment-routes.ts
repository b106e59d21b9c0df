import type { GraphCall } from "../call/graph-call.ts";
import { contextUrl, json, readJson } from "../call/graph-call.ts";
import { badRequest, GraphProblem, itemNotFound, malformedId } from "../call/graph-error.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import type { RouteTable } from "../call/route-table.ts";
import { fillAttachment } from "../mailbox/mail-content.ts";
import { parseMessageId } from "../mailbox/mail-ids.ts";
import type { StoredAttachment, StoredMessage } from "../mailbox/mail-model.ts";
import { renderMime } from "../mailbox/mime.ts";
import type { AttachmentView } from "./attachment-view.ts";
import { showAttachment } from "./attachment-view.ts";
import type { MailScope, MailWorld } from "./mail-scope.ts";
import { loadMessage, scopeOf } from "./mail-scope.ts";
import { toAttachmentDraft } from "./message-input.ts";
import { onMessage } from "./message-routes.ts";

/** One request may carry an attachment of this size; more needs an upload session. */
const POST_BYTES_MAX = 3 * 1024 * 1024;
const EXPAND_LEVELS_MAX = 30;

export function addAttachmentRoutes(routes: RouteTable, world: MailWorld): void {
  onMessage(routes, "GET", "/attachments", (call) => {
    const scope = scopeOf(world, call, "read");
    const message = loadMessage(world, call, scope);
    const view = attachmentView(world, call);
    const value = message.attachments.map((each) =>
      showAttachment(scope.mailbox, message, each, view),
    );
    const count = /^true$/i.test(call.request.query.get("$count") ?? "")
      ? { "@odata.count": value.length }
      : {};
    return json(
      200,
      { "@odata.context": attachmentContext(world, call, ""), ...count, value },
      call,
    );
  });
  onMessage(routes, "GET", "/attachments/{attachment}", (call) => {
    const scope = scopeOf(world, call, "read");
    const message = loadMessage(world, call, scope);
    return answer(world, call, scope, message, loadAttachment(call, scope, message), 200);
  });
  onMessage(routes, "GET", "/attachments/{attachment}/$value", (call) => {
    const scope = scopeOf(world, call, "read");
    return attachmentValue(loadAttachment(call, scope, loadMessage(world, call, scope)));
  });
  onMessage(routes, "POST", "/attachments", (call) => {
    const scope = scopeOf(world, call, "write");
    const message = loadMessage(world, call, scope);
    const draft = toAttachmentDraft(readJson(call.request));
    if ((draft.bytes?.length ?? 0) > POST_BYTES_MAX) {
      throw new GraphProblem(
        413,
        "ErrorMessageSizeExceeded",
        "The attachment is larger than one request may carry; create an upload session.",
      );
    }
    const attachment = addAttachment(world, scope, message, draft);
    return answer(world, call, scope, message, attachment, 201);
  });
  onMessage(routes, "DELETE", "/attachments/{attachment}", (call) => {
    const scope = scopeOf(world, call, "write");
    const message = loadMessage(world, call, scope);
    const gone = loadAttachment(call, scope, message);
    world.store.update(scope.mailbox, message, {
      attachments: message.attachments.filter((each) => each !== gone),
    });
    return { status: 204 };
  });
}

export function addAttachment(
  world: MailWorld,
  scope: MailScope,
  message: StoredMessage,
  draft: Parameters<typeof fillAttachment>[0],
): StoredAttachment {
  const number = message.attachmentCount + 1;
  const attachment = fillAttachment(draft, number, world.context.clock.now());
  world.store.update(scope.mailbox, message, {
    attachments: [...message.attachments, attachment],
    attachmentCount: number,
  });
  return attachment;
}

/** Bytes of a file, MIME of an attached message, and nothing for a reference. */
async function attachmentValue(attachment: StoredAttachment) {
  if (attachment.kind === "reference") {
    throw new GraphProblem(
      405,
      "ErrorInvalidRequest",
      "The raw contents of a reference attachment cannot be read.",
    );
  }
  if (attachment.item !== null) {
    return {
      status: 200,
      headers: { "content-type": "text/plain" },
      body: await renderMime(attachment.item),
    };
  }
  return {
    status: 200,
    headers: { "content-type": attachment.contentType ?? "application/octet-stream" },
    body: attachment.bytes!,
  };
}

function loadAttachment(
  call: GraphCall,
  scope: MailScope,
  message: StoredMessage,
): StoredAttachment {
  const parsed = parseMessageId(scope.mailbox.tag, call.params["attachment"]!);
  if (parsed === null || parsed.attachment === 0) throw malformedId();
  const attachment = message.attachments.find((each) => each.number === parsed.attachment);
  if (parsed.key !== message.key || attachment === undefined) throw itemNotFound();
  return attachment;
}

function answer(
  world: MailWorld,
  call: GraphCall,
  scope: MailScope,
  message: StoredMessage,
  attachment: StoredAttachment,
  status: number,
) {
  const shown = showAttachment(scope.mailbox, message, attachment, attachmentView(world, call));
  return json(
    status,
    { "@odata.context": attachmentContext(world, call, "/$entity"), ...shown },
    call,
  );
}

function attachmentView(world: MailWorld, call: GraphCall): AttachmentView {
  const { query } = call.request;
  const select =
    query
      .get("$select")
      ?.split(",")
      .map((name) => name.trim().toLowerCase().replace(/^.*\//, "")) ?? null;
  return {
    form: call.idForm,
    bodyForm: call.bodyForm,
    select,
    expandDepth: expandDepth(query.get("$expand")),
    size: graphSwitch(world.context.switches, "attachmentSize"),
  };
}

/** Each `itemattachment/item` in `$expand` opens one level. */
function expandDepth(expand: string | null): number {
  if (expand === null) return 0;
  const levels = expand.match(/itemattachment\/item/gi)?.length ?? 0;
  if (levels === 0)
    throw badRequest(
      `Could not find a property named '${expand}' on type 'microsoft.graph.attachment'.`,
      "RequestBroker--ParseUri",
    );
  return Math.min(levels, EXPAND_LEVELS_MAX);
}

function attachmentContext(world: MailWorld, call: GraphCall, ending: string): string {
  const { user, message } = call.params;
  return contextUrl(
    world.context,
    call,
    `users('${encodeURIComponent(user!)}')/messages('${encodeURIComponent(message!)}')/attachments${ending}`,
  );
}
