import { draftFromEml } from "../content/eml.ts";
import type { TenantContext } from "../context.ts";
import type { AttachmentDraft, MessageDraft } from "../graph/mail-model.ts";
import type { TenantRequest } from "../http.ts";
import type { LoadedParts } from "../parts.ts";
import { type AddRoute, AdminRefusal, ok, readJson, stringOf } from "./admin-call.ts";
import type { MailOperations } from "./mail-operations.ts";

const TEXT_FIELDS = ["from", "subject", "internetMessageId", "receivedAt", "importance"] as const;

/** Mail as its people handle it: arriving, moved, read, flagged, deleted. */
export function addMailRoutes(on: AddRoute, context: TenantContext, parts: LoadedParts): void {
  const mail: MailOperations = parts.graph.admin;

  on("POST", "/mail", async (request) => {
    const body = readJson(request);
    const to = stringOf(body, "to");
    const draft = await readDraft(body, to);
    const folder = typeof body["folder"] === "string" ? { folder: body["folder"] } : {};
    return ok(found(mail.sendMail(to, draft, folder), `${to} has no mailbox here`), 201);
  });

  on("GET", "/mailboxes", () =>
    ok({
      value: context.users.filter((user) => user.hasMailbox).map((user) => user.userPrincipalName),
    }),
  );
  on("GET", "/mailboxes/{mailbox}/messages", (request) => {
    const mailbox = request.params["mailbox"]!;
    const folder = request.query.get("folder");
    const top = Number(request.query.get("top") ?? 25) || 25;
    const listed = mail.list(mailbox, { top, ...(folder ? { folder } : {}) });
    return ok({ value: found(listed, `${mailbox} has no such mailbox or folder here`) });
  });
  on("POST", "/mailboxes/{mailbox}/folders", (request) => {
    const body = readJson(request);
    const parent = typeof body["parent"] === "string" ? body["parent"] : undefined;
    const made = mail.createFolder(
      request.params["mailbox"]!,
      stringOf(body, "displayName"),
      parent,
    );
    return ok(found(made, "there is no such mailbox or parent folder"), 201);
  });

  const onMessage = (
    what: string,
    act: (target: Target, body: Record<string, unknown>) => object | null,
  ) =>
    on("POST", `/messages/{message}/${what}`, (request) => {
      const target = readTarget(mail, request);
      return ok(
        found(act(target, readJson(request)), `${target.mailbox} has no such message or folder`),
      );
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
  onMessage("delete", ({ mailbox, message }, body) =>
    mail.delete(mailbox, message, body["permanently"] === true) ? { deleted: true } : null,
  );
}

interface Target {
  readonly mailbox: string;
  readonly message: string;
}

/** `latest` is the newest message of the inbox, or of the whole mailbox when the inbox is empty. */
function readTarget(mail: MailOperations, request: TenantRequest): Target {
  const mailbox = stringOf(readJson(request), "mailbox");
  const message = request.params["message"]!;
  if (message !== "latest") return { mailbox, message };
  const newest =
    mail.list(mailbox, { folder: "inbox", top: 1 })?.[0] ?? mail.list(mailbox, { top: 1 })?.[0];
  return { mailbox, message: found(newest, `${mailbox} holds no message`).id };
}

function found<T>(value: T | null | undefined, message: string): T {
  if (value !== null && value !== undefined) return value;
  throw new AdminRefusal(404, "NotFound", message);
}

async function readDraft(body: Record<string, unknown>, to: string): Promise<MessageDraft> {
  const eml = body["eml"];
  const parsed: MessageDraft =
    typeof eml === "string" ? await draftFromEml(Buffer.from(eml, "base64")) : {};
  const given = Object.fromEntries(
    TEXT_FIELDS.filter((name) => typeof body[name] === "string").map((name) => [name, body[name]]),
  );
  const text = body["body"];
  const attachments = [...(parsed.attachments ?? []), ...readAttachments(body["attachments"])];
  return {
    from: "someone@elsewhere.example",
    to,
    ...parsed,
    ...given,
    ...(typeof text === "string"
      ? { body: { contentType: text.startsWith("<") ? "html" : "text", content: text } }
      : {}),
    ...(body["headers"] === undefined
      ? {}
      : { headers: body["headers"] as MessageDraft["headers"] & object }),
    attachments,
  };
}

function readAttachments(given: unknown): AttachmentDraft[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given))
    throw new AdminRefusal(400, "BadRequest", "'attachments' must be a list.");
  return (given as Record<string, unknown>[]).map((each) => ({
    name: stringOf(each, "name"),
    ...(typeof each["contentType"] === "string" ? { contentType: each["contentType"] } : {}),
    ...(typeof each["contentId"] === "string" ? { contentId: each["contentId"] } : {}),
    ...(typeof each["sourceUrl"] === "string" ? { sourceUrl: each["sourceUrl"] } : {}),
    isInline: each["isInline"] === true,
    bytes: Buffer.from(String(each["contentBytes"] ?? ""), "base64"),
  }));
}
