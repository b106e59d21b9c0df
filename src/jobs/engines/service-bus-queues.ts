/** Checks and creates the queues of a Service Bus namespace. */
import { type QueueProperties, ServiceBusAdministrationClient } from "@azure/service-bus";
import type { AzureCredential } from "../../lib/azure-credential.ts";
import { Fault } from "../../lib/fault.ts";
import { MESSAGE_TTL_MS, type QueueSettings } from "../queues.ts";

/** With a credential, `connectionString` is only the host name of the namespace. */
export function createAdministration(
  connectionString: string,
  credential: AzureCredential | null = null,
): ServiceBusAdministrationClient {
  if (credential !== null) return new ServiceBusAdministrationClient(connectionString, credential);
  const admin = new ServiceBusAdministrationClient(connectionString);
  // The client does not use plain HTTP for a local emulator by itself.
  if (/UseDevelopmentEmulator=true/i.test(connectionString)) {
    admin.pipeline.addPolicy({
      name: "plain-http",
      sendRequest(request, next) {
        request.url = request.url.replace(/^https:/, "http:");
        request.allowInsecureConnection = true;
        return next(request);
      },
    });
  }
  return admin;
}

const LOCK_DURATION = "PT5M";
const TIME_TO_LIVE = "P7D";

export interface QueuePlan {
  readonly name: string;
  readonly action: "create" | "update" | "keep";
  /** What is wrong with the existing queue. */
  readonly problems: readonly string[];
}

/** What has to change so that the namespace loses no job; changes nothing itself. */
export async function planQueues(
  admin: ServiceBusAdministrationClient,
  queues: readonly QueueSettings[],
): Promise<QueuePlan[]> {
  return Promise.all(
    queues.map(async (wanted) => {
      const found = await getQueue(admin, wanted.name);
      if (found === null) return { name: wanted.name, action: "create", problems: ["is missing"] };
      const problems = problemsOf(found, wanted);
      return { name: wanted.name, action: problems.length === 0 ? "keep" : "update", problems };
    }),
  );
}

/** Creates queues, and corrects what can be changed of those that exist. */
export async function applyQueuePlan(
  admin: ServiceBusAdministrationClient,
  queues: readonly QueueSettings[],
  plans: readonly QueuePlan[],
): Promise<void> {
  for (const plan of plans) {
    const wantedQueue = queues.find((queue) => queue.name === plan.name)!;
    const settings = {
      maxDeliveryCount: wantedQueue.maxDeliveryCount,
      defaultMessageTimeToLive: TIME_TO_LIVE,
      deadLetteringOnMessageExpiration: true,
      lockDuration: LOCK_DURATION,
    };
    if (plan.action === "create") await admin.createQueue(plan.name, settings);
    if (plan.action === "update") {
      await admin.updateQueue({ ...(await admin.getQueue(plan.name)), ...settings });
    }
  }
}

/** Refuses a namespace in which jobs could be lost. */
export async function checkQueues(
  admin: ServiceBusAdministrationClient,
  queues: readonly QueueSettings[],
): Promise<void> {
  const wrong = (await planQueues(admin, queues)).filter((plan) => plan.action !== "keep");
  if (wrong.length === 0) return;
  const list = wrong.map((plan) => `${plan.name} (${plan.problems.join(", ")})`).join("; ");
  throw new Fault(
    "settings.bad",
    `Service Bus queues are not set up as Postroom needs them: ${list}; run "postroom jobs create-queues"`,
  );
}

async function getQueue(
  admin: ServiceBusAdministrationClient,
  name: string,
): Promise<QueueProperties | null> {
  try {
    return await admin.getQueue(name);
  } catch (error) {
    if ((error as { code?: string }).code === "MessageEntityNotFoundError") return null;
    throw error;
  }
}

function problemsOf(found: QueueProperties, wanted: QueueSettings): string[] {
  const problems: string[] = [];
  if (!found.deadLetteringOnMessageExpiration) {
    problems.push("expired messages vanish instead of becoming dead letters");
  }
  if (found.maxDeliveryCount !== wanted.maxDeliveryCount) {
    problems.push(`${found.maxDeliveryCount} deliveries instead of ${wanted.maxDeliveryCount}`);
  }
  if (durationMs(found.defaultMessageTimeToLive) < MESSAGE_TTL_MS) {
    problems.push("messages live for less than seven days");
  }
  if (found.requiresSession)
    problems.push("it requires sessions, which cannot be changed: delete it first");
  return problems;
}

const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/;

/** Parses an ISO 8601 duration of days or less. */
export function durationMs(text: string): number {
  const parts = DURATION.exec(text);
  if (parts === null) return 0;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
}
