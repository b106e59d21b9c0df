import { ServiceBusClient as Client, type ServiceBusClient } from "@azure/service-bus";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Queues that the run may fill and empty. */
export interface ServiceBusTarget {
  readonly connectionString: string;
  /** Lock duration of 5 s or less, maximum delivery count 10. */
  readonly shortLockQueue: string;
  readonly duplicateQueue: string;
  readonly sessionQueue: string;
}

/** What Microsoft's documentation says about queues, tested with Microsoft's own client. */
export function testServiceBus(name: string, open: () => Promise<ServiceBusTarget>): void {
  describe(name, () => {
    let target: ServiceBusTarget;
    let client: ServiceBusClient;
    beforeAll(async () => {
      target = await open();
      client = new Client(target.connectionString, { retryOptions: { maxRetries: 0 } });
    });
    afterAll(() => client.close());

    // https://learn.microsoft.com/azure/service-bus-messaging/message-transfers-locks-settlement
    it("a message whose lock expires is delivered again with a higher delivery count", async () => {
      const queue = target.shortLockQueue;
      await client.createSender(queue).sendMessages({ body: 1, messageId: "lock" });
      const slow = client.createReceiver(queue, { maxAutoLockRenewalDurationInMs: 0 });
      const [first] = await slow.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
      const other = client.createReceiver(queue);
      const [second] = await other.receiveMessages(1, { maxWaitTimeInMs: 15_000 });
      expect(second!.messageId).toBe("lock");
      expect(second!.deliveryCount!).toBeGreaterThan(first!.deliveryCount!);
      await expect(slow.completeMessage(first!)).rejects.toMatchObject({ code: "MessageLockLost" });
      await other.completeMessage(second!);
      await Promise.all([slow.close(), other.close()]);
    });

    // https://learn.microsoft.com/azure/service-bus-messaging/service-bus-dead-letter-queues
    it("after ten failed deliveries the message is in the dead-letter queue", async () => {
      const queue = target.shortLockQueue;
      await client.createSender(queue).sendMessages({ body: 1, messageId: "poison" });
      const receiver = client.createReceiver(queue);
      for (let delivery = 0; delivery < 10; delivery++) {
        const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
        await receiver.abandonMessage(message!);
      }
      const dead = client.createReceiver(queue, { subQueueType: "deadLetter" });
      const [letter] = await dead.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
      expect(letter).toMatchObject({
        messageId: "poison",
        deadLetterReason: "MaxDeliveryCountExceeded",
      });
      await dead.completeMessage(letter!);
      await Promise.all([receiver.close(), dead.close()]);
    });

    // https://learn.microsoft.com/azure/service-bus-messaging/duplicate-detection
    it("a repeated MessageId is accepted and ignored", async () => {
      const sender = client.createSender(target.duplicateQueue);
      const messageId = `same-${process.pid}-${process.hrtime.bigint()}`;
      await sender.sendMessages({ body: 1, messageId });
      await sender.sendMessages({ body: 2, messageId });
      const receiver = client.createReceiver(target.duplicateQueue, {
        receiveMode: "receiveAndDelete",
      });
      const received = await receiver.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
      expect(received.map(({ body }) => body)).toEqual([1]);
      expect(await receiver.receiveMessages(1, { maxWaitTimeInMs: 1_000 })).toEqual([]);
      await receiver.close();
    });

    // https://learn.microsoft.com/azure/service-bus-messaging/message-sequencing#scheduled-messages
    it("a scheduled message appears at its time under a new sequence number", async () => {
      const queue = target.shortLockQueue;
      const sender = client.createSender(queue);
      const [sequence] = await sender.scheduleMessages(
        { body: "later" },
        new Date(Date.now() + 700),
      );
      const receiver = client.createReceiver(queue);
      const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
      expect(message!.body).toBe("later");
      expect(message!.sequenceNumber!.toString()).not.toBe(sequence!.toString());
      await receiver.completeMessage(message!);
      await receiver.close();
    });

    // https://learn.microsoft.com/azure/service-bus-messaging/message-sessions
    it("a session is held by one receiver at a time", async () => {
      const sessionId = `session-${process.pid}`;
      await client.createSender(target.sessionQueue).sendMessages({ body: 1, sessionId });
      const holder = await client.acceptSession(target.sessionQueue, sessionId);
      await expect(client.acceptSession(target.sessionQueue, sessionId)).rejects.toMatchObject({
        code: "SessionCannotBeLocked",
      });
      const [message] = await holder.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
      await holder.completeMessage(message!);
      await holder.close();
    });
  });
}
