import { beforeAll, expect, it } from "vitest";
import { findEvents } from "../../src/mailbox/events/event-table.ts";
import type { Tenant, User } from "../../tenant/index.ts";
import { anApp, aTenant, type TestApp, watch } from "../helpers/app.ts";

let tenant: Tenant;
let app: TestApp;
let broken: User;
let whole: User;

beforeAll(async () => {
  tenant = await aTenant();
  [, broken, whole] = tenant.users as [User, User, User];
  app = await anApp(tenant);
  const names = [broken, whole].map(({ mail }) => mail.split("@")[0]!);
  await watch(app, tenant, names);
});

const read = async () => {
  await app.watching.readAll("test");
  await app.jobs.workUntilIdle();
};
const subjectsOf = async (user: User) =>
  (await findEvents(app.database, { mailbox: user.mail })).map(({ subject }) => subject);

it("a mailbox that cannot be read does not stop the others, and is read again once it can [DLT-14]", async () => {
  const path = `/v1.0/users/${broken.id}/*`;
  const refusal = { kind: "server-error", options: { status: 403 } };
  tenant.faults.arm({ ...refusal, where: { path }, remaining: null } as never);
  for (const user of [broken, whole])
    await tenant.graph.admin.sendMail({ to: user.mail, subject: "To each" } as never);
  await read();
  expect(await subjectsOf(whole)).toEqual(["To each"]);
  expect(await subjectsOf(broken)).toEqual([]);
  tenant.faults.disarm();
  await read();
  expect(await subjectsOf(broken)).toEqual(["To each"]);
});
