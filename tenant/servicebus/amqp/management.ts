/** Requests to `{entity}/$management`, by their documented operation names. */
import rhea from "rhea";
import { readMessage, type StoredMessage, writeMessage } from "../queue/message.ts";
import type { Disposition, Queue } from "../queue/queue.ts";
import type { AmqpError, AmqpWorld } from "./amqp-world.ts";
import type { ManagementAnswer, ManagementRequest } from "./management-message.ts";
import { refuseBatch } from "./sender-link.ts";

type Body = Record<string, unknown>;
type Operation = (queue: Queue, body: Body, world: AmqpWorld) => ManagementAnswer;

const { types } = rhea;
const OK: ManagementAnswer = { status: 200, description: "OK" };

/** Why nothing below a topic can be opened or managed; null for other addresses. */
export function refuseTopic(address: string): AmqpError | null {
  if (!/\/subscriptions\//i.test(address)) return null;
  return {
    condition: "amqp:not-implemented",
    description: `'${address}': topics and subscriptions are not part of the local tenant.`,
  };
}

export function answerRequest(
  world: AmqpWorld,
  path: string,
  granted: ReadonlySet<string>,
  request: ManagementRequest,
): ManagementAnswer {
  const name = String(request.application_properties?.["operation"] ?? "");
  const topic = refuseTopic(path);
  if (topic !== null) return failure(501, topic.condition, topic.description);
  const queue = world.broker.find(path);
  if (queue === undefined) {
    return failure(404, "amqp:not-found", `The messaging entity '${path}' could not be found.`);
  }
  if (!world.claims.covers(granted, path)) {
    return failure(401, "amqp:unauthorized-access", "Unauthorized access.");
  }
  const plain = name.replace(/^com\.microsoft:/, "");
  const operation = Object.hasOwn(OPERATIONS, plain) ? OPERATIONS[plain] : undefined;
  if (operation === undefined) {
    return failure(501, "amqp:not-implemented", `The operation '${name}' is not known.`);
  }
  const where = { part: "servicebus", operation: name, queue: path };
  if (world.context.faults.strike("server-busy", where) !== null) {
    return failure(503, "com.microsoft:server-busy", "The server is busy.");
  }
  try {
    return operation(queue, (request.body ?? {}) as Body, world);
  } catch (cause) {
    // The client chose the body, so any field can have any type.
    return failure(400, "amqp:invalid-field", String(cause));
  }
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  "renew-lock": (queue, body) => {
    const expirations = queue.renewLocks(tokensOf(body));
    if (expirations === null) return lockLost();
    return ok({ expirations: types.wrap_array(expirations, 0x83, undefined) });
  },

  "peek-message": (queue, body) => {
    const from = toNumber(body["from-sequence-number"]);
    const sessionId = body["session-id"] === undefined ? null : String(body["session-id"]);
    const found = queue.peek(from, toNumber(body["message-count"]), sessionId);
    if (found.length === 0) return { status: 204, description: "No content" };
    return ok({ messages: found.map((message) => wrapMessage(unlocked(message))) });
  },

  "schedule-message": (queue, body, { broker }) => {
    const entries = (body["messages"] ?? []) as { message: Buffer }[];
    const batch = entries.map(({ message }) => broker.named(readMessage(Buffer.from(message))));
    const refusal = refuseBatch(queue, batch);
    if (refusal !== null) return failure(400, refusal.condition, refusal.description);
    // A dropped duplicate still gets a number, but it cannot be used to cancel anything.
    const sequences = queue.send(batch).map((sequence) => sequence ?? 0);
    return ok({ "sequence-numbers": types.wrap_array(sequences, 0x81, undefined) });
  },

  "cancel-scheduled-message": (queue, body) =>
    queue.cancelScheduled(sequencesOf(body))
      ? OK
      : failure(404, "com.microsoft:message-not-found", "The scheduled message was not found."),

  "receive-by-sequence-number": (queue, body) => {
    const sessionId = body["session-id"] === undefined ? null : String(body["session-id"]);
    const isDestructive = body["receiver-settle-mode"] === 0;
    const found = queue.receiveDeferred(sequencesOf(body), isDestructive, sessionId);
    if (found === null) {
      return failure(404, "com.microsoft:message-not-found", "The deferred message was not found.");
    }
    return ok({ messages: found.map(wrapMessage) });
  },

  "update-disposition": (queue, body) => {
    const disposition = dispositionOf(body);
    if (disposition === null) return failure(400, "amqp:invalid-field", "Unknown disposition.");
    const isDone = tokensOf(body).map((token) => queue.settle(token, disposition));
    return isDone.every(Boolean) ? OK : lockLost();
  },

  "renew-session-lock": (queue, body) => {
    const untilMs = queue.renewSession(String(body["session-id"]));
    if (untilMs === null) return sessionLockLost();
    return ok({ expiration: types.wrap_timestamp(untilMs) });
  },

  "set-session-state": (queue, body, { context }) => {
    const session = queue.sessions.get(String(body["session-id"]));
    const state = body["session-state"];
    session.state = state === null || state === undefined ? null : toBytes(state);
    session.updatedAtMs = context.clock.now();
    return OK;
  },

  "get-session-state": (queue, body) => {
    const state = queue.sessions.find(String(body["session-id"]))?.state ?? null;
    return ok({ "session-state": state === null ? null : types.wrap_binary(state as never) });
  },

  "get-message-sessions": (queue, body) => {
    const ids = [...queue.sessions.all()]
      .filter((session) => session.state !== null || session.lane.first() !== null)
      .map((session) => session.id);
    const skip = toNumber(body["skip"]);
    const page = ids.slice(skip, skip + toNumber(body["top"]));
    if (page.length === 0) return { status: 204, description: "No content" };
    return ok({ skip: types.wrap_int(skip + page.length), "sessions-ids": page });
  },

  "batch-delete-messages": (queue, body) => {
    const before = body["enqueued-time-utc"];
    const beforeMs = before instanceof Date ? before.getTime() : toNumber(before);
    const count = queue.deleteBatch(toNumber(body["message-count"]), beforeMs);
    if (count === 0) return { status: 204, description: "No content" };
    return ok({ "message-count": types.wrap_int(count) });
  },
};

function ok(body: object): ManagementAnswer {
  return { ...OK, body };
}

function failure(status: number, condition: string, description: string): ManagementAnswer {
  return { status, condition, description };
}

function lockLost(): ManagementAnswer {
  const text =
    "The lock supplied is invalid. Either the lock expired, or the message has already been removed from the queue.";
  return failure(410, "com.microsoft:message-lock-lost", text);
}

function sessionLockLost(): ManagementAnswer {
  return failure(410, "com.microsoft:session-lock-lost", "The session lock has expired.");
}

function tokensOf(body: Body): string[] {
  return ((body["lock-tokens"] ?? []) as Buffer[]).map((token) =>
    Buffer.from(token).toString("hex"),
  );
}

function sequencesOf(body: Body): number[] {
  return ((body["sequence-numbers"] ?? []) as unknown[]).map(toNumber);
}

function toNumber(value: unknown): number {
  if (Buffer.isBuffer(value)) return Number(value.readBigInt64BE(0));
  return Number(value ?? 0);
}

function toBytes(value: unknown): Buffer {
  const content =
    typeof value === "object" && value !== null && "content" in value ? value.content : value;
  return Buffer.isBuffer(content) ? content : Buffer.from(String(content));
}

function wrapMessage(message: StoredMessage) {
  const token = message.lock?.token;
  return types.wrap_map({
    message: types.wrap_binary(writeMessage(message) as never),
    ...(token && { "lock-token": types.wrap_uuid(Buffer.from(token, "hex") as never) }),
  });
}

/** Peeking shows no lock. */
function unlocked(message: StoredMessage): StoredMessage {
  return { ...message, lock: null };
}

function dispositionOf(body: Body): Disposition | null {
  const properties = body["properties-to-modify"] as object | undefined;
  switch (String(body["disposition-status"])) {
    case "completed":
      return { kind: "complete" };
    case "abandoned":
      return { kind: "abandon", properties };
    case "defered":
      return { kind: "defer", properties };
    case "suspended":
      return {
        kind: "dead-letter",
        reason: (body["deadletter-reason"] as string | undefined) ?? null,
        description: (body["deadletter-description"] as string | undefined) ?? null,
        properties,
      };
    default:
      return null;
  }
}
