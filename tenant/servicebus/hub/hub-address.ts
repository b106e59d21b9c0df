import type { Hub, HubRefusal } from "./hub.ts";

/** `{hub}`, `{hub}/Partitions/{id}` or `{hub}/ConsumerGroups/{group}/Partitions/{id}`. */
export interface HubAddress {
  readonly group: string | null;
  readonly partition: string | null;
}

const ADDRESS = /^([^/]+)(?:\/ConsumerGroups\/([^/]+))?(?:\/Partitions\/([^/]+))?$/i;

/** Null if the address does not belong to the hub. */
export function readHubAddress({ settings }: Hub, address: string): HubAddress | null {
  const [, name, group, partition] = ADDRESS.exec(address) ?? [];
  if (name?.toLowerCase() !== settings.name.toLowerCase()) return null;
  return { group: group ?? null, partition: partition ?? null };
}

/** Why a link to this address of the hub is refused. */
export function refuseHubAddress(hub: Hub, { group, partition }: HubAddress): HubRefusal | null {
  const { consumerGroups, name } = hub.settings;
  if (
    group !== null &&
    !consumerGroups.some((each) => each.toLowerCase() === group.toLowerCase())
  ) {
    return {
      condition: "amqp:not-found",
      description: `The messaging entity '${name}/ConsumerGroups/${group}' could not be found.`,
    };
  }
  if (partition === null || hub.partitions().includes(partition)) return null;
  return outOfRange(hub, partition);
}

export function outOfRange(hub: Hub, partition: string): HubRefusal {
  return {
    condition: "com.microsoft:argument-out-of-range",
    description: `The specified partition '${partition}' is invalid for an EventHub partition sender or receiver. It should be between 0 and ${hub.settings.partitionCount - 1}.`,
  };
}
