/**
 * Upload sessions for attachments of 3 to 150 MB: ranges must arrive strictly in order, and without a token.
 */
import type { TenantRequest, TenantResponse } from "../../http.ts";
import type { Random } from "../../random.ts";
import type { GraphCall } from "../call/graph-call.ts";
import { findUser, json, readJson } from "../call/graph-call.ts";
import { badRequest, GraphProblem } from "../call/graph-error.ts";
import { checkParameters } from "../call/parameters.ts";
import type { RouteTable } from "../call/route-table.ts";
import { otherHost } from "../call/upload-host.ts";
import { toMessageId } from "../mailbox/mail-ids.ts";
import { addAttachment } from "./attachment-routes.ts";
import type { MailWorld } from "./mail-scope.ts";
import { loadMessage, scopeOf } from "./mail-scope.ts";
import { lowerFirst, onMessage } from "./message-routes.ts";

const SIZE_MIN = 3 * 1024 * 1024;
const SIZE_MAX = 150 * 1024 * 1024;
const PATH = "/upload/attachments/";

interface UploadSession {
  readonly id: string;
  readonly userId: string;
  readonly messageId: string;
  readonly name: string;
  readonly size: number;
  readonly contentType: string | undefined;
  readonly isInline: boolean;
  readonly contentId: string | null;
  readonly expiresMs: number;
  readonly chunks: Buffer[];
  received: number;
}

export interface AttachmentUploads {
  owns(path: string): boolean;
  /** Handles requests to the pre-authenticated URL of a session. */
  handle(request: TenantRequest): TenantResponse;
}

export function addUploadRoutes(
  routes: RouteTable,
  world: MailWorld,
  random: Random,
): AttachmentUploads {
  const sessions = new Map<string, UploadSession>();
  onMessage(routes, "POST", "/attachments/createUploadSession", (call) => {
    const session = createSession(world, call, random);
    sessions.set(session.id, session);
    return json(
      201,
      {
        "@odata.context": `${world.context.origin()}/${call.version}/$metadata#microsoft.graph.uploadSession`,
        uploadUrl: `${otherHost(world.context.origin())}${PATH}${session.id}`,
        ...progress(session, "-"),
      },
      call,
    );
  });
  return {
    owns: (path) => path.startsWith(PATH),
    handle(request) {
      const session = sessions.get(request.path.slice(PATH.length));
      if (session === undefined || session.expiresMs <= world.context.clock.now()) {
        throw new GraphProblem(404, "ErrorItemNotFound", "The upload session was not found.");
      }
      if (request.headers["authorization"] !== undefined) {
        throw new GraphProblem(
          401,
          "InvalidAuthenticationToken",
          "The upload URL is pre-authenticated; send no Authorization header.",
        );
      }
      if (request.method === "GET") return { status: 200, body: progress(session, "-") };
      if (request.method === "DELETE") {
        sessions.delete(session.id);
        return { status: 204 };
      }
      if (request.method !== "PUT")
        throw new GraphProblem(
          405,
          "Request_BadRequest",
          "Only PUT, GET and DELETE are allowed here.",
        );
      return putRange(world, sessions, session, request);
    },
  };
}

function createSession(world: MailWorld, call: GraphCall, random: Random): UploadSession {
  const scope = scopeOf(world, call, "write");
  const message = loadMessage(world, call, scope);
  const body = lowerFirst(readJson(call.request));
  checkParameters(body, ["attachmentItem"]);
  const item = body["attachmentItem"];
  if (typeof item !== "object" || item === null)
    throw badRequest("The AttachmentItem parameter is missing.", "ErrorInvalidParameter");
  const { attachmentType, name, size, contentType, isInline, contentId } = item as Record<
    string,
    unknown
  >;
  if (
    String(attachmentType).toLowerCase() !== "file" ||
    typeof name !== "string" ||
    !Number.isInteger(size)
  ) {
    throw badRequest(
      "attachmentType must be file, and name and size are required.",
      "ErrorInvalidParameter",
    );
  }
  if ((size as number) < SIZE_MIN) {
    throw badRequest(
      "Attachment size must be at least 3 MB for an upload session.",
      "ErrorAttachmentSizeShouldNotBeLessThanMinimumSize",
    );
  }
  if ((size as number) > SIZE_MAX)
    throw badRequest("Attachment size exceeds 150 MB.", "ErrorAttachmentSizeLimitExceeded");
  return {
    id: random.bytes(24).toString("base64url"),
    userId: scope.user.id,
    messageId: toMessageId(scope.mailbox.tag, message.key, "immutable", 0),
    name,
    size: size as number,
    contentType: typeof contentType === "string" ? contentType : undefined,
    isInline: isInline === true,
    contentId: typeof contentId === "string" ? contentId : null,
    expiresMs: world.context.clock.now() + world.context.switches.uploadSessionLifetimeMs,
    chunks: [],
    received: 0,
  };
}

function putRange(
  world: MailWorld,
  sessions: Map<string, UploadSession>,
  session: UploadSession,
  request: TenantRequest,
): TenantResponse {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/i.exec(request.headers["content-range"] ?? "");
  if (range === null)
    throw badRequest("The Content-Range header is missing or malformed.", "ErrorInvalidParameter");
  const [first, last, total] = [Number(range[1]), Number(range[2]), Number(range[3])];
  if (total !== session.size || last >= total || request.body.length !== last - first + 1) {
    throw badRequest(
      "The Content-Range header does not fit the body or the size of the session.",
      "ErrorInvalidParameter",
    );
  }
  if (first !== session.received) {
    throw new GraphProblem(
      416,
      "ErrorInvalidRange",
      `The range must start at ${session.received}.`,
    );
  }
  session.chunks.push(request.body);
  session.received = last + 1;
  if (session.received < session.size)
    return {
      status: 200,
      body: {
        "@odata.context": `${world.context.origin()}/v1.0/$metadata#microsoft.graph.uploadSession`,
        ...progress(session, ""),
      },
    };
  sessions.delete(session.id);
  return finish(world, session);
}

function finish(world: MailWorld, session: UploadSession): TenantResponse {
  const user = findUser(world.context, session.userId)!;
  const mailbox = world.store.mailboxOf(user);
  const message = world.store.find(mailbox, session.messageId);
  if (message === null || message === "malformed")
    throw new GraphProblem(404, "ErrorItemNotFound", "The message is gone.");
  const { name, contentType, isInline, contentId } = session;
  const attachment = addAttachment(world, { user, mailbox, folder: null }, message, {
    kind: "file",
    name,
    contentType,
    isInline,
    contentId,
    bytes: Buffer.concat(session.chunks),
  });
  const id = toMessageId(mailbox.tag, message.key, "default", message.moves);
  const attachmentId = toMessageId(
    mailbox.tag,
    message.key,
    "default",
    message.moves,
    attachment.number,
  );
  return {
    status: 201,
    headers: {
      location: `${world.context.origin()}/v1.0/users('${user.id}')/messages('${id}')/attachments('${attachmentId}')`,
    },
  };
}

/** In the response to a PUT, `nextExpectedRanges` holds only the next offset; elsewhere a dash follows it. */
function progress(session: UploadSession, ending: string): object {
  return {
    expirationDateTime: new Date(session.expiresMs).toISOString(),
    nextExpectedRanges: [`${session.received}${ending}`],
  };
}
