import { ServiceBusClient } from "@azure/service-bus";
import { afterAll, beforeAll } from "vitest";
import { openEngine } from "../../src/jobs/open-engine.ts";
import { QUEUES } from "../../src/jobs/queues.ts";
import { createLog } from "../../src/lib/log.ts";
import type { ServiceBusPart } from "../../tenant/servicebus/service-bus-part.ts";
import { declareQueues, startServiceBus } from "../helpers/service-bus.ts";
import type { EngineUnderTest } from "./contract/workshop.ts";
import { testEngine } from "./engine-contract.suite.ts";

let serviceBus: ServiceBusPart;
beforeAll(async () => {
  serviceBus = await startServiceBus();
});
afterAll(() => serviceBus.stop());

let places = 0;

const engine: EngineUnderTest = {
  name: "the Service Bus engine",
  async place(database) {
    const suffix = `-${++places}`;
    declareQueues(serviceBus, suffix);
    const queueNames = Object.fromEntries(QUEUES.map(({ name }) => [name, name + suffix]));
    const connectionString = serviceBus.connectionString();
    const choice = { kind: "service-bus", connectionString, queueNames } as const;
    return {
      choice,
      open: async () => openEngine(choice, { database, log: createLog({ level: "silent" }) }),
      async sendRaw(queue, body) {
        const client = new ServiceBusClient(connectionString);
        const sender = client.createSender(queue + suffix);
        await sender.sendMessages({ body: Buffer.from(body), contentType: "application/json" });
        await client.close();
      },
      async lose(queue) {
        const client = new ServiceBusClient(connectionString);
        const receiver = client.createReceiver(queue + suffix, { receiveMode: "receiveAndDelete" });
        while ((await receiver.receiveMessages(100, { maxWaitTimeInMs: 300 })).length > 0);
        await client.close();
      },
    };
  },
};

testEngine(engine);
