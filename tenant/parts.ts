import type { TenantContext } from "./context.ts";
import { createDataversePart, type DataversePart } from "./dataverse/dataverse-part.ts";
import { createDrivesPart, type DrivesPart } from "./drives/drives-part.ts";
import { createGraphPart, type GraphPart } from "./graph/graph-part.ts";
import { createServiceBusPart, type ServiceBusPart } from "./servicebus/service-bus-part.ts";

/** What a snapshot needs from every part that keeps state. */
export interface StatefulPart {
  snapshot(): unknown;
  restore(state: unknown): void;
}

export interface TenantParts {
  readonly graph: GraphPart;
  readonly drives: DrivesPart;
  readonly dataverse: DataversePart;
  readonly serviceBus: ServiceBusPart;
}

export function createParts(context: TenantContext): TenantParts {
  const parts = {
    graph: createGraphPart(context),
    drives: createDrivesPart(context),
    dataverse: createDataversePart(context),
    serviceBus: createServiceBusPart(context),
  };
  // Subscriptions to a drive belong to Graph; changes in it belong to the drives.
  parts.drives.admin.onChange((drive) => parts.graph.admin.driveChanged(drive.id));
  return parts;
}

export async function stopParts(parts: TenantParts): Promise<void> {
  for (const part of [parts.graph, parts.drives, parts.dataverse, parts.serviceBus]) {
    await part.stop();
  }
}
