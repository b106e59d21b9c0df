/** Sends messages to Azure Event Hubs. All messages of a sink share a partition, which keeps their order. */
import { EventHubProducerClient, parseEventHubConnectionString } from "@azure/event-hubs";
import type { Secret } from "../lib/redact.ts";
import { type RemoteSink, type SinkMessage, toBody } from "./sink.ts";

export function openEventHubsSink(name: string, connectionString: Secret): RemoteSink {
  const producer = new EventHubProducerClient(connectionString.reveal(), {
    retryOptions: { maxRetries: 0, timeoutInMs: 15_000 },
  });
  /** The first messages that fit into one batch: how many they are, once the hub has them all. */
  const sendSome = async (messages: readonly SinkMessage[], abortSignal: AbortSignal) => {
    const batch = await producer.createBatch({ partitionKey: name, abortSignal });
    const fitting = messages.findIndex((message) => !batch.tryAdd(toEvent(message)));
    const count = fitting === -1 ? messages.length : fitting;
    if (count === 0) throw new Error(`message ${messages[0]!.id} is too large for the hub`);
    await producer.sendBatch(batch, { abortSignal });
    return count;
  };
  return {
    async deliver(messages, signal) {
      let taken = 0;
      try {
        while (taken < messages.length) taken += await sendSome(messages.slice(taken), signal);
        return { taken };
      } catch (error) {
        return { taken, problem: { text: (error as Error).message } };
      }
    },
    close: () => producer.close(),
  };
}

function toEvent(message: SinkMessage) {
  return {
    body: JSON.parse(toBody(message)) as object,
    contentType: "application/json",
    messageId: message.id,
    properties: { id: message.id, type: message.type },
  };
}

/** The host and the hub that a connection string names; it throws if one is missing. */
export function targetOf(connectionString: string): { host: string; hub: string } {
  const { fullyQualifiedNamespace, eventHubName } = parseEventHubConnectionString(connectionString);
  if (eventHubName === undefined)
    throw new Error("the connection string names no hub (EntityPath)");
  return { host: fullyQualifiedNamespace.replace(/:\d+$/, ""), hub: eventHubName };
}
