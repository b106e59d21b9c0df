import { afterAll } from "vitest";
import { createServiceBusPart } from "../../tenant/servicebus/service-bus-part.ts";
import { createTestContext } from "../helpers/tenant-context.ts";
import { testServiceBus } from "./service-bus.suite.ts";

const part = createServiceBusPart(createTestContext());
afterAll(() => part.stop());

testServiceBus("Service Bus of the local tenant", async () => {
  await part.start();
  part.declare({ name: "short-lock", lockDurationMs: 2_000 });
  part.declare({ name: "duplicates", requiresDuplicateDetection: true });
  part.declare({ name: "sessions", requiresSession: true });
  return {
    connectionString: part.connectionString(),
    shortLockQueue: "short-lock",
    duplicateQueue: "duplicates",
    sessionQueue: "sessions",
  };
});

// The same claims against a real namespace.
const real = process.env;
if (real["TENANT_SERVICE_BUS"]) {
  testServiceBus("Service Bus of a real namespace", async () => ({
    connectionString: real["TENANT_SERVICE_BUS"]!,
    shortLockQueue: real["TENANT_QUEUE_SHORT_LOCK"] ?? "short-lock",
    duplicateQueue: real["TENANT_QUEUE_DUPLICATES"] ?? "duplicates",
    sessionQueue: real["TENANT_QUEUE_SESSIONS"] ?? "sessions",
  }));
}
