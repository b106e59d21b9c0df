import { EventHubConsumerClient, earliestEventPosition } from "@azure/event-hubs";
import { expect, it } from "vitest";
import { anApp, aTenant, until, watch } from "../helpers/app.ts";

it("an event hub gets every event in order, with its id and type", async () => {
  const tenant = await aTenant({ serviceBus: true });
  const app = await anApp(tenant);
  await watch(app, tenant, ["nina"]);
  const call = async (url: string, payload: object) => {
    const headers = { authorization: `Bearer ${app.operatorKey}` };
    const answer = await app.server.inject({ method: "POST", url, headers, payload });
    return { status: answer.statusCode, body: answer.body };
  };
  const wanted = { name: "hub", kind: "event-hubs" };
  const without = {
    ...wanted,
    connectionString: tenant.addresses.eventHubs!.replace(/EntityPath=.*/, ""),
  };
  const refused = await call("/api/sinks", without);
  expect(refused.status).toBe(422);
  expect(refused.body).not.toContain("SharedAccessKey");
  const added = await call("/api/sinks", {
    ...wanted,
    connectionString: tenant.addresses.eventHubs,
  });
  expect(added.status, added.body).toBe(201);
  expect(added.body).not.toContain("SharedAccessKey");
  for (const subject of ["one", "two", "three"])
    await tenant.graph.admin.sendMail({ to: "nina.berg@ashdown.example", subject });
  const bodies: { data: { subject: string }; type: string }[] = [];
  const consumer = new EventHubConsumerClient("$Default", tenant.addresses.eventHubs!);
  const reading = consumer.subscribe(
    {
      processEvents: async (events) =>
        void bodies.push(...events.map(({ body }) => body as (typeof bodies)[0])),
      processError: async () => {},
    },
    { startPosition: earliestEventPosition, maxWaitTimeInSeconds: 1 },
  );
  try {
    await until("three events in the hub", async () => bodies.length >= 3);
  } finally {
    await reading.close();
    await consumer.close();
  }
  expect(bodies.map(({ data }) => data.subject)).toEqual(["one", "two", "three"]);
  expect(bodies[0]!.type).toBe("mail.arrived");
});
