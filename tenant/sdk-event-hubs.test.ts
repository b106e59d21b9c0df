import {
  EventHubConsumerClient,
  EventHubProducerClient,
  type EventPosition,
  earliestEventPosition,
  latestEventPosition,
  type ReceivedEventData,
  type SubscribeOptions,
} from "@azure/event-hubs";
import { afterAll, afterEach, expect, it } from "vitest";
import { createTenant } from "./index.ts";

const tenant = await createTenant({ company: "none" });
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
  tenant.reset();
});
afterAll(() => tenant.close());

const address = () => tenant.addresses.eventHubs!;
const quick = { retryOptions: { maxRetries: 0 } };

function produce(): EventHubProducerClient {
  const producer = new EventHubProducerClient(address(), quick);
  open.push(producer);
  return producer;
}

function consume(group = "$Default"): EventHubConsumerClient {
  const consumer = new EventHubConsumerClient(group, address(), quick);
  open.push(consumer);
  return consumer;
}

const readersOf = (partition: string) =>
  tenant.serviceBus.inspectHub().partitions[Number(partition)]!.readers;

/** Reads one partition until `count` events or an error have arrived. */
function read(
  consumer: EventHubConsumerClient,
  partition: string,
  count: number,
  options: Partial<SubscribeOptions> & { startPosition: EventPosition },
): Promise<ReceivedEventData[]> {
  return new Promise((resolve, reject) => {
    const seen: ReceivedEventData[] = [];
    const subscription = consumer.subscribe(
      partition,
      {
        async processEvents(events) {
          seen.push(...events);
          if (seen.length >= count) resolve(seen);
        },
        async processError(error) {
          reject(error);
        },
      },
      { maxWaitTimeInSeconds: 1, ...options },
    );
    open.push(subscription);
  });
}

it("events are read in order with their body, properties and position, as often as you like", async () => {
  const producer = produce();
  await producer.sendBatch(
    [0, 1, 2].map((index) => ({
      body: { index },
      contentType: "application/json",
      properties: { first: index === 0 },
    })),
    { partitionId: "1" },
  );
  for (const group of ["$Default", "audit"]) {
    const events = await read(consume(group), "1", 3, { startPosition: earliestEventPosition });
    expect(events.map(({ body, sequenceNumber }) => [body, sequenceNumber])).toEqual([
      [{ index: 0 }, 0],
      [{ index: 1 }, 1],
      [{ index: 2 }, 2],
    ]);
    expect(events[0]).toMatchObject({
      properties: { first: true },
      contentType: "application/json",
      offset: "0",
    });
    expect(events[0]!.enqueuedTimeUtc.getTime()).toBeGreaterThan(0);
  }
});

it("a reader can start after a sequence number, and knows the last position", async () => {
  await produce().sendBatch([{ body: "a" }, { body: "b" }, { body: "c" }], { partitionId: "0" });
  const consumer = consume();
  const events = await read(consumer, "0", 1, {
    startPosition: { sequenceNumber: 1 },
    trackLastEnqueuedEventProperties: true,
  });
  expect(events.map(({ body }) => body)).toEqual(["c"]);
  expect(await consumer.getPartitionProperties("0")).toMatchObject({
    beginningSequenceNumber: 0,
    lastEnqueuedSequenceNumber: 2,
    partitionId: "0",
    isEmpty: false,
  });
});

it("a reader at the end sees only what comes later", async () => {
  const producer = produce();
  await producer.sendBatch([{ body: "early" }], { partitionId: "0" });
  const later = read(consume(), "0", 1, { startPosition: latestEventPosition });
  await expect.poll(() => readersOf("0")).toBe(1);
  await producer.sendBatch([{ body: "late" }], { partitionId: "0" });
  expect((await later).map(({ body }) => body)).toEqual(["late"]);
});

it("events with the same key are in one partition and carry the key", async () => {
  const producer = produce();
  for (const body of [1, 2]) await producer.sendBatch([{ body }], { partitionKey: "mailbox-7" });
  const held = tenant.serviceBus.inspectHub().partitions.find(({ count }) => count > 0)!;
  expect(held.count).toBe(2);
  const events = await read(consume(), held.partition, 2, { startPosition: earliestEventPosition });
  expect(events.map(({ body, partitionKey }) => [body, partitionKey])).toEqual([
    [1, "mailbox-7"],
    [2, "mailbox-7"],
  ]);
});

it("the hub names its partitions, and an unknown partition is refused", async () => {
  const producer = produce();
  expect(await producer.getEventHubProperties()).toMatchObject({
    name: "notifications",
    partitionIds: ["0", "1"],
  });
  await expect(producer.getPartitionProperties("7")).rejects.toMatchObject({
    code: "ArgumentOutOfRangeError",
  });
  await expect(producer.sendBatch([{ body: 1 }], { partitionId: "7" })).rejects.toMatchObject({
    code: "ArgumentOutOfRangeError",
  });
});

it("an owner with a higher level takes the partition from the previous one", async () => {
  const first = read(consume(), "0", 1, { startPosition: earliestEventPosition, ownerLevel: 1 });
  await expect.poll(() => readersOf("0")).toBe(1);
  const refused = expect(first).rejects.toMatchObject({ code: "ReceiverDisconnectedError" });
  const second = read(consume(), "0", 1, { startPosition: earliestEventPosition, ownerLevel: 2 });
  await refused;
  await produce().sendBatch([{ body: "mine" }], { partitionId: "0" });
  expect((await second)[0]!.body).toBe("mine");
});

it("a wrong key is refused, and so is a consumer group that does not exist", async () => {
  const wrong = new EventHubProducerClient(
    address().replace(/SharedAccessKey=[^;]+/, `SharedAccessKey=${"x".repeat(43)}=`),
    quick,
  );
  open.push(wrong);
  await expect(wrong.sendBatch([{ body: 1 }])).rejects.toMatchObject({ code: "UnauthorizedError" });
  await expect(
    read(consume("nobody"), "0", 1, { startPosition: earliestEventPosition }),
  ).rejects.toMatchObject({ code: "MessagingEntityNotFoundError" });
});

it("a batch is at most one megabyte", async () => {
  const producer = produce();
  const batch = await producer.createBatch();
  expect(batch.maxSizeInBytes).toBe(1024 * 1024);
  await expect(producer.sendBatch([{ body: Buffer.alloc(1024 * 1024 + 1) }])).rejects.toMatchObject(
    { code: "MessageTooLargeError" },
  );
});

it("Graph delivers notifications to the hub: first a greeting, then the changes", async () => {
  const user = tenant.users[1]!;
  const made = await fetch(`${tenant.addresses.graph}/v1.0/subscriptions`, {
    method: "POST",
    headers: { authorization: `Bearer ${tenant.tokenFor({})}`, "content-type": "application/json" },
    body: JSON.stringify({
      changeType: "created",
      notificationUrl:
        "EventHub:https://local.servicebus.windows.net/eventhubname/notifications?tenantId=ashdown.example",
      resource: `users/${user.id}/messages`,
      expirationDateTime: new Date(Date.now() + 3_600_000).toISOString(),
      clientState: "secret",
    }),
  });
  expect(made.status).toBe(201);
  await tenant.graph.admin.sendMail({ to: user.id, subject: "Into the hub" });
  const consumer = consume();
  const all = await Promise.all(
    ["0", "1"].map((id) => read(consumer, id, 1, { startPosition: earliestEventPosition })),
  );
  const items = all.flat().flatMap(({ body }) => body.value);
  expect(items.map(({ subscriptionId }) => subscriptionId === "NA")).toEqual([true, false]);
  expect(items[1]).toMatchObject({ changeType: "created", clientState: "secret" });
});
