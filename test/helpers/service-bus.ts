/** The tenant's Service Bus with queues as the jobs need them. */
import { MESSAGE_TTL_MS, QUEUES } from "../../src/jobs/queues.ts";
import {
  createServiceBusPart,
  type ServiceBusPart,
} from "../../tenant/servicebus/service-bus-part.ts";
import { createTestContext } from "./tenant-context.ts";

export async function startServiceBus(): Promise<ServiceBusPart> {
  const part = createServiceBusPart(createTestContext());
  await part.start();
  return part;
}

/** Our queues under names with a suffix, as large as the Premium tier allows. */
export function declareQueues(part: ServiceBusPart, suffix: string): void {
  for (const { name, maxDeliveryCount } of QUEUES) {
    part.declare({
      name: name + suffix,
      maxDeliveryCount,
      defaultMessageTimeToLiveMs: MESSAGE_TTL_MS,
      deadLetteringOnMessageExpiration: true,
      maxMessageSizeBytes: 100 * 1024 * 1024,
    });
  }
}
