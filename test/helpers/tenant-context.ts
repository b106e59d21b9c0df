import { createRealClock, createVirtualClock } from "../../tenant/clock.ts";
import type {
  Caller,
  OutgoingAnswer,
  OutgoingRequest,
  TenantContext,
} from "../../tenant/context.ts";
import { createFaults } from "../../tenant/faults.ts";
import { createJournal } from "../../tenant/journal.ts";
import { createRandom } from "../../tenant/random.ts";
import { createSwitches } from "../../tenant/switches.ts";

export interface TestContextOptions {
  readonly clock?: "real" | "virtual";
  /** Milliseconds at which a virtual clock starts. */
  readonly startMs?: number;
  readonly switches?: Record<string, unknown>;
  readonly send?: (request: OutgoingRequest) => Promise<OutgoingAnswer>;
}

/** A context for a single part: no server, and bearer tokens that contain the caller as JSON. */
export function createTestContext(options: TestContextOptions = {}): TenantContext {
  const clock =
    options.clock === "virtual"
      ? createVirtualClock(options.startMs ?? Date.UTC(2026, 0, 5, 8))
      : createRealClock();
  const random = createRandom("test");
  const journal = createJournal(() => clock.now());
  const context = {
    tenantId: random.fork("tenant").uuid(),
    clock,
    random,
    journal,
    faults: createFaults(random.fork("faults"), () => {}),
    switches: createSwitches(options.switches),
    users: [],
    apps: [],
    origin: () => "http://127.0.0.1:1",
    authenticate: async (authorization: string | undefined, audience: string) =>
      readToken(authorization, audience),
    send: options.send ?? (async () => ({ status: 0, headers: {}, body: "", tookMs: 0 })),
  };
  return context as unknown as TenantContext;
}

/** What a test puts into an Authorization header. */
export function tokenFor(caller: Partial<Record<keyof Caller, unknown>>): string {
  return `Bearer ${Buffer.from(JSON.stringify(caller)).toString("base64url")}`;
}

function readToken(authorization: string | undefined, audience: string): Caller | null {
  if (authorization === undefined || !authorization.startsWith("Bearer ")) return null;
  let given: Record<string, unknown>;
  try {
    given = JSON.parse(Buffer.from(authorization.slice(7), "base64url").toString());
  } catch {
    return null; // not one of ours
  }
  if (given["audience"] !== undefined && given["audience"] !== audience) return null;
  return {
    tenantId: "tenant",
    appId: "app",
    objectId: "app-object",
    isAppOnly: true,
    audience,
    ...given,
    scopes: new Set((given["scopes"] as string[] | undefined) ?? []),
    roles: new Set((given["roles"] as string[] | undefined) ?? []),
  };
}
