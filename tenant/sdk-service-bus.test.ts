import { ServiceBusClient as Client, type ServiceBusClient } from "@azure/service-bus";
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
  const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
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
  for (let index = 0; index < 100; index++)
    batch.tryAddMessage({ body: index, messageId: `${index}` });
  await sender.sendMessages(batch);
  const received = await client
    .createReceiver(queue)
    .receiveMessages(100, { maxWaitTimeInMs: 30_000 });
  expect(received.map((message) => message.body)).toEqual([...Array(100).keys()]);
});

it("an abandoned message comes back with a higher delivery count", async () => {
  part.declare({ name: queue });
  await client.createSender(queue).sendMessages({ body: 1 });
  const receiver = client.createReceiver(queue);
  const [first] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  await receiver.abandonMessage(first!, { reason: "busy" });
  const [second] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  expect(second).toMatchObject({ deliveryCount: 1, applicationProperties: { reason: "busy" } });
});

it("the delivery after the last allowed one goes to the dead letters with the service's reason", async () => {
  part.declare({ name: queue, maxDeliveryCount: 3 });
  await client.createSender(queue).sendMessages({ body: "poison", messageId: "p" });
  const receiver = client.createReceiver(queue);
  for (let delivery = 0; delivery < 3; delivery++) {
    const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
    expect(message!.deliveryCount).toBe(delivery);
    await receiver.abandonMessage(message!);
  }
  const dead = client.createReceiver(queue, { subQueueType: "deadLetter" });
  const [letter] = await dead.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  expect(letter).toMatchObject({
    body: "poison",
    messageId: "p",
    deadLetterReason: "MaxDeliveryCountExceeded",
    deadLetterSource: queue,
  });
  await dead.completeMessage(letter!);
  expect(part.inspect(`${queue}/$deadletterqueue`)!.messages).toEqual([]);
});

it("a message dead-lettered by hand carries reason, description and changed properties", async () => {
  part.declare({ name: queue });
  await client
    .createSender(queue)
    .sendMessages({ body: 1, applicationProperties: { kept: "yes" } });
  const receiver = client.createReceiver(queue);
  const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  await receiver.deadLetterMessage(message!, {
    deadLetterReason: "InvalidFormat",
    deadLetterErrorDescription: "no envelope",
    tried: 2,
  });
  const dead = client.createReceiver(queue, { subQueueType: "deadLetter" });
  const [letter] = await dead.peekMessages(1);
  expect(letter).toMatchObject({
    deadLetterReason: "InvalidFormat",
    deadLetterErrorDescription: "no envelope",
    applicationProperties: { kept: "yes", tried: 2 },
  });
});

it("a deferred message is received by its sequence number only", async () => {
  part.declare({ name: queue });
  await client.createSender(queue).sendMessages([{ body: "first" }, { body: "second" }]);
  const receiver = client.createReceiver(queue);
  const [first, second] = await receiver.receiveMessages(2, { maxWaitTimeInMs: 30_000 });
  await receiver.deferMessage(first!);
  await receiver.completeMessage(second!);
  const [peeked] = await receiver.peekMessages(10);
  expect(peeked).toMatchObject({ body: "first", state: "deferred" });
  const [again] = await receiver.receiveDeferredMessages(first!.sequenceNumber!);
  expect(again!.body).toBe("first");
  await receiver.completeMessage(again!);
  expect(part.inspect(queue)!.messages).toEqual([]);
  await expect(receiver.receiveDeferredMessages(first!.sequenceNumber!)).rejects.toMatchObject({
    code: "MessageNotFound",
  });
});

it("receive-and-delete leaves nothing behind", async () => {
  part.declare({ name: queue });
  await client.createSender(queue).sendMessages([{ body: 1 }, { body: 2 }]);
  const receiver = client.createReceiver(queue, { receiveMode: "receiveAndDelete" });
  const received = await receiver.receiveMessages(2, { maxWaitTimeInMs: 30_000 });
  expect(received.map((message) => message.body)).toEqual([1, 2]);
  expect(part.inspect(queue)!.messages).toEqual([]);
});

it("receiving from an empty queue returns no messages soon after the wait", async () => {
  part.declare({ name: queue });
  const received = await client.createReceiver(queue).receiveMessages(5, { maxWaitTimeInMs: 100 });
  expect(received).toEqual([]);
});

it("a scheduled message stays invisible until its time, and can be cancelled", async () => {
  part.declare({ name: queue });
  const sender = client.createSender(queue);
  const soon = new Date(context.clock.now() + 3_000);
  const [sequence] = await sender.scheduleMessages({ body: "cancelled" }, soon);
  await sender.scheduleMessages({ body: "kept" }, soon);
  await sender.cancelScheduledMessages(sequence!);
  await expect(sender.cancelScheduledMessages(sequence!)).rejects.toMatchObject({
    code: "MessageNotFound",
  });
  const receiver = client.createReceiver(queue);
  const [peeked] = await receiver.peekMessages(5);
  expect(peeked).toMatchObject({ body: "kept", state: "scheduled" });
  expect(part.inspect(queue)!.counts).toMatchObject({ active: 0, scheduled: 1 });
  const received = await receiver.receiveMessages(2, { maxWaitTimeInMs: 30_000 });
  expect(received.map((message) => message.body)).toEqual(["kept"]);
  expect(context.clock.now()).toBeGreaterThanOrEqual(soon.getTime());
});

it("a second message with the same id inside the window is accepted and dropped", async () => {
  part.declare({ name: queue, requiresDuplicateDetection: true });
  const sender = client.createSender(queue);
  await sender.sendMessages({ body: 1, messageId: "same" });
  await sender.sendMessages({ body: 2, messageId: "same" });
  await sender.sendMessages({ body: 3, messageId: "other" });
  const received = await client
    .createReceiver(queue)
    .receiveMessages(3, { maxWaitTimeInMs: 30_000 });
  expect(received.map((message) => message.body)).toEqual([1, 3]);
});

it("an expired message is dead-lettered if the queue says so, and dropped otherwise", async () => {
  part.declare({ name: queue, deadLetteringOnMessageExpiration: true });
  part.declare({ name: `${queue}-drops` });
  for (const name of [queue, `${queue}-drops`]) {
    await client.createSender(name).sendMessages({ body: name, timeToLive: 50 });
  }
  const dead = client.createReceiver(queue, { subQueueType: "deadLetter" });
  const [letter] = await dead.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  expect(letter!.deadLetterReason).toBe("TTLExpiredException");
  expect(part.inspect(queue)!.messages).toEqual([]);
  expect(part.inspect(`${queue}-drops/$deadletterqueue`)!.messages).toEqual([]);
  expect(
    await client.createReceiver(`${queue}-drops`).receiveMessages(1, { maxWaitTimeInMs: 100 }),
  ).toEqual([]);
});

it("a message whose lock expires goes to another receiver, and the late one gets an error", async () => {
  part.declare({ name: queue, lockDurationMs: 2_000 });
  await client.createSender(queue).sendMessages({ body: 1, messageId: "m" });
  const slow = client.createReceiver(queue, { maxAutoLockRenewalDurationInMs: 0 });
  const [late] = await slow.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  const quick = client.createReceiver(queue);
  const [again] = await quick.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  expect(again).toMatchObject({ messageId: "m", deliveryCount: 1 });
  await expect(slow.completeMessage(late!)).rejects.toMatchObject({ code: "MessageLockLost" });
  await quick.completeMessage(again!);
});

it("a lock can be renewed while it is held, and not afterwards", async () => {
  part.declare({ name: queue });
  await client.createSender(queue).sendMessages({ body: 1 });
  const receiver = client.createReceiver(queue, { maxAutoLockRenewalDurationInMs: 0 });
  const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  const before = message!.lockedUntilUtc!.getTime();
  expect((await receiver.renewMessageLock(message!)).getTime()).toBeGreaterThanOrEqual(before);
  await receiver.completeMessage(message!);
  await expect(receiver.renewMessageLock(message!)).rejects.toMatchObject({
    code: "MessageLockLost",
  });
});

it("a subscriber handles many messages at once and settles each", async () => {
  part.declare({ name: queue });
  const seen: number[] = [];
  const receiver = client.createReceiver(queue);
  await client.createSender(queue).sendMessages([...Array(50).keys()].map((body) => ({ body })));
  await new Promise<void>((resolve, reject) => {
    receiver.subscribe(
      {
        processMessage: async (message) => {
          seen.push(message.body as number);
          if (seen.length === 50) resolve();
        },
        processError: async ({ error }) => reject(error),
      },
      { maxConcurrentCalls: 10 },
    );
  });
  await receiver.close();
  expect(seen.sort((a, b) => a - b)).toEqual([...Array(50).keys()]);
});

it("a client that goes away loses its locks, and the messages are redelivered", async () => {
  part.declare({ name: queue });
  await client.createSender(queue).sendMessages({ body: 1 });
  const other = new Client(part.connectionString());
  await other.createReceiver(queue).receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  await other.close();
  const [again] = await client
    .createReceiver(queue)
    .receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  expect(again!.deliveryCount).toBe(1);
});

it("a message above the size limit is refused", async () => {
  part.declare({ name: queue });
  const body = Buffer.alloc(300 * 1024);
  await expect(client.createSender(queue).sendMessages({ body })).rejects.toMatchObject({
    code: "MessageSizeExceeded",
  });
});

it("a wrong key is refused", async () => {
  part.declare({ name: queue });
  const stranger = new Client(
    part.connectionString().replace(/SharedAccessKey=[^;]*/, "SharedAccessKey=d3Jvbmc="),
    {
      retryOptions: { maxRetries: 0 },
    },
  );
  await expect(stranger.createSender(queue).sendMessages({ body: 1 })).rejects.toMatchObject({
    code: "UnauthorizedAccess",
  });
  await stranger.close();
});

it.each([
  ["a receiver", () => client.createReceiver("topic", "audit").peekMessages(1)],
  [
    "a receiver of dead letters",
    () =>
      client.createReceiver("topic", "audit", { subQueueType: "deadLetter" }).receiveMessages(1, {
        maxWaitTimeInMs: 500,
      }),
  ],
  ["a session", () => client.acceptNextSession("topic", "audit")],
  [
    "a rule",
    () => client.createRuleManager("topic", "audit").createRule("all", { sqlExpression: "1=1" }),
  ],
])("%s of a topic's subscription is refused with the reason", async (_what, open) => {
  await expect(open()).rejects.toThrow(/topics and subscriptions are not part of the local tenant/);
});
