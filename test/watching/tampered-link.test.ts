import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { findEvents } from "../../src/mailbox/events/event-table.ts";
import { anApp, aTenant, watch } from "../helpers/app.ts";

const received: string[] = [];
const foreign = createServer((request, response) => {
  received.push(`${request.url} ${request.headers.authorization ?? ""}`);
  response.end("{}");
});
afterAll(() => void foreign.close());

it("a stored link that was changed to lead to another host is not followed, and the folder is read from the start [DLT-02] [S48]", async () => {
  await new Promise<void>((done) => foreign.listen(0, "127.0.0.1", done));
  const { port } = foreign.address() as AddressInfo;
  const tenant = await aTenant();
  const app = await anApp(tenant);
  const [name] = tenant.users[0]!.userPrincipalName.split("@");
  await tenant.graph.admin.sendMail({ to: tenant.users[0]!.id, subject: "Before" });
  await watch(app, tenant, [name!]);
  const before = (await findEvents(app.database, { limit: 1_000 })).length;
  const { rowCount } = await app.database.query(
    "UPDATE postroom.folder SET delta_link = $1 WHERE delta_link IS NOT NULL",
    [`http://127.0.0.1:${port}/v1.0/users/x/mailFolders/inbox/messages/delta?$deltatoken=1`],
  );
  expect(rowCount).toBeGreaterThan(0);
  // Only reading the folder can find the mail.
  tenant.faults.arm({ kind: "drop-notification" });
  await tenant.graph.admin.sendMail({ to: tenant.users[0]!.id, subject: "Safe" });
  await app.watching.readAll("a test");
  await app.jobs.workUntilIdle();
  const events = await findEvents(app.database, { limit: 1_000 });
  expect(events.length).toBeGreaterThan(before);
  const { rows } = await app.database.query(
    "SELECT 1 FROM postroom.folder WHERE delta_link LIKE $1",
    [`%:${port}/%`],
  );
  expect(rows).toEqual([]);
  expect(received).toEqual([]);
});
