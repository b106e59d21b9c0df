import { ServiceBusClient } from "@azure/service-bus";
import { expect, it } from "vitest";
import type { Settlement, Ticket } from "../../src/jobs/engine.ts";
import { createServiceBusEngine } from "../../src/jobs/engines/service-bus.ts";
import {
  applyQueuePlan,
  createAdministration,
  durationMs,
  planQueues,
} from "../../src/jobs/engines/service-bus-queues.ts";
import { handle } from "../../src/jobs/handler.ts";
import { defineJob } from "../../src/jobs/job.ts";
import { failure } from "../../src/jobs/outcome.ts";
import { MESSAGE_TTL_MS, QUEUES, queueSettings } from "../../src/jobs/queues.ts";
import { createLog } from "../../src/lib/log.ts";
import { openEngine } from "../helpers/open-engine.ts";
import { declareQueues } from "../helpers/service-bus.ts";
import { useServiceBusEngine } from "./contract/places.ts";
import { countJob, Numbered, numbered, useWorkshop } from "./contract/workshop.ts";

const under = useServiceBusEngine();
const shop = useWorkshop(under);
const nameOf = (queue: string): string => {
  const { choice } = shop.place;
  return choice.kind === "service-bus" ? choice.queueNames![queue]! : queue;
};

it("a message has the job's id, its key as correlation id, its type as subject, and the envelope as JSON [JOB-04] [JOB-01]", async () => {
  const jobs = await shop.open();
  const key = "email-<m1@ashdown.example>";
  const job = { subjectId: "m1", idempotencyKey: key, correlationId: "trace-1", payload: { n: 4 } };
  const [jobId] = await shop.add(jobs, countJob, [job]);
  const client = new ServiceBusClient(under.serviceBus.connectionString());
  const receiver = client.createReceiver(nameOf("documents"));
  const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  expect(message).toMatchObject({
    messageId: jobId,
    correlationId: key,
    contentType: "application/json",
    subject: "count",
    applicationProperties: { JobType: "count", Attempt: 1 },
  });
  expect(message!.body).toEqual({
    jobId,
    jobType: "count",
    subjectId: "m1",
    correlationId: "trace-1",
    idempotencyKey: key,
    attempt: 1,
    maxAttempts: 3,
    payload: { n: 4 },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  await client.close();
});

it("a dead letter is also in the service's dead-letter queue, with code and message [JOB-09] [OFF-10]", async () => {
  const jobs = await shop.open([
    handle(countJob, async () =>
      failure("OFFICE_INVALID_DATA", "no such file", { retryable: false }),
    ),
  ]);
  await shop.add(jobs, countJob, numbered(1));
  await jobs.workUntilIdle();
  const client = new ServiceBusClient(under.serviceBus.connectionString());
  const receiver = client.createReceiver(nameOf("documents"), { subQueueType: "deadLetter" });
  const [letter] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 30_000 });
  expect(letter).toMatchObject({
    deadLetterReason: "OFFICE_INVALID_DATA",
    deadLetterErrorDescription: "no such file",
  });
  await client.close();
});

it("queues are planned, then created and corrected: 5, 3 and 3 deliveries, seven days, dead letters on expiry [OPS-13] [OFF-20]", async () => {
  const { serviceBus } = under;
  const wanted = queueSettings([
    "office-upload-finalization",
    "office-profile",
    "office-indexing",
  ]).map((queue) => ({ ...queue, name: `planned-${queue.name}` }));
  serviceBus.declare({ name: "planned-office-profile", maxDeliveryCount: 10 });
  const admin = createAdministration(serviceBus.connectionString());
  const plans = await planQueues(admin, wanted);
  expect(plans.map((plan) => plan.action)).toEqual(["create", "update", "create"]);
  expect(serviceBus.inspect("planned-office-indexing")).toBeNull();
  await applyQueuePlan(admin, wanted, plans);
  const made = await Promise.all(wanted.map(({ name }) => admin.getQueue(name)));
  expect(made.map((queue) => queue.maxDeliveryCount)).toEqual([5, 3, 3]);
  expect(made.every((queue) => queue.deadLetteringOnMessageExpiration)).toBe(true);
  expect(new Set(made.map((queue) => durationMs(queue.defaultMessageTimeToLive)))).toEqual(
    new Set([7 * 86_400_000]),
  );
  expect((await planQueues(admin, wanted)).every((plan) => plan.action === "keep")).toBe(true);
});

it("a namespace in which expired jobs would vanish is refused at startup, in one sentence [OFF-20]", async () => {
  const { serviceBus } = under;
  const queueNames = Object.fromEntries(QUEUES.map(({ name }) => [name, nameOf(name)]));
  const refuse = async (
    declaration: Parameters<typeof serviceBus.declare>[0] | null,
    name: string,
  ) => {
    if (declaration !== null) serviceBus.declare(declaration);
    const choice = {
      kind: "service-bus",
      connectionString: serviceBus.connectionString(),
      queueNames: { ...queueNames, "office-profile": name },
    } as const;
    const engine = openEngine(choice, {
      database: shop.database,
      log: createLog({ level: "silent" }),
    });
    const failed = await engine.start(["office-profile", "office-indexing"]).catch((e: Error) => e);
    await engine.stop();
    return (failed as Error).message;
  };
  const week = { defaultMessageTimeToLiveMs: 7 * 86_400_000 };
  const dead = { deadLetteringOnMessageExpiration: true };
  expect(await refuse(null, "nowhere")).toMatch(/nowhere \(is missing\).*create-queues/);
  expect(await refuse({ name: "a", maxDeliveryCount: 3, ...week }, "a")).toMatch(/vanish/);
  expect(await refuse({ name: "b", ...week, ...dead }, "b")).toMatch(/10 deliveries instead of 3/);
  const short = { name: "c", maxDeliveryCount: 3, defaultMessageTimeToLiveMs: 60_000, ...dead };
  expect(await refuse(short, "c")).toMatch(/less than seven days/);
});

it("the queues of watching and of Office are in one list [JOB-22]", () => {
  const names = QUEUES.map((queue) => queue.name);
  expect(names).toEqual(
    expect.arrayContaining([
      ...["office-upload-finalization", "office-profile", "office-indexing"],
      ...["webhook-events", "webhook-renewal", "delta-sync"],
    ]),
  );
});

it("a job for a queue under another name arrives there", async () => {
  const spec = defineJob({
    type: "upload",
    queue: "office-upload-finalization",
    payload: Numbered,
  });
  const jobs = await shop.open();
  await shop.add(jobs, spec, numbered(1));
  const counts = () =>
    under.serviceBus.inspect(nameOf("office-upload-finalization"))!.counts.active;
  await expect.poll(counts).toBe(1);
});

it("neighbouring messages that are settled at the same moment each get their own outcome", async () => {
  const engine = openEngine(shop.place.choice, {
    database: shop.database,
    log: createLog({ level: "silent" }),
  });
  const tickets: Ticket[] = [];
  for (const n of [0, 1, 2, 3, 4]) await shop.place.sendRaw("documents", `"${n}"`);
  const consumer = engine.consume("documents", 10, (some) => tickets.push(...some));
  await expect.poll(() => tickets.length, { timeout: 30_000 }).toBe(5);
  const dead = (reason: string) => ({ kind: "dead", reason, description: "" }) as const;
  const ways: Settlement[] = [
    ...[{ kind: "done" } as const, dead("first"), dead("second")],
    ...[{ kind: "done" } as const, { kind: "release" } as const],
  ];
  // The released one comes back, which shows that it was not completed with its neighbour.
  await Promise.all(ways.map((how, index) => engine.settle([tickets[index]!], how)));
  await expect.poll(() => tickets.length, { timeout: 30_000 }).toBe(6);
  await engine.settle([tickets[5]!], { kind: "done" });
  const letters = under.serviceBus.inspect(`${nameOf("documents")}/$deadletterqueue`)!.messages;
  expect(letters.map((letter) => letter.deadLetterReason)).toEqual(["first", "second"]);
  expect(under.serviceBus.inspect(nameOf("documents"))!.messages).toEqual([]);
  await consumer.stop();
  await engine.stop();
});

it("a queue that is missing, or whose expired messages vanish, is refused at startup, in one sentence [S70]", async () => {
  const { serviceBus } = under;
  declareQueues(serviceBus, "-strict");
  const queues = QUEUES.map(({ name }) => name);
  const start = async (changed: Record<string, string> = {}) => {
    const names = Object.fromEntries(queues.map((name) => [name, `${name}-strict`]));
    const engine = createServiceBusEngine({
      connectionString: serviceBus.connectionString(),
      log: createLog({ level: "silent" }),
      queueNames: { ...names, ...changed },
    });
    return engine.start(queues).finally(() => engine.stop());
  };
  await start();
  const [first] = QUEUES;
  serviceBus.declare({
    name: "without-dead-letters",
    maxDeliveryCount: first!.maxDeliveryCount,
    defaultMessageTimeToLiveMs: MESSAGE_TTL_MS,
    deadLetteringOnMessageExpiration: false,
  });
  const refused = (text: string) => ({
    code: "settings.bad",
    message: expect.stringContaining(text),
  });
  await expect(start({ [first!.name]: "without-dead-letters" })).rejects.toMatchObject(
    refused("without-dead-letters (expired messages vanish instead of becoming dead letters)"),
  );
  await expect(start({ [first!.name]: "nowhere" })).rejects.toMatchObject(
    refused("nowhere (is missing)"),
  );
});
