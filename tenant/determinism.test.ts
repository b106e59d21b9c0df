import { expect, it } from "vitest";
import { createTenant, createTenantRequest, type OutgoingRequest, type Tenant } from "./index.ts";

/** Answers the handshake and sometimes refuses a delivery, depending only on the request. */
function createReceiver() {
  let deliveries = 0;
  return async (request: OutgoingRequest) => {
    const token = new URL(request.url).searchParams.get("validationToken");
    const headers = { "content-type": "text/plain" };
    if (token !== null) return { status: 200, headers, body: token, tookMs: 5 };
    deliveries += 1;
    return { status: deliveries % 3 === 0 ? 503 : 202, headers: {}, body: "", tookMs: 20 };
  };
}

async function call(tenant: Tenant, method: string, target: string, body?: object) {
  const answer = await tenant.handle(
    createTenantRequest({
      method,
      target: `/v1.0${target}`,
      headers: {
        authorization: `Bearer ${tenant.tokenFor({})}`,
        "content-type": "application/json",
      },
      body: body === undefined ? "" : JSON.stringify(body),
    }),
  );
  return answer.body.length === 0
    ? {}
    : (JSON.parse(answer.body.toString("utf8")) as Record<string, unknown>);
}

/** A day of a tenant on which everything goes wrong that can. */
async function playDay(seed: string): Promise<string> {
  const tenant = await createTenant({
    seed,
    host: null,
    clock: "virtual",
    company: "small",
    switches: { journalRequests: true },
    send: createReceiver(),
  });
  const user = tenant.users[0]!.id;
  const expirationDateTime = new Date(tenant.clock.now() + 3 * 86_400_000).toISOString();
  await call(tenant, "POST", "/subscriptions", {
    changeType: "created,updated,deleted",
    notificationUrl: "https://receiver.example/notifications",
    lifecycleNotificationUrl: "https://receiver.example/lifecycle",
    resource: `/users/${user}/mailFolders('inbox')/messages`,
    expirationDateTime,
    clientState: "state",
  });
  tenant.faults.arm({ kind: "server-error", probability: 0.3, where: { part: "graph" } });
  tenant.faults.arm({
    kind: "throttle",
    probability: 0.2,
    where: { part: "graph", method: "GET" },
  });
  tenant.faults.arm({ kind: "duplicate-notification", probability: 0.3 });
  tenant.faults.arm({ kind: "drop-notification", probability: 0.2 });
  tenant.faults.arm({ kind: "late-notification", probability: 0.2 });
  for (let hour = 0; hour < 24; hour++) {
    await tenant.graph.admin.sendMail({ to: user, subject: `Hour ${hour}` });
    const page = await call(tenant, "GET", `/users/${user}/mailFolders/inbox/messages?$top=5`);
    const [newest] = (page["value"] as { id: string }[] | undefined) ?? [];
    if (newest)
      await call(tenant, "PATCH", `/users/${user}/messages/${newest.id}`, { isRead: true });
    await tenant.clock.advance(3_600_000);
  }
  const journal = tenant.journal.toJsonLines();
  await tenant.close();
  return journal;
}

it("the same seed and the same calls give the same journal, byte for byte, faults included", async () => {
  const first = await playDay("seed-1");
  const second = await playDay("seed-1");
  expect(first.split("\n").length).toBeGreaterThan(100);
  expect(first).toContain("fault.injected");
  expect(first).toContain("notification.");
  expect(second).toBe(first);
});

it("another seed makes the faults hit other requests", async () => {
  expect(await playDay("seed-2")).not.toBe(await playDay("seed-1"));
});
