import { existsSync } from "node:fs";
import type { TenantContext } from "./context.ts";
import type { Part } from "./http.ts";

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
  readonly graph: HttpPart & { readonly admin: Loose };
  readonly drives: HttpPart & Loose;
  readonly dataverse: HttpPart & Loose;
  readonly serviceBus:
    | (StatefulPart & { start(port?: number): Promise<unknown>; readonly connectionString: string })
    | null;
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
    graph: (await load("./graph/graph-part.ts", "createGraphPart")) ?? { ...NOTHING, admin: {} },
    drives: (await load("./drives/drives-part.ts", "createDrivesPart")) ?? NOTHING,
    dataverse: (await load("./dataverse/dataverse-part.ts", "createDataversePart")) ?? NOTHING,
    serviceBus: await load("./servicebus/servicebus-part.ts", "createServiceBusPart"),
  };
}
