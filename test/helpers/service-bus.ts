/** The tenant's Service Bus with queues as the jobs need them. */
import {
  applyQueuePlan,
  createAdministration,
  planQueues,
} from "../../src/jobs/engines/service-bus-queues.ts";
import { QUEUES } from "../../src/jobs/queues.ts";
import {
  createServiceBusPart,
  type ServiceBusPart,
} from "../../tenant/servicebus/service-bus-part.ts";
import { createTestContext } from "./tenant-context.ts";

export async function startServiceBus(): Promise<ServiceBusPart> {
  const part = createServiceBusPart(createTestContext());
  await part.start();
  const admin = createAdministration(part.connectionString());
  await applyQueuePlan(admin, QUEUES, await planQueues(admin, QUEUES));
  return part;
}
