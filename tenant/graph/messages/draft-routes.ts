/** Writing mail: drafts, sending, MIME in and out, and the translation of ids. */

import type { GraphCall } from "../call/graph-call.ts";
import { contextUrl, findUser, json, readJson } from "../call/graph-call.ts";
import { badRequest, GraphProblem } from "../call/graph-error.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import { checkNoParameters, checkParameters } from "../call/parameters.ts";
import type { RouteTable } from "../call/route-table.ts";
import { draftFromEml } from "../mailbox/eml.ts";
import {
  EXCHANGE_ID_TYPES,
  type ExchangeIdType,
  readExchangeId,
  writeExchangeId,
} from "../mailbox/exchange-ids.ts";
import { fillContent } from "../mailbox/mail-content.ts";
import type { MessageContent, MessageDraft, StoredMessage } from "../mailbox/mail-model.ts";
import type { MessagePatch } from "../mailbox/mail-store.ts";
import { renderMime } from "../mailbox/mime.ts";
import type { MailScope, MailWorld } from "./mail-scope.ts";
import { loadMessage, scopeOf } from "./mail-scope.ts";
import { toDraft } from "./message-input.ts";
import { answer, lowerFirst, ONE_MESSAGE, onMessage } from "./message-routes.ts";

const TRANSLATE_MAX = 1000;
export function addDraftRoutes(routes: RouteTable, world: MailWorld): void {
  const create = (call: GraphCall) => createDraft(world, call);
  routes.on("POST", "/users/{user}/messages", create, ONE_MESSAGE);
  routes.on("POST", "/users/{user}/mailFolders/{folder}/messages", create, ONE_MESSAGE);
  routes.on("POST", "/users/{user}/sendMail", (call) => sendMail(world, call));
  routes.on("POST", "/users/{user}/translateExchangeIds", (call) => translateIds(world, call));
  onMessage(routes, "POST", "/send", (call) => {
    const scope = scopeOf(world, call, "send");
    checkNoParameters(call.request);
    const message = loadMessage(world, call, scope);
    checkSender(scope, message);
    sendDraft(world, scope, message);
    return { status: 202, headers: { "content-length": "0" } };
  });
  onMessage(routes, "GET", "/$value", async (call) => {
    const scope = scopeOf(world, call, "read");
    const bytes = await renderMime(loadMessage(world, call, scope));
    const contentType = graphSwitch(world.context.switches, "mimeContentType");
    return { status: 200, headers: { "content-type": contentType }, body: bytes };
  });
}

async function createDraft(world: MailWorld, call: GraphCall) {
  const scope = scopeOf(world, call, "write");
  const draft = await readDraft(call);
  const owner = { name: scope.user.displayName, address: scope.user.mail };
  const folderId = scope.folder?.folder.id ?? scope.mailbox.wellKnown.get("drafts")!;
  const message = world.store.create(scope.mailbox, folderId, {
    ...draft,
    isDraft: true,
    isRead: true,
    from: draft.from ?? owner,
  });
  return answer(world, call, scope, message, 201);
}

/** JSON, or base64 of MIME with `Content-Type: text/plain`. */
async function readDraft(call: GraphCall): Promise<MessageDraft> {
  if (!/^text\/plain/i.test(call.request.headers["content-type"] ?? ""))
    return toDraft(readJson(call.request));
  const text = call.request.body.toString("utf8").trim();
  if (!/^[A-Za-z0-9+/=\s]+$/.test(text))
    throw badRequest(
      "Invalid base64 string for MIME content.",
      "ErrorMimeContentInvalidBase64String",
    );
  return draftFromEml(Buffer.from(text, "base64"));
}

async function sendMail(world: MailWorld, call: GraphCall) {
  const scope = scopeOf(world, call, "send");
  const isMime = /^text\/plain/i.test(call.request.headers["content-type"] ?? "");
  const body = isMime ? {} : lowerFirst(readJson(call.request));
  checkParameters(body, ["message", "saveToSentItems"]);
  const given = body["message"];
  if (!isMime && (typeof given !== "object" || given === null)) {
    throw badRequest("The message parameter is missing.", "ErrorInvalidParameter");
  }
  const draft = isMime ? await readDraft(call) : toDraft(given as Record<string, unknown>);
  const drafts = scope.mailbox.wellKnown.get("drafts")!;
  const owner = { name: scope.user.displayName, address: scope.user.mail };
  const letter = { ...draft, isDraft: true, isRead: true, from: draft.from ?? owner };
  const content = fillContent(letter, world.context.clock.now(), "");
  checkRecipients(content);
  // Documented for the property `from` (outlook-send-mail-from-other-user), not for a header in MIME.
  if (!isMime) checkSender(scope, content);
  const message = world.store.create(scope.mailbox, drafts, letter);
  sendDraft(world, scope, message, body["saveToSentItems"] !== false);
  return { status: 202, headers: { "content-length": "0" } };
}

/**
 * The draft becomes the sent message, under the same immutable id; each recipient's mailbox here gets a copy.
 */
export function sendDraft(
  world: MailWorld,
  scope: MailScope,
  message: StoredMessage,
  keeps = true,
): void {
  const { store, context } = world;
  if (!message.isDraft)
    throw new GraphProblem(400, "ErrorInvalidOperation", "Only a draft can be sent.");
  checkRecipients(message);
  const recipients = recipientsOf(message);
  const nowMs = context.clock.now();
  const sentMs = Math.floor(nowMs / 1000) * 1000;
  const sent = keeps
    ? fileSent(world, scope, message, { isDraft: false, sentMs, receivedMs: sentMs })
    : { ...message, sentMs };
  if (!keeps) store.remove(scope.mailbox, message);
  for (const user of new Set(recipients.map((each) => findUser(context, each.address)))) {
    if (user === null || !user.hasMailbox) continue;
    const mailbox = store.mailboxOf(user);
    store.deliver(mailbox, mailbox.wellKnown.get("inbox")!, sent);
  }
}

type Addressed = Pick<MessageContent, "from" | "toRecipients" | "ccRecipients" | "bccRecipients">;

function recipientsOf({ toRecipients, ccRecipients, bccRecipients }: Addressed) {
  return [...toRecipients, ...ccRecipients, ...bccRecipients];
}

function checkRecipients(message: Addressed): void {
  if (recipientsOf(message).length > 0) return;
  throw new GraphProblem(
    400,
    "ErrorInvalidRecipients",
    "At least one recipient is not valid., Recipient(s) required.",
  );
}

/** Nobody here has the right "send as" in another mailbox. */
function checkSender({ user }: MailScope, message: Pick<MessageContent, "from">): void {
  const own = [user.mail, user.userPrincipalName].map((address) => address.toLowerCase());
  if (message.from === null || own.includes(message.from.address.toLowerCase())) return;
  throw new GraphProblem(
    403,
    "ErrorSendAsDenied",
    "The user account which was used to submit this request does not have the right to send mail on behalf of the specified sending account., Cannot submit message.",
  );
}

function fileSent(
  { store, context }: MailWorld,
  { mailbox }: MailScope,
  message: StoredMessage,
  patch: MessagePatch,
): StoredMessage {
  const sentItems = mailbox.wellKnown.get("sentitems")!;
  const delayMs = graphSwitch(context.switches, "sentItemsDelayMs");
  if (delayMs === 0) return store.move(mailbox, message, sentItems, patch);
  const outbox = mailbox.wellKnown.get("outbox")!;
  const waiting = store.move(mailbox, message, outbox, patch);
  context.clock.after(delayMs, () => {
    if (mailbox.messages.get(waiting.key)?.folderId === outbox)
      store.move(mailbox, waiting, sentItems);
  });
  return waiting;
}

function translateIds(world: MailWorld, call: GraphCall) {
  const { mailbox } = scopeOf(world, call, "read-basic");
  const body = lowerFirst(readJson(call.request));
  checkParameters(body, ["inputIds", "sourceIdType", "targetIdType"]);
  const { inputIds } = body;
  if (!Array.isArray(inputIds) || inputIds.length > TRANSLATE_MAX) {
    throw badRequest(
      `inputIds must be a list of at most ${TRANSLATE_MAX} ids.`,
      "ErrorInvalidParameter",
    );
  }
  const source = idTypeOf(body["sourceIdType"]);
  const target = idTypeOf(body["targetIdType"]);
  const value = inputIds.map(String).flatMap((sourceId) => {
    const place = readExchangeId(mailbox.tag, sourceId, source);
    if (place === null)
      throw badRequest(`Id '${sourceId}' is malformed.`, "ErrorInvalidIdMalformed");
    const found = world.store.find(
      mailbox,
      writeExchangeId(mailbox.tag, place, "restImmutableEntryId"),
    );
    if (found === null || found === "malformed") return [];
    return [{ sourceId, targetId: writeExchangeId(mailbox.tag, found, target) }];
  });
  const context = contextUrl(world.context, call, "Collection(microsoft.graph.convertIdResult)");
  return json(200, { "@odata.context": context, value }, call);
}

function idTypeOf(given: unknown): ExchangeIdType {
  const wanted = String(given).toLowerCase();
  const type = EXCHANGE_ID_TYPES.find((known) => known.toLowerCase() === wanted);
  if (type === undefined)
    throw badRequest(`'${String(given)}' is not an id type.`, "ErrorInvalidParameter");
  return type;
}
