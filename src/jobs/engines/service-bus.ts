/**
 * Azure Service Bus. Messages come from the outbox and carry the envelope as JSON, one job each, in the
 * format that other programs know. The service delays messages until they are due, locks those it has handed
 * out, hands them out again if the lock expires, and has dead-letter queues with reasons.
 */
import {
  isServiceBusError,
  ServiceBusClient,
  type ServiceBusMessage,
  type ServiceBusReceivedMessage,
  type ServiceBusReceiver,
  type ServiceBusSender,
} from "@azure/service-bus";
import type { AzureCredential } from "../../lib/azure-credential.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { Fault } from "../../lib/fault.ts";
import { isUuid } from "../../lib/hash.ts";
import type { Log } from "../../lib/log.ts";
import type { Consumer, EngineMessage, JobEngine, Settlement, Ticket } from "../engine.ts";
import { queueSettings } from "../queues.ts";
import { groupByQueue } from "./group-by-queue.ts";
import { checkQueues, createAdministration } from "./service-bus-queues.ts";
import { createSettlementTurns } from "./settlement-turns.ts";

export interface ServiceBusEngineOptions {
  readonly connectionString: string;
  /** Instead of a key; the connection string is then the name of the namespace. */
  readonly credential?: AzureCredential | null;
  readonly log: Log;
  readonly clock?: Clock;
  /** The names of our queues in the namespace, if they differ. */
  readonly queueNames?: Readonly<Record<string, string>>;
  /** False if the key may not read the settings of queues. */
  readonly checksQueues?: boolean;
}

const LOCK_RENEWAL_MS = 10 * 60_000;
const REASON_LENGTH_MAX = 200;
const DESCRIPTION_LENGTH_MAX = 1_000;
const CORRELATION_ID_LENGTH_MAX = 128;

export function createServiceBusEngine(options: ServiceBusEngineOptions): JobEngine {
  const { log } = options;
  const clock = options.clock ?? systemClock;
  const { connectionString, credential = null } = options;
  const client =
    credential === null
      ? new ServiceBusClient(connectionString)
      : new ServiceBusClient(connectionString, credential);
  const admin = createAdministration(connectionString, credential);
  const senders = new Map<string, ServiceBusSender>();
  const lookers = new Map<string, ServiceBusReceiver>();
  const inOwnTurn = createSettlementTurns();
  const entity = (queue: string) => options.queueNames?.[queue] ?? queue;

  const senderOf = (queue: string): ServiceBusSender => {
    const sender = senders.get(queue) ?? client.createSender(entity(queue));
    senders.set(queue, sender);
    return sender;
  };

  return {
    name: "service-bus",
    isTransactional: false,

    async start(queues) {
      if (options.checksQueues === false) return;
      const plans = queueSettings(queues).map((queue) => ({ ...queue, name: entity(queue.name) }));
      await checkQueues(admin, plans).catch((error: unknown) => {
        if (error instanceof Fault) throw error;
        const text = "cannot read the queues of Service Bus; check ServiceBus__ConnectionString";
        throw new Fault("settings.bad", text, { cause: error });
      });
    },

    async send(messages) {
      for (const [queue, ofQueue] of groupByQueue(messages)) {
        await sendToQueue(senderOf(queue), ofQueue, clock);
      }
    },

    consume(queue, limit, onTickets) {
      const receiver = client.createReceiver(entity(queue), {
        receiveMode: "peekLock",
        maxAutoLockRenewalDurationInMs: LOCK_RENEWAL_MS,
      });
      return subscribe(receiver, { queue, limit, onTickets, log });
    },

    async settle(tickets, how) {
      const settleTogether = async (batch: readonly Ticket[]) =>
        void (await Promise.all(batch.map((ticket) => settleMessage(ticket, how))));
      const turns = how.kind === "done" ? [tickets] : tickets.map((ticket) => [ticket]);
      await Promise.all(turns.map((batch) => inOwnTurn(() => settleTogether(batch))));
    },

    async depth(queue) {
      if (options.checksQueues !== false) {
        return (await admin.getQueueRuntimeProperties(entity(queue))).activeMessageCount;
      }
      // Without the right to read the count, a peek shows whether the queue is empty.
      const looker = lookers.get(queue) ?? client.createReceiver(entity(queue));
      lookers.set(queue, looker);
      return (await looker.peekMessages(1)).length;
    },

    async stop() {
      await client.close();
    },
  };
}

interface Handle {
  readonly receiver: ServiceBusReceiver;
  readonly message: ServiceBusReceivedMessage;
  onSettled(): void;
}

function subscribe(
  receiver: ServiceBusReceiver,
  options: { queue: string; limit: number; onTickets: (tickets: Ticket[]) => void; log: Log },
): Consumer {
  const { queue, log } = options;
  const subscription = receiver.subscribe(
    {
      // The promise lasts until the message is settled, so the limit counts unsettled messages.
      processMessage: (message) =>
        new Promise((resolve) => {
          const handle: Handle = { receiver, message, onSettled: resolve };
          options.onTickets([toTicket(queue, message, handle)]);
        }),
      processError: async ({ error }) => {
        log.warn({ err: error, queue }, "Service Bus reports an error");
      },
    },
    { autoCompleteMessages: false, maxConcurrentCalls: options.limit },
  );
  return {
    // The service pushes messages, so there is nothing to wake.
    wake() {},
    stop: () => subscription.close(),
  };
}

async function settleMessage(ticket: Ticket, how: Settlement): Promise<void> {
  const { receiver, message, onSettled } = ticket.handle as Handle;
  try {
    if (how.kind === "done") await receiver.completeMessage(message);
    else if (how.kind === "release") await receiver.abandonMessage(message);
    else {
      await receiver.deadLetterMessage(message, {
        deadLetterReason: how.reason.slice(0, REASON_LENGTH_MAX),
        deadLetterErrorDescription: how.description.slice(0, DESCRIPTION_LENGTH_MAX),
      });
    }
  } catch (error) {
    // The service hands it out again; the table knows whether the job is done.
    if (!isServiceBusError(error) || error.code !== "MessageLockLost") throw error;
  } finally {
    onSettled();
  }
}

function toTicket(queue: string, message: ServiceBusReceivedMessage, handle: Handle): Ticket {
  const data = message.body as { jobId?: unknown; jobType?: unknown } | string | null;
  const text = typeof data === "string" ? data : bodyText(message.body);
  const messageId = String(message.messageId ?? message.sequenceNumber);
  const foreign = { messageId, body: text, sizeBytes: Buffer.byteLength(text) };
  if (data !== null && typeof data === "object" && isUuid(data.jobId)) {
    if (typeof data.jobType === "string") {
      return { queue, jobId: data.jobId, type: data.jobType, foreign, handle };
    }
  }
  return { queue, jobId: null, type: null, foreign, handle };
}

function bodyText(body: unknown): string {
  if (Buffer.isBuffer(body)) return body.toString("utf8");
  return JSON.stringify(body) ?? "";
}

function toServiceBusMessage(message: EngineMessage): ServiceBusMessage {
  return {
    body: message.outside!.envelope,
    messageId: message.jobId,
    correlationId: message.idempotencyKey.slice(0, CORRELATION_ID_LENGTH_MAX),
    contentType: "application/json",
    subject: message.type,
    applicationProperties: { JobType: message.type, Attempt: message.attempt },
  };
}

async function sendToQueue(
  sender: ServiceBusSender,
  messages: readonly EngineMessage[],
  clock: Clock,
): Promise<void> {
  const later = messages.filter((message) => message.delayMs > 0);
  const now = messages.filter((message) => message.delayMs <= 0).map(toServiceBusMessage);
  await sendInBatches(sender, now);
  await Promise.all(
    later.map((message) =>
      sender.scheduleMessages(
        toServiceBusMessage(message),
        new Date(clock.now() + Math.ceil(message.delayMs)),
      ),
    ),
  );
}

async function sendInBatches(
  sender: ServiceBusSender,
  messages: ServiceBusMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  let batch = await sender.createMessageBatch();
  for (const message of messages) {
    if (batch.tryAddMessage(message)) continue;
    await sender.sendMessages(batch);
    batch = await sender.createMessageBatch();
    if (batch.tryAddMessage(message)) continue;
    throw new Fault("job.malformed", "a job is too large for Service Bus", {
      facts: { jobId: String(message.messageId) },
    });
  }
  if (batch.count > 0) await sender.sendMessages(batch);
}
