import { existsSync } from "node:fs";
import type { TenantContext } from "./context.ts";
import { createDrivesPart, type DrivesPart } from "./drives/drives-part.ts";
import { createGraphPart, type GraphPart } from "./graph/graph-part.ts";
import type { Part } from "./http.ts";
import { createServiceBusPart, type ServiceBusPart } from "./servicebus/service-bus-part.ts";

/** What a snapshot needs of every part that keeps state. */
export interface StatefulPart {
  snapshot(): unknown;
  restore(state: unknown): void;
  stop?(): void | Promise<void>;
}

export interface HttpPart extends StatefulPart {
  readonly handle: Part;
}

// biome-ignore lint/suspicious/noExplicitAny: the parts' own types replace this once all have landed.
type Loose = any;

export interface LoadedParts {
  readonly graph: GraphPart & Partial<StatefulPart>;
  readonly drives: DrivesPart;
  readonly dataverse: HttpPart & Loose;
  readonly serviceBus: ServiceBusPart;
}

const NOTHING: HttpPart = { handle: async () => null, snapshot: () => null, restore() {} };

export async function loadParts(context: TenantContext): Promise<LoadedParts> {
  const load = async (path: string, name: string): Promise<Loose> => {
    const url = new URL(path, import.meta.url);
    if (!existsSync(url)) return null;
    const module = (await import(/* @vite-ignore */ url.href)) as Record<string, Loose>;
    return module[name](context);
  };
  return {
    graph: createGraphPart(context),
    drives: createDrivesPart(context),
    dataverse: (await load("./dataverse/dataverse-part.ts", "createDataversePart")) ?? NOTHING,
    serviceBus: createServiceBusPart(context),
  };
}
