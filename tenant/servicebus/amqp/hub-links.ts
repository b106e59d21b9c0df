/** Clients of the event hub: events from producers are appended, and consumers follow a partition. */
import rhea, { type Sender } from "rhea";
import type { Hub, HubReader, NewEvent, StoredEvent } from "../hub/hub.ts";
import type { HubAddress } from "../hub/hub-address.ts";
import {
  EMPTY_MAP,
  readSections,
  SECTION,
  type WrittenValue,
  writeMapSection,
  writePairs,
} from "../queue/amqp-bytes.ts";
import { readBatch, readMessage } from "../queue/message.ts";
import type { AmqpError, AmqpWorld, Peer } from "./amqp-world.ts";
import { freeCredit, remoteAttach } from "./rhea-inside.ts";

/** The largest batch of the standard tier. */
export const BATCH_BYTES_MAX = 1024 * 1024;
const SELECTOR = "apache.org:selector-filter:string";
const EPOCH = "com.microsoft:epoch";
const RUNTIME_METRIC = "com.microsoft:enable-receiver-runtime-metric";
const IDEMPOTENT = "com.microsoft:idempotent-producer";

/** Handles one transfer from a producer: an event, or a batch that is accepted or refused as a whole. */
export function appendTransfer(
  hub: Hub,
  { partition }: HubAddress,
  raw: Buffer,
  isBatch: boolean,
): AmqpError | null {
  if (raw.length > BATCH_BYTES_MAX) {
    return {
      condition: "amqp:link:message-size-exceeded",
      description: `The received message (delivery-size:${raw.length}) exceeds the limit of ${BATCH_BYTES_MAX} bytes.`,
    };
  }
  try {
    const key = partitionKeyOf(raw);
    if (key !== null && partition !== null) {
      return {
        condition: "amqp:not-allowed",
        description: "A partition key cannot be used with a link to one partition.",
      };
    }
    const events = isBatch ? readBatch(raw) : [readMessage(raw)];
    hub.append(partition === null ? { key } : { partition }, events);
    return null;
  } catch (cause) {
    return { condition: "amqp:decode-error", description: String(cause) };
  }
}

function partitionKeyOf(raw: Buffer): string | null {
  const annotations = readSections(raw).find(({ code }) => code === SECTION.messageAnnotations);
  if (annotations === undefined) return null;
  const { message_annotations: known } = rhea.message.decode(raw.subarray(0, annotations.end));
  const key: unknown = known?.["x-opt-partition-key"];
  return key === undefined || key === null ? null : String(key);
}

/** An event with nothing but a body, as services of Azure send it. */
export function toEvent(body: string): NewEvent {
  const bytes = Buffer.from(body);
  const head = Buffer.from([0x00, 0x53, SECTION.data, 0xb0, 0, 0, 0, 0]);
  head.writeUInt32BE(bytes.length, 4);
  return { annotations: EMPTY_MAP, bare: Buffer.concat([head, bytes]) };
}

/** Why a producer's link is refused. */
export function refuseProducer(desired: unknown): AmqpError | null {
  if (!capabilitiesOf(desired).includes(IDEMPOTENT)) return null;
  return {
    condition: "amqp:not-implemented",
    description: "Idempotent producers are not part of the local tenant.",
  };
}

export function attachConsumer(
  { hub, context }: AmqpWorld,
  sender: Sender,
  peer: Peer,
  { group, partition }: HubAddress,
): void {
  if (group === null || partition === null) {
    sender.close({
      condition: "amqp:not-allowed",
      description: "A receiver names a consumer group and a partition.",
    });
    return;
  }
  const attach = remoteAttach(sender);
  const position = readPosition(attach.source?.filter?.[SELECTOR]);
  if (position === null) {
    sender.close({
      condition: "amqp:invalid-field",
      description: "The filter of the receiver names no position.",
    });
    return;
  }
  const epoch = attach.properties?.[EPOCH];
  const wantsMetric = capabilitiesOf(attach.desired_capabilities).includes(RUNTIME_METRIC);
  const reader: HubReader = {
    ...position,
    group: group.toLowerCase(),
    ownerLevel: epoch === undefined || epoch === null ? null : Number(epoch),
    room: () => (sender.is_open() ? freeCredit(sender) : 0),
    deliver: (event, last) =>
      sender.send(
        writeEvent(event, wantsMetric ? { last, nowMs: context.clock.now() } : null) as never,
        undefined,
        0,
      ),
    end: (error) => sender.close(error),
  };
  const refusal = hub.attach(partition, reader);
  if (refusal !== null) {
    sender.close(refusal);
    return;
  }
  peer.endings.set(sender, () => hub.detach(partition, reader));
  sender.on("sendable", () => hub.pump(partition));
}

/** `amqp.annotation.x-opt-offset > '-1'` and similar filters: where a reader begins. */
function readPosition(filter: unknown): Pick<HubReader, "accepts" | "isLatest"> | null {
  const text =
    typeof filter === "object" && filter !== null && "value" in filter ? filter.value : filter;
  const match =
    /^amqp\.annotation\.x-opt-(offset|sequence-number|enqueued-time) (>=?) '([^']*)'$/.exec(
      String(text),
    );
  if (match === null) return null;
  const [, kind, operator, value] = match;
  if (value === "@latest") return { isLatest: true, accepts: () => true };
  const limit = Number(value);
  if (!Number.isFinite(limit)) return null;
  const number = {
    offset: (event: StoredEvent) => event.offset,
    "sequence-number": (event: StoredEvent) => event.sequence,
    "enqueued-time": (event: StoredEvent) => event.enqueuedAtMs,
  }[kind as "offset"];
  const isInclusive = operator === ">=";
  return {
    isLatest: false,
    accepts: (event) => number(event) > limit || (isInclusive && number(event) === limit),
  };
}

function capabilitiesOf(desired: unknown): string[] {
  return (Array.isArray(desired) ? desired : [desired]).map((each) => String(each ?? ""));
}

function writeEvent(
  event: StoredEvent,
  metric: { last: StoredEvent; nowMs: number } | null,
): Buffer {
  const own: [string, WrittenValue][] = [
    ["x-opt-sequence-number", { type: "long", value: event.sequence }],
    ["x-opt-offset", { type: "string", value: String(event.offset) }],
    ["x-opt-enqueued-time", { type: "timestamp", value: event.enqueuedAtMs }],
  ];
  const annotations = [writePairs("symbol", own), event.annotations];
  return Buffer.concat([
    ...(metric === null ? [] : [writeMetric(metric.last, metric.nowMs)]),
    writeMapSection(SECTION.messageAnnotations, annotations),
    event.bare,
  ]);
}

function writeMetric(last: StoredEvent, nowMs: number): Buffer {
  const pairs = writePairs("symbol", [
    ["last_enqueued_sequence_number", { type: "long", value: last.sequence }],
    ["last_enqueued_offset", { type: "string", value: String(last.offset) }],
    ["last_enqueued_time_utc", { type: "timestamp", value: last.enqueuedAtMs }],
    ["runtime_info_retrieval_time_utc", { type: "timestamp", value: nowMs }],
  ]);
  return writeMapSection(SECTION.deliveryAnnotations, [pairs]);
}
