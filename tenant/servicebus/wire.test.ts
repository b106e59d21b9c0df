import { ServiceBusClient } from "@azure/service-bus";
import rhea from "rhea";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestContext } from "../../test/helpers/tenant-context.ts";
import { createServiceBusPart } from "./service-bus-part.ts";

const context = createTestContext();
const part = createServiceBusPart(context);
let client: ServiceBusClient;
let queue: string;
let count = 0;

beforeAll(() => part.start());
afterAll(() => part.stop());
beforeEach(() => {
  queue = `wire-${++count}`;
  part.declare({ name: queue });
  client = new ServiceBusClient(part.connectionString(), {
    // The client notices a lost response only when its own timeout for an attempt has passed.
    retryOptions: { maxRetries: 3, retryDelayInMs: 20, maxRetryDelayInMs: 20, timeoutInMs: 3_000 },
  });
});
afterEach(async () => {
  context.faults.disarm();
  await client.close();
});

it("three thousand messages pass through one link, although a client never confirms a settlement", async () => {
  const sender = client.createSender(queue);
  for (let batch = 0; batch < 6; batch++) {
    await sender.sendMessages([...Array(500).keys()].map((body) => ({ body })));
  }
  const receiver = client.createReceiver(queue);
  let handled = 0;
  await new Promise<void>((resolve, reject) => {
    receiver.subscribe(
      {
        processMessage: async () => {
          handled += 1;
          if (handled === 3000) resolve();
        },
        processError: async ({ error }) => reject(error),
      },
      { maxConcurrentCalls: 100 },
    );
  });
  await receiver.close();
  expect(part.inspect(queue)!.totals["completed"]).toBeGreaterThanOrEqual(2900);
});

it("a message of nearly the full size and every kind of body arrives whole", async () => {
  const sender = client.createSender(queue);
  const big = Buffer.alloc(250 * 1024, 7);
  await sender.sendMessages({ body: big });
  await sender.sendMessages({ body: { a: [1, "x", null] } });
  await sender.sendMessages({ body: [1, 2], bodyType: "sequence" } as never);
  await sender.sendMessages({ body: "plain", bodyType: "value" } as never);
  const receiver = client.createReceiver(queue, { receiveMode: "receiveAndDelete" });
  const received = await receiver.receiveMessages(4, { maxWaitTimeInMs: 30_000 });
  expect(Buffer.compare(received[0]!.body as Buffer, big)).toBe(0);
  expect(received.slice(1).map(({ body }) => body)).toEqual([
    { a: [1, "x", null] },
    [1, 2],
    "plain",
  ]);
});

it("the client retries if the server is busy", async () => {
  context.faults.arm({ kind: "server-busy", remaining: 1, where: { queue } });
  await client.createSender(queue).sendMessages({ body: 1 });
  expect(part.inspect(queue)!.counts.active).toBe(1);
});

it("a send whose response is lost is repeated: the queue contains it twice, or once with duplicate detection", async () => {
  part.declare({ name: `${queue}-d`, requiresDuplicateDetection: true });
  for (const name of [queue, `${queue}-d`]) {
    context.faults.arm({ kind: "lost-ack", remaining: 1, where: { queue: name } });
    await client.createSender(name).sendMessages({ body: 1, messageId: "same" });
  }
  expect(part.inspect(queue)!.counts.active).toBe(2);
  expect(part.inspect(`${queue}-d`)!.counts.active).toBe(1);
});

it("a connection that breaks during delivery loses the lock, and the client receives again", async () => {
  await client.createSender(queue).sendMessages({ body: 1 });
  context.faults.arm({
    kind: "drop-connection",
    remaining: 1,
    where: { operation: "receive", queue },
  });
  const receiver = client.createReceiver(queue);
  const deliveryCount = await new Promise<number>((resolve) => {
    receiver.subscribe({
      processMessage: async (message) => resolve(message.deliveryCount ?? 0),
      processError: async () => {},
    });
  });
  expect(deliveryCount).toBe(1);
  await receiver.close();
});

it("a missing queue is reported as such", async () => {
  const impatient = new ServiceBusClient(part.connectionString(), {
    retryOptions: { maxRetries: 0 },
  });
  await expect(impatient.createSender("nowhere").sendMessages({ body: 1 })).rejects.toThrow(
    /could not be found/,
  );
  await impatient.close();
});

it("a full queue accepts nothing more", async () => {
  part.declare({ name: queue, maxSizeInMegabytes: 0.1 });
  const send = () => client.createSender(queue).sendMessages({ body: Buffer.alloc(150 * 1024) });
  await send();
  await expect(send()).rejects.toMatchObject({ code: "QuotaExceeded" });
});

it("a disabled queue accepts nothing", async () => {
  part.declare({ name: queue, status: "SendDisabled" });
  await expect(client.createSender(queue).sendMessages({ body: 1 })).rejects.toThrow(/disabled/);
});

it("a plain AMQP client with the key as its password may send", async () => {
  const key = /SharedAccessKey=([^;]*)/.exec(part.connectionString())![1]!;
  const container = rhea.create_container();
  const connection = container.connect({
    host: "127.0.0.1",
    port: part.port(),
    username: "RootManageSharedAccessKey",
    password: key,
    reconnect: false,
  });
  const sender = connection.open_sender(queue);
  await new Promise<void>((resolve, reject) => {
    sender.once("sendable", () => sender.send({ body: "hello" }));
    sender.once("accepted", () => resolve());
    sender.once("sender_error", () => reject(sender.error));
  });
  connection.close();
  expect(part.inspect(queue)!.counts.active).toBe(1);
});

it("many receivers on one connection cause no warnings", async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error) => void warnings.push(warning);
  process.on("warning", listen);
  const receivers = [...Array(15)].map(() => client.createReceiver(queue));
  await Promise.all(
    receivers.map((receiver) => receiver.receiveMessages(1, { maxWaitTimeInMs: 50 })),
  );
  await Promise.all(receivers.map((receiver) => receiver.close()));
  process.off("warning", listen);
  expect(warnings.filter(({ name }) => name === "MaxListenersExceededWarning")).toEqual([]);
});

it("requests with any body are answered, and the server keeps running", async () => {
  const key = /SharedAccessKey=([^;]*)/.exec(part.connectionString())![1]!;
  const connection = rhea.create_container().connect({
    host: "127.0.0.1",
    port: part.port(),
    username: "RootManageSharedAccessKey",
    password: key,
    reconnect: false,
  });
  const operations = [
    "renew-lock",
    "schedule-message",
    "peek-message",
    "update-disposition",
  ].concat(
    ["receive-by-sequence-number", "cancel-scheduled-message", "set-session-state", "nonsense"],
    ["get-session-state", "get-message-sessions", "batch-delete-messages", "renew-session-lock"],
  );
  const bodies: unknown[] = [
    null,
    5,
    "x",
    [],
    {},
    { "lock-tokens": 5 },
    { messages: [1] },
    { "sequence-numbers": "x" },
  ];
  const requests = operations.flatMap((name) => bodies.map((body) => ({ name, body })));
  const answers: number[] = [];
  await new Promise<void>((resolve) => {
    const receiver = connection.open_receiver({
      source: `${queue}/$management`,
      target: "replies",
      name: "replies",
    });
    receiver.on("message", ({ message }) => {
      answers.push(message!.application_properties!["statusCode"]);
      if (answers.length === requests.length) resolve();
    });
    const sender = connection.open_sender(`${queue}/$management`);
    sender.once("sendable", () => {
      for (const [index, { name, body }] of requests.entries()) {
        sender.send({
          message_id: String(index),
          reply_to: "replies",
          application_properties: { operation: `com.microsoft:${name}` },
          body,
        });
      }
    });
  });
  connection.close();
  expect(answers.every((status) => status >= 200 && status <= 501)).toBe(true);
  await client.createSender(queue).sendMessages({ body: "still here" });
});
