import { afterAll, expect, it } from "vitest";
import { createTenantRequest } from "../http.ts";
import { createTenant } from "../index.ts";
import { createLocalAdminClient } from "./admin-client.ts";

const tenant = await createTenant({ host: null, clock: "virtual" });
afterAll(() => tenant.close());
const admin = createLocalAdminClient(tenant);
const mailbox = tenant.users[0]!.userPrincipalName;

it("users and apps can be added, and a new app gets tokens immediately", async () => {
  const user = await admin.call<{ id: string }>("POST", "/users", {
    userPrincipalName: "new.hire",
  });
  expect(tenant.users.at(-1)).toMatchObject({
    id: user.id,
    userPrincipalName: "new.hire@ashdown.example",
  });
  await admin.call("POST", "/mail", { to: user.id, subject: "Welcome" });
  const app = await admin.call<{ appId: string }>("POST", "/apps", {
    displayName: "Tool",
    secrets: ["s"],
    appRoles: ["Mail.Read"],
  });
  const caller = await tenant.context.authenticate(
    `Bearer ${tenant.tokenFor({ app: app.appId })}`,
    "https://graph.microsoft.com",
  );
  expect([...(caller?.roles ?? [])]).toEqual(["Mail.Read"]);
  await expect(admin.call("POST", "/users", { userPrincipalName: mailbox })).rejects.toThrow(
    "already",
  );
});

it("an app can be kept out of every mailbox but some, until that is lifted", async () => {
  const { appId } = tenant.apps[0]!;
  const other = tenant.users[1]!.userPrincipalName;
  const token = tenant.tokenFor({ app: appId });
  const statusOf = async (name: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const target = `/v1.0/users/${name}/messages`;
    return (await tenant.handle(createTenantRequest({ method: "GET", target, headers }))).status;
  };
  await admin.call("PUT", `/apps/${appId}/mailboxes`, { mailboxes: [mailbox] });
  expect([await statusOf(mailbox), await statusOf(other)]).toEqual([200, 403]);
  await admin.call("PUT", `/apps/${appId}/mailboxes`, { mailboxes: null });
  expect(await statusOf(other)).toBe(200);
  const put = (app: string, body: object) => admin.call("PUT", `/apps/${app}/mailboxes`, body);
  await expect(put("nobody", { mailboxes: [] })).rejects.toThrow("no such app");
  await expect(put(appId, { mailboxes: ["nobody"] })).rejects.toThrow("nobody");
  await expect(put(appId, { mailboxes: "all" })).rejects.toThrow("list of strings");
});

it("a message is flagged, categorized and moved into a new folder", async () => {
  await admin.call("POST", "/mail", { to: mailbox, subject: "Sort me", body: "<p>x</p>" });
  await admin.call("POST", `/mailboxes/${mailbox}/folders`, { displayName: "Sorted" });
  const target = { mailbox };
  expect(await admin.call("POST", "/messages/latest/flag", target)).toMatchObject({
    flag: "flagged",
  });
  const categories = ["Red"];
  expect(
    await admin.call("POST", "/messages/latest/categorize", { ...target, categories }),
  ).toMatchObject({ categories });
  expect(
    await admin.call("POST", "/messages/latest/move", { ...target, folder: "Sorted" }),
  ).toMatchObject({ folder: "Sorted" });
  await expect(
    admin.call("POST", "/messages/latest/move", { ...target, folder: "Nowhere" }),
  ).rejects.toThrow("Nowhere");
});

it("a message given as MIME keeps the recipients that it names, besides the mailbox that gets it", async () => {
  const eml = `From: a@b.example\r\nTo: ${mailbox}, o@x.example\r\nCc: c@x.example\r\nSubject: MIME\r\n\r\nhi`;
  const { id } = await admin.call<{ id: string }>("POST", "/mail", {
    to: mailbox,
    eml: Buffer.from(eml).toString("base64"),
    attachments: [{ name: "a.txt", contentBytes: "eA==" }],
  });
  const read = await tenant.handle(
    createTenantRequest({
      method: "GET",
      target: `/v1.0/users/${mailbox}/messages/${id}`,
      headers: { authorization: `Bearer ${tenant.tokenFor({})}` },
    }),
  );
  const message = JSON.parse(read.body.toString());
  const names = (list: { emailAddress: { address: string } }[]) =>
    list.map(({ emailAddress }) => emailAddress.address);
  expect(names(message.toRecipients)).toEqual([mailbox, "o@x.example"]);
  expect(names(message.ccRecipients)).toEqual(["c@x.example"]);
  expect([message.from.emailAddress.address, message.hasAttachments]).toEqual([
    "a@b.example",
    true,
  ]);
});

it("an invalid call is refused with a sentence that says what would be valid", async () => {
  const refused = (method: string, path: string, body?: object | string) =>
    admin.call(method, path, body).then(
      () => "not refused",
      (error: Error) => error.message,
    );
  expect(await refused("POST", "/mail", "{")).toBe("The body is not JSON.");
  expect(await refused("POST", "/mail", { subject: "x" })).toBe("'to' must be a string.");
  expect(await refused("POST", "/mail", { to: "nobody@ashdown.example" })).toContain(
    "has no mailbox",
  );
  expect(await refused("POST", "/clock/advance", { by: "soon" })).toContain("90s, 45m or 3d");
  expect(await refused("POST", "/faults", { kind: "reset", probability: 2 })).toContain(
    "from 0 to 1",
  );
  expect(await refused("POST", "/faults", { kind: "reset", times: 0 })).toContain("at least 1");
  expect(await refused("POST", "/snapshot", "{}")).toContain("is not a snapshot");
  expect(await refused("POST", "/subscriptions/nope/remove")).toContain("no subscription");
  expect(await refused("GET", "/nothing")).toContain("nothing at /admin/nothing");
});

it("the admin API shows containers, rows, queues and the journal", async () => {
  expect(await admin.call("GET", "/containers")).toMatchObject({
    value: [{ id: tenant.drives.admin.defaultContainerId }],
  });
  await admin.call("POST", "/dataverse/account", { name: "Kestrelbrook" });
  expect(JSON.stringify(await admin.call("GET", "/dataverse/account"))).toContain("Kestrelbrook");
  const { value } = await admin.call<{ value: { name?: string }[] }>("GET", "/queues");
  expect(value.length).toBeGreaterThan(0);
  const created = await admin.call<{ value: { kind: string }[] }>(
    "GET",
    "/journal?kind=message.created",
  );
  expect(new Set(created.value.map((entry) => entry.kind))).toEqual(new Set(["message.created"]));
});

it("a mailbox with a million messages is created instantly", async () => {
  const big = tenant.users[3]!.userPrincipalName;
  await admin.call("POST", `/mailboxes/${big}/fill`, { count: 1_000_000 });
  expect(tenant.journal.entries().at(-1)).toMatchObject({
    kind: "mailbox.filled",
    count: 1_000_000,
  });
});
