import { EventHubConsumerClient, earliestEventPosition } from "@azure/event-hubs";
import { expect, it } from "vitest";
import { anApp, aTenant, until, watch } from "../helpers/app.ts";
import { clientFor } from "../helpers/client.ts";

it("an event hub gets every event in order, with its id and type", async () => {
  const tenant = await aTenant({ serviceBus: true });
  const app = await anApp(tenant);
  await watch(app, tenant, ["nina"]);
  const hub = tenant.addresses.eventHubs!;
  const add = (connectionString: string) =>
    clientFor(app).POST("/api/sinks", {
      body: { name: "hub", kind: "event-hubs", connectionString },
    });
  const refused = await add(hub.replace(/EntityPath=.*/, ""));
  expect(refused.response.status).toBe(422);
  expect(JSON.stringify(refused.error)).not.toContain("SharedAccessKey");
  const added = await add(hub);
  expect(added.response.status).toBe(201);
  expect(JSON.stringify(added.data)).not.toContain("SharedAccessKey");
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
