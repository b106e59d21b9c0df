import type { Switches } from "./context.ts";

/** The defaults follow Microsoft's documentation; `docs/tenant.md` lists each with its reason. */
export function createSwitches(overrides: Partial<Switches> = {}): Switches {
  return {
    duplicateSubscription: "conflict",
    handshakeOnRenew: false,
    notificationsPerPost: 100,
    moveNotification: "deleted-and-created",
    messageDeltaPageSize: 10,
    deltaGenerations: 3,
    tokenLifetimeSeconds: "random",
    deliveryDelayMs: 0,
    throttling: true,
    uploadSessionLifetimeMs: 15 * 60_000,
    journalRequests: false,
    invalidClientStatus: 401,
    tokenLoopLimit: 0,
    ...overrides,
  };
}
