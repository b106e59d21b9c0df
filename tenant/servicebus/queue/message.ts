import rhea from "rhea";
import {
  EMPTY_MAP,
  type MapBytes,
  readList,
  readMap,
  readSections,
  SECTION,
  type WrittenValue,
  writeListSection,
  writeMapSection,
  writePairs,
} from "./amqp-bytes.ts";

/** A received message, decoded only as far as a broker needs. */
export interface IncomingMessage {
  /** Null if the sender set none; such messages are never duplicates. */
  readonly messageId: string | null;
  readonly sessionId: string | null;
  /** Milliseconds from the header, or null. */
  readonly timeToLiveMs: number | null;
  readonly scheduledForMs: number | null;
  readonly annotations: MapBytes;
  /** Properties, application properties, body and footer, as they were sent. */
  readonly bare: Buffer;
  readonly sizeBytes: number;
}

export interface DeadLetterFacts {
  readonly reason: string | null;
  readonly description: string | null;
  readonly source: string;
}

/** A message inside a queue. */
export interface StoredMessage extends IncomingMessage {
  readonly sequence: number;
  bare: Buffer;
  annotations: MapBytes;
  enqueuedAtMs: number;
  expiresAtMs: number;
  /** How many deliveries have failed; the AMQP header calls it delivery-count. */
  deliveryCount: number;
  state: "active" | "scheduled" | "deferred" | "locked" | "gone";
  /** If a locked message was deferred, abandoning it defers it again. */
  isDeferred: boolean;
  lock: { token: string; untilMs: number; owner: object | null } | null;
  deadLetter: (DeadLetterFacts & { enqueueSequence: number }) | null;
}

/** Keys that only the broker may set. */
const BROKER_KEYS = new Set([
  "x-opt-sequence-number",
  "x-opt-offset",
  "x-opt-enqueued-time",
  "x-opt-locked-until",
  "x-opt-message-state",
  "x-opt-enqueue-sequence-number",
  "x-opt-deadletter-source",
]);

/** Reads an encoded message; throws RangeError if it is not one. */
export function readMessage(raw: Buffer): IncomingMessage {
  const sections = readSections(raw);
  const body = sections.find((section) => section.code >= SECTION.properties);
  const bareStart = body?.start ?? raw.length;
  const properties = sections.find((section) => section.code === SECTION.properties);
  const known = rhea.message.decode(raw.subarray(0, properties?.end ?? bareStart));
  const annotations = sections.find((section) => section.code === SECTION.messageAnnotations);
  return {
    messageId: toText(known.message_id),
    sessionId: toText(known.group_id),
    timeToLiveMs: known.ttl ?? null,
    scheduledForMs: toMs(known.message_annotations?.["x-opt-scheduled-enqueue-time"]),
    annotations:
      annotations === undefined ? EMPTY_MAP : readMap(raw, annotations.valueStart, BROKER_KEYS),
    bare: raw.subarray(bareStart),
    sizeBytes: raw.length,
  };
}

/** Gives a message without an id one of its own, as the service does. */
export function withMessageId(message: IncomingMessage, messageId: string): IncomingMessage {
  return { ...message, messageId, bare: putMessageId(message.bare, messageId) };
}

function putMessageId(bare: Buffer, messageId: string): Buffer {
  const properties = readSections(bare)[0];
  const id = Buffer.concat([
    Buffer.from([0xa1, messageId.length]),
    Buffer.from(messageId, "ascii"),
  ]);
  if (properties?.code !== SECTION.properties) {
    return Buffer.concat([writeListSection(SECTION.properties, 1, id), bare]);
  }
  const { count, items } = readList(bare, properties.valueStart);
  // The first field is the id, and it is null: one byte.
  const fields = Buffer.concat([id, items.subarray(count > 0 ? 1 : 0)]);
  const section = writeListSection(SECTION.properties, Math.max(count, 1), fields);
  return Buffer.concat([section, bare.subarray(properties.end)]);
}

/** The messages of one batch transfer: each data section holds one encoded message. */
export function readBatch(raw: Buffer): IncomingMessage[] {
  return readSections(raw)
    .filter((section) => section.code === SECTION.data)
    .map(({ valueStart, end }) =>
      readMessage(raw.subarray(valueStart + (raw[valueStart] === 0xa0 ? 2 : 5), end)),
    );
}

function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return Buffer.isBuffer(value) ? value.toString("hex") : String(value);
}

function toMs(value: unknown): number | null {
  if (value instanceof Date) return value.getTime();
  return typeof value === "number" ? value : null;
}

/** The message as a receiver gets it: header and annotations are ours, the rest is the sender's. */
export function writeMessage(message: StoredMessage): Buffer {
  const parts = [ownAnnotations(message), message.annotations];
  return Buffer.concat([
    writeHeader(message),
    writeMapSection(SECTION.messageAnnotations, parts),
    message.bare,
  ]);
}

function writeHeader(message: StoredMessage): Buffer {
  const ttl = message.expiresAtMs - message.enqueuedAtMs;
  const hasTtl = Number.isFinite(ttl) && ttl <= 0xffff_ffff;
  const bytes = Buffer.alloc(hasTtl ? 20 : 16);
  // A list of five fields: durable, priority, ttl, first-acquirer, delivery-count.
  bytes.set([0x00, 0x53, SECTION.header, 0xc0, bytes.length - 5, 5, 0x41, 0x50, 4]);
  let at = 9;
  bytes[at++] = hasTtl ? 0x70 : 0x40;
  if (hasTtl) at = bytes.writeUInt32BE(Math.max(0, ttl), at);
  bytes[at++] = 0x42;
  bytes[at++] = 0x70;
  bytes.writeUInt32BE(message.deliveryCount, at);
  return bytes;
}

function ownAnnotations(message: StoredMessage): MapBytes {
  const entries: [string, WrittenValue][] = [
    ["x-opt-sequence-number", { type: "long", value: message.sequence }],
    ["x-opt-enqueued-time", { type: "timestamp", value: message.enqueuedAtMs }],
  ];
  if (message.lock !== null) {
    entries.push(["x-opt-locked-until", { type: "timestamp", value: message.lock.untilMs }]);
  }
  if (message.isDeferred) entries.push(["x-opt-message-state", { type: "int", value: 1 }]);
  if (message.state === "scheduled") {
    entries.push(["x-opt-message-state", { type: "int", value: 2 }]);
  }
  if (message.deadLetter !== null) {
    const { enqueueSequence, source } = message.deadLetter;
    entries.push(["x-opt-enqueue-sequence-number", { type: "long", value: enqueueSequence }]);
    entries.push(["x-opt-deadletter-source", { type: "string", value: source }]);
  }
  return writePairs("symbol", entries);
}

/** The bare message with values added to (or replaced in) its application properties. */
export function withApplicationProperties(
  bare: Buffer,
  added: readonly (readonly [string, WrittenValue])[],
): Buffer {
  if (added.length === 0) return bare;
  const sections = readSections(bare);
  const properties = sections.find((section) => section.code === SECTION.properties);
  const existing = sections.find((section) => section.code === SECTION.applicationProperties);
  const insertAt = existing?.start ?? properties?.end ?? 0;
  const names = new Set(added.map(([name]) => name));
  const old = existing === undefined ? EMPTY_MAP : readMap(bare, existing.valueStart, names);
  return Buffer.concat([
    bare.subarray(0, insertAt),
    writeMapSection(SECTION.applicationProperties, [old, writePairs("string", added)]),
    bare.subarray(existing?.end ?? insertAt),
  ]);
}

/** A value decoded by rhea, to be written again. */
export function toWritten(value: unknown): WrittenValue {
  if (typeof value === "boolean") return { type: "boolean", value };
  if (value instanceof Date) return { type: "timestamp", value: value.getTime() };
  if (typeof value !== "number") return { type: "string", value: String(value) };
  return { type: Number.isSafeInteger(value) ? "long" : "double", value };
}
