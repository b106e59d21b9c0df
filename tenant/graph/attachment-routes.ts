import { sizeOf } from "./attachment-size.ts";
import type { GraphCall } from "./graph-call.ts";
import { contextUrl, json } from "./graph-call.ts";
import { GraphProblem, itemNotFound, malformedId } from "./graph-error.ts";
import { parseMessageId, toMessageId } from "./mail-ids.ts";
import type { StoredAttachment, StoredMessage } from "./mail-model.ts";
import { toGraphTime } from "./mail-model.ts";
import type { MailScope, MailWorld } from "./mail-scope.ts";
import { loadMessage, scopeOf } from "./mail-scope.ts";
import { onMessage } from "./message-routes.ts";
import type { RouteTable } from "./route-table.ts";

export function addAttachmentRoutes(routes: RouteTable, world: MailWorld): void {
  onMessage(routes, "GET", "/attachments", (call) => {
    const scope = scopeOf(world, call, "read");
    const message = loadMessage(world, call, scope);
    const select = selectOf(call);
    const value = message.attachments.map((each) =>
      showAttachment(scope, message, each, call, select),
    );
    return json(200, { "@odata.context": attachmentContext(world, call, ""), value }, call);
  });
  onMessage(routes, "GET", "/attachments/{attachment}", (call) => {
    const scope = scopeOf(world, call, "read");
    const message = loadMessage(world, call, scope);
    const attachment = loadAttachment(call, scope, message);
    return json(
      200,
      {
        "@odata.context": attachmentContext(world, call, "/$entity"),
        ...showAttachment(scope, message, attachment, call, selectOf(call)),
      },
      call,
    );
  });
  onMessage(routes, "GET", "/attachments/{attachment}/$value", (call) => {
    const scope = scopeOf(world, call, "read");
    return attachmentValue(loadAttachment(call, scope, loadMessage(world, call, scope)));
  });
}

function attachmentValue(attachment: StoredAttachment) {
  if (attachment.kind === "reference") {
    throw new GraphProblem(
      405,
      "ErrorInvalidRequest",
      "Reference attachments have no raw contents.",
    );
  }
  return {
    status: 200,
    headers: { "content-type": attachment.contentType ?? "application/octet-stream" },
    body: attachment.bytes ?? Buffer.alloc(0),
  };
}

export function loadAttachment(
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

export function showAttachment(
  scope: MailScope,
  message: StoredMessage,
  attachment: StoredAttachment,
  call: GraphCall,
  select: readonly string[] | null,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {
    lastModifiedDateTime: toGraphTime(attachment.lastModifiedMs),
    name: attachment.name,
    contentType: attachment.contentType,
    size: sizeOf(attachment),
    isInline: attachment.isInline,
  };
  if (attachment.kind === "file") {
    shown["contentId"] = attachment.contentId;
    shown["contentLocation"] = null;
    if (select === null || select.includes("contentbytes")) {
      shown["contentBytes"] = attachment.bytes!.toString("base64");
    }
  }
  const kept =
    select === null
      ? shown
      : Object.fromEntries(
          Object.entries(shown).filter(([name]) => select.includes(name.toLowerCase())),
        );
  return {
    "@odata.type": `#microsoft.graph.${attachment.kind}Attachment`,
    "@odata.mediaContentType": attachment.contentType ?? undefined,
    id: toMessageId(scope.mailbox.tag, message.key, call.idForm, message.moves, attachment.number),
    ...kept,
  };
}

function selectOf(call: GraphCall): string[] | null {
  const text = call.request.query.get("$select");
  return text === null
    ? null
    : text.split(",").map((name) =>
        name
          .trim()
          .toLowerCase()
          .replace(/^microsoft\.graph\.fileattachment\//, ""),
      );
}

function attachmentContext(world: MailWorld, call: GraphCall, ending: string): string {
  const { user, message } = call.params;
  return contextUrl(
    world.context,
    call,
    `users('${encodeURIComponent(user!)}')/messages('${encodeURIComponent(message!)}')/attachments${ending}`,
  );
}
