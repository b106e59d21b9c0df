import type { Connection, Delivery } from "rhea";
import { readHubAddress } from "../hub/hub-address.ts";
import { type IncomingMessage, readBatch, readMessage } from "../queue/message.ts";
import type { Queue } from "../queue/queue.ts";
import type { AmqpError, AmqpWorld } from "./amqp-world.ts";
import { appendTransfer } from "./hub-links.ts";
import { OUTCOME, settleForGood } from "./rhea-inside.ts";

export interface Transfer {
  readonly delivery: Delivery;
  readonly connection: Connection;
  readonly address: string;
  readonly raw: Buffer;
  readonly isBatch: boolean;
}

/** Handles one transfer from a client: a message, or a batch that is accepted or refused as a whole. */
export function takeTransfer({ context, broker, hub }: AmqpWorld, transfer: Transfer): void {
  const { delivery, address, raw, isBatch } = transfer;
  const inHub = readHubAddress(hub, address);
  const queue = broker.find(address);
  const where = { part: "servicebus", operation: "send", queue: address };
  const lost = context.faults.strike("drop-connection", where);
  if (lost !== null) {
    cut(transfer.connection);
    return;
  }
  const busy = context.faults.strike("server-busy", where);
  const error =
    busy !== null
      ? { condition: "com.microsoft:server-busy", description: "The server is busy." }
      : inHub !== null
        ? appendTransfer(hub, inHub, raw, isBatch)
        : queue === undefined
          ? { condition: "amqp:not-found", description: `'${address}' could not be found.` }
          : store(queue, transfer, broker.named);
  if (error !== null) {
    settleForGood(delivery, OUTCOME.rejected(error));
    return;
  }
  // The message is stored, but the sender never learns so and will send it again.
  if (context.faults.strike("lost-ack", where) !== null) cut(transfer.connection);
  else settleForGood(delivery, OUTCOME.accepted());
}

function store(
  queue: Queue,
  { raw, isBatch }: Transfer,
  named: (message: IncomingMessage) => IncomingMessage,
): AmqpError | null {
  if (raw.length > queue.settings.maxMessageSizeBytes) {
    return {
      condition: "amqp:link:message-size-exceeded",
      description: `The received message (delivery-size:${raw.length}) exceeds the limit of ${queue.settings.maxMessageSizeBytes} bytes.`,
    };
  }
  let batch: IncomingMessage[];
  try {
    batch = (isBatch ? readBatch(raw) : [readMessage(raw)]).map(named);
  } catch (cause) {
    return { condition: "amqp:decode-error", description: String(cause) };
  }
  const refusal = refuseBatch(queue, batch);
  if (refusal === null) queue.send(batch);
  return refusal;
}

export function refuseBatch(
  { settings, sizeBytes }: Pick<Queue, "settings" | "sizeBytes">,
  batch: readonly IncomingMessage[],
): AmqpError | null {
  if (sizeBytes() > settings.maxSizeInMegabytes * 1024 * 1024) {
    return {
      condition: "amqp:resource-limit-exceeded",
      description: "The maximum entity size has been reached or exceeded.",
    };
  }
  if (settings.status === "Disabled" || settings.status === "SendDisabled") {
    return { condition: "com.microsoft:entity-disabled", description: "The entity is disabled." };
  }
  if (settings.requiresSession && batch.some((message) => message.sessionId === null)) {
    return {
      condition: "amqp:not-allowed",
      description:
        "The SessionId was not set on a message, and it cannot be sent to the entity. Entities that have session support enabled can only receive messages that have the SessionId set to a valid value.",
    };
  }
  const isTooLong = (text: string | null) => text !== null && text.length > 128;
  if (batch.some((message) => isTooLong(message.messageId) || isTooLong(message.sessionId))) {
    return {
      condition: "amqp:not-allowed",
      description: "MessageId and SessionId have at most 128 characters.",
    };
  }
  return null;
}

/** Ends a connection without notice, as a broken network does. */
export function cut(connection: Connection): void {
  (connection as unknown as { socket?: { destroy(): void } }).socket?.destroy();
}
