import { afterAll, beforeAll } from "vitest";
import { createServiceBusEngine } from "../../src/jobs/engines/service-bus.ts";
import { createLog } from "../../src/lib/log.ts";
import type { ServiceBusPart } from "../../tenant/servicebus/service-bus-part.ts";
import { startServiceBus } from "../helpers/service-bus.ts";
import { testEngine } from "./engine-contract.suite.ts";

let serviceBus: ServiceBusPart;
beforeAll(async () => {
  serviceBus = await startServiceBus();
});
afterAll(() => serviceBus.stop());

testEngine({
  name: "the Service Bus engine",
  open: async () =>
    createServiceBusEngine({
      connectionString: serviceBus.connectionString(),
      log: createLog({ level: "warn" }),
    }),
});
