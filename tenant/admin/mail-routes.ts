import { generateMessage } from "../content/generate.ts";
import type { TenantContext } from "../context.ts";
import type { GraphAdmin, MessageReference, MessageTruth, SendMail } from "../graph/admin.ts";
import type { GraphPart } from "../graph/graph-part.ts";
import type { AttachmentDraft, AuthVerdict, Header } from "../graph/mailbox/mail-model.ts";
import { type AddRoute, AdminRefusal, isObject, ok, readJson, stringOf } from "./admin-call.ts";

const TEXT_FIELDS = ["from", "subject", "internetMessageId", "receivedAt", "importance"] as const;

/** What people do with mail: it arrives, is moved, read, flagged and deleted. */
export function addMailRoutes(on: AddRoute, context: TenantContext, graph: GraphPart): void {
  const mail = graph.admin;

  on("POST", "/mail", async (request) => {
    const body = readJson(request);
    const to = [body["to"]].flat().map(String);
    if (body["to"] === undefined) stringOf(body, "to");
    for (const name of to) checkMailbox(context, name);
    const draft = readDraft(body);
    const folder = typeof body["folder"] === "string" ? { folder: body["folder"] } : {};
    const sent = await orNotFound(() => mail.sendMail({ ...draft, ...folder, to }));
    return ok(summaryOf(mail, sent[0]!), 201);
  });

  on("GET", "/mailboxes", () => {
    const owners = context.users.filter((user) => user.hasMailbox);
    return ok({ value: owners.map(({ id, userPrincipalName }) => ({ id, userPrincipalName })) });
  });
  on("GET", "/mailboxes/{mailbox}/messages", async (request) => {
    const mailbox = request.params["mailbox"]!;
    checkMailbox(context, mailbox);
    const named = request.query.get("folder");
    const folder = named && (await orNotFound(() => mail.folderId(mailbox, named)));
    const top = Number(request.query.get("top") ?? 25) || 25;
    return ok({ value: newestFirst(mail, mailbox, folder).slice(0, top) });
  });
  on("POST", "/mailboxes/{mailbox}/folders", async (request) => {
    const { parent, ...body } = readJson(request);
    const mailbox = request.params["mailbox"]!;
    checkMailbox(context, mailbox);
    const name = stringOf(body, "displayName");
    const under = typeof parent === "string" ? parent : undefined;
    return ok(await orNotFound(() => mail.createFolder(mailbox, name, under)), 201);
  });
  on("POST", "/mailboxes/{mailbox}/fill", async (request) => {
    const body = readJson(request);
    const count = Number(body["count"] ?? 0);
    if (!Number.isInteger(count) || count < 1) {
      throw new AdminRefusal(400, "BadRequest", "'count' must be a whole number of at least 1.");
    }
    const folder = String(body["folder"] ?? "inbox");
    await orNotFound(() =>
      mail.addLazyMailbox(request.params["mailbox"]!, folder, count, generateMessage),
    );
    return ok({ count }, 201);
  });
  on("PUT", "/apps/{appId}/mailboxes", async (request) => {
    const { appId } = request.params;
    const { mailboxes } = readJson(request);
    if (!context.apps.some((app) => app.appId === appId))
      throw new AdminRefusal(404, "NotFound", "There is no such app.");
    if (mailboxes !== null && !isTexts(mailboxes))
      throw new AdminRefusal(400, "BadRequest", "'mailboxes' must be a list of strings, or null.");
    for (const name of mailboxes ?? []) checkMailbox(context, name);
    mail.restrictApp(appId!, mailboxes);
    return ok({ appId, mailboxes });
  });
  addMessageRoutes(on, context, mail);
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

type Act = (target: Target, body: Record<string, unknown>) => MessageReference | null;

function addMessageRoutes(on: AddRoute, context: TenantContext, mail: GraphAdmin): void {
  const onMessage = (what: string, act: Act) =>
    on("POST", `/messages/{message}/${what}`, async (request) => {
      const body = readJson(request);
      const target = readTarget(context, mail, request.params["message"]!, body);
      const reference = await orNotFound(() => act(target, body));
      return ok(reference === null ? { deleted: true } : summaryOf(mail, reference));
    });
  onMessage("move", ({ mailbox, message }, body) =>
    mail.move(mailbox, message, stringOf(body, "folder")),
  );
  onMessage("read", ({ mailbox, message }, body) =>
    mail.markRead(mailbox, message, body["isRead"] !== false),
  );
  onMessage("flag", ({ mailbox, message }, body) =>
    mail.flag(mailbox, message, (body["status"] as "flagged" | undefined) ?? "flagged"),
  );
  onMessage("categorize", ({ mailbox, message }, body) =>
    mail.categorize(mailbox, message, [body["categories"] ?? []].flat().map(String)),
  );
  onMessage("delete", ({ mailbox, message }, body) => {
    if (body["permanently"] !== true) return mail.softDelete(mailbox, message);
    mail.hardDelete(mailbox, message);
    return null;
  });
}

interface Target {
  readonly mailbox: string;
  readonly message: string;
}

/** `latest` is the newest message of the inbox, or of the whole mailbox if the inbox is empty. */
function readTarget(
  context: TenantContext,
  mail: GraphAdmin,
  message: string,
  body: Record<string, unknown>,
): Target {
  const mailbox = stringOf(body, "mailbox");
  checkMailbox(context, mailbox);
  if (message !== "latest") return { mailbox, message };
  const newest =
    newestFirst(mail, mailbox, "inbox")[0] ?? newestFirst(mail, mailbox, null)[0] ?? null;
  if (newest === null) throw new AdminRefusal(404, "NotFound", `${mailbox} holds no message`);
  return { mailbox, message: newest.id };
}

function newestFirst(mail: GraphAdmin, mailbox: string, folder: string | null): MessageTruth[] {
  const messages = mail.mailboxTruth(mailbox).reverse();
  const kept = messages.filter((message) => folder === null || isIn(message, folder));
  return kept.sort((a, b) => b.receivedDateTime.localeCompare(a.receivedDateTime));
}

function isIn(message: MessageTruth, folder: string): boolean {
  return message.folderId === folder || message.folder.toLowerCase() === folder.toLowerCase();
}

function summaryOf(mail: GraphAdmin, reference: MessageReference): object {
  const truth = mail.mailboxTruth(reference.user).find((each) => each.id === reference.id);
  return { mailbox: reference.user, ...(truth ?? reference) };
}

function checkMailbox(context: TenantContext, name: string): void {
  const wanted = name.toLowerCase();
  const user = context.users.find((each) =>
    [each.id, each.userPrincipalName, each.mail].some((known) => known.toLowerCase() === wanted),
  );
  if (user?.hasMailbox) return;
  throw new AdminRefusal(
    404,
    "NotFound",
    `${name} has no mailbox here; postroom tenant users lists who has one`,
  );
}

/** The mail part throws if something does not exist; the admin API turns that into a refusal. */
async function orNotFound<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new AdminRefusal(404, "NotFound", (error as Error).message);
  }
}

function readDraft(body: Record<string, unknown>): Omit<SendMail, "to"> {
  const eml = body["eml"];
  const given = Object.fromEntries(
    TEXT_FIELDS.filter((name) => typeof body[name] === "string").map((name) => [name, body[name]]),
  );
  const text = body["body"];
  return {
    ...(typeof eml === "string"
      ? { eml: Buffer.from(eml, "base64") }
      : { from: "someone@elsewhere.example" }),
    ...given,
    ...(typeof text === "string"
      ? { body: { contentType: text.startsWith("<") ? "html" : "text", content: text } }
      : {}),
    ...(body["auth"] === undefined ? {} : { auth: readVerdict(body["auth"]) }),
    headers: readHeaders(body["headers"] ?? []),
    attachments: readAttachments(body["attachments"]),
  };
}

const VERDICTS = ["pass", "fail", "none"] as const;

function readVerdict(given: unknown): AuthVerdict {
  const verdict = VERDICTS.find((known) => known === given);
  if (verdict !== undefined) return verdict;
  throw new AdminRefusal(400, "BadRequest", "'auth' must be pass, fail or none.");
}

/** Headers that the sender adds; they are placed above those of a given MIME message. */
function readHeaders(given: unknown): Header[] {
  if (!Array.isArray(given) || !given.every(isObject))
    throw new AdminRefusal(400, "BadRequest", "'headers' must be a list of objects.");
  return given.map((each) => ({ name: stringOf(each, "name"), value: stringOf(each, "value") }));
}

function readAttachments(given: unknown): AttachmentDraft[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given) || !given.every(isObject))
    throw new AdminRefusal(400, "BadRequest", "'attachments' must be a list of objects.");
  return given.map((each) => ({
    name: stringOf(each, "name"),
    ...(typeof each["contentType"] === "string" ? { contentType: each["contentType"] } : {}),
    ...(typeof each["contentId"] === "string" ? { contentId: each["contentId"] } : {}),
    ...(typeof each["sourceUrl"] === "string" ? { sourceUrl: each["sourceUrl"] } : {}),
    isInline: each["isInline"] === true,
    bytes: Buffer.from(String(each["contentBytes"] ?? ""), "base64"),
  }));
}
