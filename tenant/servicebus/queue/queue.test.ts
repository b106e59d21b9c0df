import rhea from "rhea";
import { expect, it } from "vitest";
import { createTestContext } from "../../../test/helpers/tenant-context.ts";
import { createBroker } from "./broker.ts";
import { readMessage, type StoredMessage, writeMessage } from "./message.ts";
import type { Consumer } from "./queue-core.ts";
import type { QueueDeclaration } from "./queue-settings.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

function open(declaration: Omit<QueueDeclaration, "name"> = {}) {
  const context = createTestContext({ clock: "virtual" });
  const broker = createBroker(context);
  broker.declare({ name: "q", ...declaration });
  return { context, queue: broker.find("q")!, dead: broker.find("Q/$DeadLetterQueue")! };
}

const message = (body: unknown, more: object = {}) =>
  readMessage(rhea.message.encode({ body, message_id: String(body), ...more } as never) as Buffer);

function consumer(credit: number): Consumer & { got: StoredMessage[] } {
  const got: StoredMessage[] = [];
  return {
    got,
    session: null,
    isDestructive: false,
    room: () => credit - got.length,
    deliver: (delivered) => void got.push({ ...delivered }),
    sessionLost() {},
  };
}

it("waiting messages go to consumers in turn and in order", () => {
  const { queue } = open();
  const [one, other] = [consumer(10), consumer(10)];
  queue.attach(one);
  queue.attach(other);
  queue.send([1, 2, 3, 4].map((body) => message(body)));
  const ids = [one, other].map(({ got }) => got.map(({ messageId }) => messageId));
  expect(ids.flat().sort()).toEqual(["1", "2", "3", "4"]);
  for (const list of ids) expect(list).toEqual([...list].sort());
  expect(ids.map((list) => list.length)).toEqual([2, 2]);
});

it("an expired lock counts as a failed delivery, and after the last one the message is a dead letter", async () => {
  const { context, queue, dead } = open({ maxDeliveryCount: 10, lockDurationMs: 60_000 });
  const slow = consumer(100);
  queue.attach(slow);
  queue.send([message("m")]);
  await context.clock.advance(9 * 60_000);
  expect(slow.got.map(({ deliveryCount }) => deliveryCount)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ]);
  await context.clock.advance(60_000);
  expect(queue.counts()).toMatchObject({ active: 0, locked: 0 });
  expect([...dead.messages.values()][0]!.deadLetter).toMatchObject({
    reason: "MaxDeliveryCountExceeded",
  });
});

it("a message with a renewed lock is not given to another consumer", async () => {
  const { context, queue } = open({ lockDurationMs: 60_000 });
  const holder = consumer(5);
  queue.attach(holder);
  queue.send([message("a"), message("b")]);
  await context.clock.advance(50_000);
  queue.renewLocks([holder.got[0]!.lock!.token]);
  await context.clock.advance(20_000);
  expect(holder.got.map(({ messageId }) => messageId)).toEqual(["a", "b", "b"]);
  expect(queue.settle(holder.got[0]!.lock!.token, { kind: "complete" })).toBe(true);
  expect(queue.settle(holder.got[1]!.lock!.token, { kind: "complete" })).toBe(false);
});

it("a queue that keeps messages seven days dead-letters them then, with nobody receiving", async () => {
  const { context, queue, dead } = open({
    defaultMessageTimeToLiveMs: 7 * DAY_MS,
    deadLetteringOnMessageExpiration: true,
  });
  queue.send([message("m")]);
  await context.clock.advance(7 * DAY_MS - 1);
  expect(queue.counts().active).toBe(1);
  await context.clock.advance(1);
  expect(queue.counts().active).toBe(0);
  expect(dead.counts().active).toBe(1);
  await context.clock.advance(365 * DAY_MS);
  expect(dead.counts().active).toBe(1);
});

it("an id may come again after the window of duplicate detection", async () => {
  const { context, queue } = open({ requiresDuplicateDetection: true });
  const sent = () => queue.send([message("same")])[0];
  expect([sent(), sent()]).toEqual([1, null]);
  await context.clock.advance(10 * 60_000);
  expect(sent()).toBe(2);
});

it("an abandoned message keeps its place before newer ones", () => {
  const { queue } = open();
  const holder = consumer(1);
  queue.attach(holder);
  queue.send([message("a"), message("b")]);
  queue.settle(holder.got.pop()!.lock!.token, { kind: "abandon" });
  expect(holder.got[0]).toMatchObject({ messageId: "a", deliveryCount: 1 });
});

it("a consumer that leaves returns its messages", () => {
  const { queue } = open();
  const [leaving, staying] = [consumer(1), consumer(1)];
  queue.attach(leaving);
  queue.send([message("a")]);
  queue.attach(staying);
  queue.detach(leaving, false);
  expect(staying.got[0]).toMatchObject({ messageId: "a", deliveryCount: 1 });
});

it("locks of an absent consumer can also be kept until they expire", async () => {
  const { context, queue } = open({ lockDurationMs: 60_000 });
  const [leaving, staying] = [consumer(1), consumer(1)];
  queue.attach(leaving);
  queue.send([message("a")]);
  queue.attach(staying);
  queue.detach(leaving, true);
  expect(staying.got).toEqual([]);
  await context.clock.advance(60_000);
  expect(staying.got[0]).toMatchObject({ messageId: "a", deliveryCount: 1 });
});

it("a message passes through unchanged, including number types", () => {
  const { queue } = open();
  const raw = rhea.message.encode({
    message_id: "m",
    content_type: "application/json",
    application_properties: {
      int: rhea.types.wrap_int(5),
      ulong: rhea.types.wrap_ulong(7),
      text: "ä".repeat(300),
    },
    message_annotations: { "x-opt-partition-key": "p", "x-opt-sequence-number": 99 },
    body: rhea.message.data_section(Buffer.from('{"a":1}')),
  } as never) as Buffer;
  queue.send([readMessage(raw)]);
  const [stored] = queue.peek(0, 1, null);
  const written = writeMessage(stored!);
  const bare = (bytes: Buffer) => bytes.subarray(bytes.indexOf(Buffer.from([0x00, 0x53, 0x73])));
  expect(bare(written).equals(bare(raw))).toBe(true);
  const decoded = rhea.message.decode(written as never);
  expect(decoded.message_annotations).toMatchObject({
    "x-opt-partition-key": "p",
    "x-opt-sequence-number": 1,
  });
});

it("a snapshot restores messages, schedules, seen ids and numbering, but no locks", async () => {
  const { context, queue } = open({ requiresDuplicateDetection: true, lockDurationMs: 60_000 });
  const holder = consumer(1);
  queue.attach(holder);
  const dueMs = context.clock.now() + 1000;
  queue.send([
    message("locked"),
    message("waiting"),
    message("later", { message_annotations: { "x-opt-scheduled-enqueue-time": new Date(dueMs) } }),
  ]);
  const saved = structuredClone(queue.snapshot());
  queue.detach(holder, false);
  queue.restore({
    ...saved,
    messages: saved.messages.map((kept) => ({ ...kept, bare: Buffer.from(kept.bare) })),
  });
  expect(queue.counts()).toEqual({ active: 2, locked: 0, deferred: 0, scheduled: 1 });
  expect(queue.send([message("waiting")])).toEqual([null]);
  await context.clock.advance(1000);
  expect(queue.counts().active).toBe(3);
});

it("old waiting messages can be deleted in batches", async () => {
  const { context, queue } = open();
  queue.send([message("a"), message("b"), message("c")]);
  const beforeMs = context.clock.now();
  await context.clock.advance(10);
  queue.send([message("young")]);
  expect(queue.deleteBatch(2, beforeMs)).toBe(2);
  expect(queue.deleteBatch(10, beforeMs)).toBe(1);
  expect(queue.peek(0, 10, null).map(({ messageId }) => messageId)).toEqual(["young"]);
});
