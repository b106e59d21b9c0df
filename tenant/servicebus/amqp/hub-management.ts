/** READ requests to `$management`: the properties of a hub and its partitions. */
import rhea from "rhea";
import type { Hub } from "../hub/hub.ts";
import { outOfRange } from "../hub/hub-address.ts";
import type { AmqpWorld } from "./amqp-world.ts";
import type { ManagementAnswer, ManagementRequest } from "./management-message.ts";

const { types } = rhea;

export function answerHubRequest(
  { hub, claims }: AmqpWorld,
  granted: ReadonlySet<string>,
  request: ManagementRequest,
): ManagementAnswer {
  const { operation, type, name, partition } = request.application_properties ?? {};
  const { settings } = hub;
  if (String(name).toLowerCase() !== settings.name.toLowerCase()) {
    return {
      status: 404,
      description: `The messaging entity '${String(name)}' could not be found.`,
      condition: "amqp:not-found",
    };
  }
  if (!claims.covers(granted, settings.name)) {
    return {
      status: 401,
      description: "Unauthorized access.",
      condition: "amqp:unauthorized-access",
    };
  }
  if (operation === "READ" && type === "com.microsoft:eventhub") return readHub(hub);
  if (operation === "READ" && type === "com.microsoft:partition") {
    return readPartition(hub, String(partition));
  }
  return {
    status: 501,
    description: `The operation '${String(operation)}' of '${String(type)}' is not known.`,
    condition: "amqp:not-implemented",
  };
}

function readHub(hub: Hub): ManagementAnswer {
  return {
    status: 200,
    description: "OK",
    body: {
      name: hub.settings.name,
      type: "com.microsoft:eventhub",
      created_at: types.wrap_timestamp(hub.createdAtMs),
      partition_count: types.wrap_int(hub.settings.partitionCount),
      partition_ids: hub.partitions(),
      georeplication_factor: types.wrap_int(1),
    },
  };
}

function readPartition(hub: Hub, partition: string): ManagementAnswer {
  if (!hub.partitions().includes(partition)) {
    return { status: 400, ...outOfRange(hub, partition) };
  }
  const { beginSequence, last } = hub.view(partition);
  return {
    status: 200,
    description: "OK",
    body: {
      name: hub.settings.name,
      type: "com.microsoft:partition",
      partition,
      begin_sequence_number: types.wrap_long(beginSequence),
      last_enqueued_sequence_number: types.wrap_long(last?.sequence ?? -1),
      last_enqueued_offset: String(last?.offset ?? -1),
      last_enqueued_time_utc: types.wrap_timestamp(last?.enqueuedAtMs ?? hub.createdAtMs),
      is_partition_empty: last === null,
    },
  };
}
