import { ServiceBusAdministrationClient, ServiceBusClient } from "@azure/service-bus";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestContext } from "../../test/helpers/tenant-context.ts";
import { createLocalTls } from "../tls.ts";
import { createServiceBusPart } from "./service-bus-part.ts";

const context = createTestContext();
const part = createServiceBusPart(context);
let client: ServiceBusClient;
let queue: string;
let count = 0;

beforeAll(() => part.start());
afterAll(() => part.stop());
beforeEach(() => {
  queue = `sessions-${++count}`;
  part.declare({ name: queue, requiresSession: true });
  client = new ServiceBusClient(part.connectionString(), { retryOptions: { maxRetries: 0 } });
});
afterEach(() => client.close());

/** Resolves when the tenant's journal gets an entry of this kind. */
const seen = (kind: string) =>
  new Promise<void>((resolve) => {
    const stop = context.journal.watch((entry) => {
      if (entry.kind !== kind) return;
      stop();
      resolve();
    });
  });

const send = (sessionId: string, body: unknown) =>
  client.createSender(queue).sendMessages({ sessionId, body });

it("a session gives only its own messages, in order", async () => {
  for (const body of [1, 2, 3]) {
    await send("a", body);
    await send("b", body * 10);
  }
  const receiver = await client.acceptSession(queue, "b");
  const received = await receiver.receiveMessages(5, { maxWaitTimeInMs: 30_000 });
  expect(received.map((message) => message.body)).toEqual([10, 20, 30]);
  for (const message of received) await receiver.completeMessage(message);
  await receiver.close();
});

it("a held session cannot be accepted again until its holder leaves", async () => {
  await send("a", 1);
  const first = await client.acceptSession(queue, "a");
  expect(first.sessionLockedUntilUtc.getTime()).toBeGreaterThan(context.clock.now());
  await expect(client.acceptSession(queue, "a")).rejects.toMatchObject({
    code: "SessionCannotBeLocked",
  });
  await first.close();
  const second = await client.acceptSession(queue, "a");
  await second.close();
});

it("a receiver waits for the next free session", async () => {
  const waiting = client.acceptNextSession(queue);
  await send("late", "hello");
  const receiver = await waiting;
  expect(receiver.sessionId).toBe("late");
  const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  expect(message!.body).toBe("hello");
  await receiver.close();
});

it("no session within the time limit is a timeout", async () => {
  const impatient = new ServiceBusClient(part.connectionString(), {
    retryOptions: { maxRetries: 0, timeoutInMs: 300 },
  });
  await expect(impatient.acceptNextSession(queue)).rejects.toMatchObject({
    code: expect.stringMatching(/Timeout/),
  });
  await impatient.close();
});

it("a session keeps its own state", async () => {
  await send("a", 1);
  const receiver = await client.acceptSession(queue, "a");
  expect(await receiver.getSessionState()).toBeFalsy();
  await receiver.setSessionState({ step: 3 });
  expect(await receiver.getSessionState()).toEqual({ step: 3 });
  const before = receiver.sessionLockedUntilUtc.getTime();
  expect((await receiver.renewSessionLock()).getTime()).toBeGreaterThanOrEqual(before);
  await receiver.close();
});

it("a session whose lock expires is free for others, and its holder gets an error", async () => {
  part.declare({ name: queue, requiresSession: true, lockDurationMs: 3_000 });
  const lost = seen("servicebus.session-lock-expired");
  await send("a", 1);
  const slow = await client.acceptSession(queue, "a", { maxAutoLockRenewalDurationInMs: 0 });
  const [message] = await slow.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  await lost;
  // This round trip also lets the client notice that its link was closed.
  await expect(slow.renewSessionLock()).rejects.toMatchObject({ code: "SessionLockLost" });
  await expect(slow.completeMessage(message!)).rejects.toMatchObject({ code: "SessionLockLost" });
  const other = await client.acceptNextSession(queue);
  const [again] = await other.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  expect(again!.deliveryCount).toBe(1);
  await other.close();
});

it("a message without a session id is refused, and so is a receiver without a session", async () => {
  await expect(client.createSender(queue).sendMessages({ body: 1 })).rejects.toThrow(/SessionId/);
  await expect(
    client.createReceiver(queue).receiveMessages(1, { maxWaitTimeInMs: 500 }),
  ).rejects.toThrow(/sessions/);
});

/** This version of the client always uses https; the tenant serves both on the same port. */
function openAdmin(change = (url: string) => url) {
  const admin = new ServiceBusAdministrationClient(part.connectionString());
  admin.pipeline.addPolicy({
    name: "plain-http",
    sendRequest(request, next) {
      request.url = change(request.url.replace(/^https:/, "http:"));
      request.allowInsecureConnection = true;
      return next(request);
    },
  });
  return admin;
}

it.each([
  { forwardTo: "elsewhere" },
  { forwardDeadLetteredMessagesTo: "elsewhere" },
  { autoDeleteOnIdle: "PT5M" },
  { enablePartitioning: true },
  { enableExpress: true },
  { userMetadata: "mine" },
])(
  "a queue with %o, which the tenant does not model, is refused and not created",
  async (setting) => {
    const admin = openAdmin();
    await expect(admin.createQueue(`${queue}-odd`, setting)).rejects.toMatchObject({
      statusCode: 501,
    });
    expect(await admin.queueExists(`${queue}-odd`)).toBe(false);
  },
);

it("management refuses a query option that it does not know, or a page that is no number", async () => {
  for (const option of ["nobody=1", "$top=x", "$skip=-1"]) {
    const list = openAdmin((url) => `${url}&${option}`).listQueues();
    await expect(list.next()).rejects.toMatchObject({ statusCode: 400 });
  }
});

it("queue settings can be read, listed, created and changed by the administration client", async () => {
  const admin = openAdmin();
  expect(await admin.getQueue("office-upload-finalization")).toMatchObject({
    name: "office-upload-finalization",
    maxDeliveryCount: 5,
    defaultMessageTimeToLive: "P7D",
    deadLetteringOnMessageExpiration: true,
    lockDuration: "PT1M",
    requiresSession: false,
  });
  const created = await admin.createQueue(`${queue}-made`, {
    lockDuration: "PT30S",
    maxDeliveryCount: 4,
    requiresDuplicateDetection: true,
    duplicateDetectionHistoryTimeWindow: "PT5M",
  });
  expect(created).toMatchObject({ lockDuration: "PT30S", maxDeliveryCount: 4 });
  await expect(admin.createQueue(`${queue}-made`)).rejects.toMatchObject({
    code: "MessageEntityAlreadyExistsError",
  });
  created.maxDeliveryCount = 7;
  expect((await admin.updateQueue(created)).maxDeliveryCount).toBe(7);
  await send("a", 1);
  expect(await admin.getQueueRuntimeProperties(queue)).toMatchObject({ activeMessageCount: 1 });
  const names: string[] = [];
  for await (const found of admin.listQueues()) names.push(found.name);
  expect(names).toContain("webhook-events");
  expect(await admin.queueExists("nowhere")).toBe(false);
  await admin.deleteQueue(`${queue}-made`);
  expect(await admin.queueExists(`${queue}-made`)).toBe(false);
});

it("the management API refuses unauthenticated callers and odd paths without failing", async () => {
  const ask = (path: string, headers = {}) =>
    fetch(`http://127.0.0.1:${part.port()}/${path}`, { headers });
  expect((await ask(queue)).status).toBe(401);
  expect((await ask("%")).status).toBe(401);
  expect(
    (await ask(queue, { authorization: "SharedAccessSignature sr=%&sig=%&se=1&skn=%" })).status,
  ).toBe(401);
});

it("over TLS the administration client needs nothing but the local authority", async () => {
  const secure = createServiceBusPart(createTestContext());
  const tls = await createLocalTls();
  await secure.start(0, tls);
  const connectionString = secure.connectionString().replace("127.0.0.1", "localhost");
  const admin = new ServiceBusAdministrationClient(connectionString, {
    tlsOptions: { ca: tls.ca },
  });
  expect((await admin.getQueue("office-profile")).maxDeliveryCount).toBe(3);
  await secure.stop();
});
