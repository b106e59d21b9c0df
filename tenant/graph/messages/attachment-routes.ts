import { parseFilter } from "../../odata/filter.ts";
import { createJsonSource } from "../../odata/json-source.ts";
import { ODataSyntaxError } from "../../odata/tokens.ts";
import type { GraphCall } from "../call/graph-call.ts";
import { contextUrl, json, readJson } from "../call/graph-call.ts";
import { badRequest, GraphProblem, itemNotFound, malformedId } from "../call/graph-error.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import { nextLink, pageOf } from "../call/paging.ts";
import type { RouteTable } from "../call/route-table.ts";
import { fillAttachment } from "../mailbox/mail-content.ts";
import { parseMessageId } from "../mailbox/mail-ids.ts";
import type { StoredAttachment, StoredMessage } from "../mailbox/mail-model.ts";
import { renderMime } from "../mailbox/mime.ts";
import type { AttachmentView } from "./attachment-view.ts";
import { checkAttachmentSelect, showAttachment } from "./attachment-view.ts";
import type { MailScope, MailWorld } from "./mail-scope.ts";
import { loadMessage, scopeOf } from "./mail-scope.ts";
import { toAttachmentDraft } from "./message-input.ts";
import { onMessage } from "./message-routes.ts";

/** Maximum size of an attachment in one request; a larger one needs an upload session. */
const POST_BYTES_MAX = 3 * 1024 * 1024;
const EXPAND_LEVELS_MAX = 30;
const PAGE_SIZE = 1000;

export function addAttachmentRoutes(routes: RouteTable, world: MailWorld): void {
  onMessage(routes, "GET", "/attachments", (call) => listAttachments(world, call), [
    ...["$select", "$expand", "$filter", "$top", "$skip", "$count"],
  ]);
  onMessage(routes, "GET", "/attachments/$count", (call) => {
    const scope = scopeOf(world, call, "read");
    const { attachments } = loadMessage(world, call, scope);
    const headers = { "content-type": "text/plain" };
    return { status: 200, headers, body: String(attachments.length) };
  });
  onMessage(
    routes,
    "GET",
    "/attachments/{attachment}",
    (call) => {
      const scope = scopeOf(world, call, "read");
      const message = loadMessage(world, call, scope);
      return answer(world, call, scope, message, loadAttachment(call, scope, message), 200);
    },
    ["$select", "$expand"],
  );
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

function listAttachments(world: MailWorld, call: GraphCall) {
  const scope = scopeOf(world, call, "read");
  const message = loadMessage(world, call, scope);
  const view = attachmentView(world, call);
  const { query } = call.request;
  const page = pageOf(call, PAGE_SIZE);
  const wanted = message.attachments.filter(filterOf(query.get("$filter"), scope, message, view));
  const value = wanted
    .slice(page.skip, page.skip + page.top)
    .map((each) => showAttachment(scope.mailbox, message, each, view));
  const isMore = page.skip + page.top < wanted.length;
  return json(
    200,
    {
      "@odata.context": attachmentContext(world, call, ""),
      ...(/^true$/i.test(query.get("$count") ?? "") ? { "@odata.count": wanted.length } : {}),
      value,
      ...(isMore ? { "@odata.nextLink": nextLink(world.context, call, page.skip + page.top) } : {}),
    },
    call,
  );
}

function filterOf(
  text: string | null,
  scope: MailScope,
  message: StoredMessage,
  view: AttachmentView,
) {
  if (text === null) return () => true;
  const source = createJsonSource((name) => checkAttachmentSelect([name.toLowerCase()]));
  try {
    const test = parseFilter(text, source);
    const facts = { ...view, select: null, expandDepth: 0 };
    return (each: StoredAttachment) => test(showAttachment(scope.mailbox, message, each, facts));
  } catch (error) {
    if (!(error instanceof ODataSyntaxError)) throw error;
    throw badRequest(
      `Invalid filter clause: ${error.message} in '${text}'.`,
      "RequestBroker--ParseUri",
    );
  }
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

/** The bytes of a file, or the MIME of an attached message; a reference has no content. */
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
  checkAttachmentSelect(select);
  return {
    form: call.idForm,
    bodyForm: call.bodyForm,
    select,
    expandDepth: expandDepth(query.get("$expand")),
    size: graphSwitch(world.context.switches, "attachmentSize"),
  };
}

const ITEM = /^microsoft\.graph\.itemattachment\/item(?:\((.*)\))?$/is;
const ITS_ATTACHMENTS = /^\$expand=microsoft\.graph\.message\/attachments(?:\((.*)\))?$/is;

/** Each `itemattachment/item` in `$expand` opens one level: `…/item($expand=microsoft.graph.message/attachments)`. */
function expandDepth(expand: string | null): number {
  if (expand === null) return 0;
  const item = ITEM.exec(expand.trim());
  if (item === null) throw unknownExpansion(expand);
  if (item[1] === undefined) return 1;
  const inner = ITS_ATTACHMENTS.exec(item[1].trim());
  if (inner === null) throw unknownExpansion(item[1]);
  const next = inner[1]?.trim().replace(/^\$expand=/i, "") ?? null;
  return Math.min(1 + expandDepth(next), EXPAND_LEVELS_MAX);
}

function unknownExpansion(text: string) {
  return badRequest(
    `Could not find a property named '${text}' on type 'microsoft.graph.attachment'.`,
    "RequestBroker--ParseUri",
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
