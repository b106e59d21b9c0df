import { type ServiceBusClient, ServiceBusClient as Client } from "@azure/service-bus";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestContext } from "../test/helpers/tenant-context.ts";
import { createServiceBusPart } from "./servicebus/service-bus-part.ts";

const context = createTestContext();
const part = createServiceBusPart(context);
let client: ServiceBusClient;
let queue: string;
let count = 0;

beforeAll(() => part.start());
afterAll(() => part.stop());
beforeEach(() => {
  queue = `queue-${++count}`;
  client = new Client(part.connectionString());
});
afterEach(() => client.close());

it("a message arrives with its body and properties and is gone once completed", async () => {
  part.declare({ name: queue });
  await client.createSender(queue).sendMessages({
    body: { hello: "world" },
    messageId: "m-1",
    subject: "greeting",
    correlationId: "c-1",
    contentType: "application/json",
    applicationProperties: { attempt: 1, ratio: 0.5, isFirst: true, text: "ä" },
  });
  const receiver = client.createReceiver(queue);
  const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 2000 });
  expect(message).toMatchObject({
    body: { hello: "world" },
    messageId: "m-1",
    subject: "greeting",
    correlationId: "c-1",
    contentType: "application/json",
    deliveryCount: 0,
    applicationProperties: { attempt: 1, ratio: 0.5, isFirst: true, text: "ä" },
  });
  expect(message!.lockedUntilUtc!.getTime()).toBeGreaterThan(context.clock.now());
  await receiver.completeMessage(message!);
  expect(part.inspect(queue)!.counts).toMatchObject({ active: 0, locked: 0 });
});

it("a batch arrives in order", async () => {
  part.declare({ name: queue });
  const sender = client.createSender(queue);
  const batch = await sender.createMessageBatch();
  for (let index = 0; index < 100; index++) batch.tryAddMessage({ body: index, messageId: `${index}` });
  await sender.sendMessages(batch);
  const received = await client.createReceiver(queue).receiveMessages(100, { maxWaitTimeInMs: 2000 });
  expect(received.map((message) => message.body)).toEqual([...Array(100).keys()]);
});

it("an abandoned message comes back with a higher delivery count", async () => {
  part.declare({ name: queue });
  await client.createSender(queue).sendMessages({ body: 1 });
  const receiver = client.createReceiver(queue);
  const [first] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 2000 });
  await receiver.abandonMessage(first!, { reason: "busy" });
  const [second] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 2000 });
  expect(second).toMatchObject({ deliveryCount: 1, applicationProperties: { reason: "busy" } });
});
