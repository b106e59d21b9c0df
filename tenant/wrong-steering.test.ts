/** Invalid calls of the admin API and of Service Bus' management over HTTP. */
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { createTenant, createTenantRequest } from "./index.ts";

const tenant = await createTenant({ host: null, clock: "virtual", company: "small" });
afterAll(() => tenant.close());
const [operations, other] = tenant.users.map((user) => user.userPrincipalName);
const managing = tenant.tokenFor({ scope: "https://servicebus.azure.net/.default" });
const reading = tenant.tokenFor({});

const odd = fc.oneof(
  fc.constantFrom(null, 0, -1, 1.5, 1e15, true, "", "x", "45m", [], {}, [null], ["x"], { a: 1 }),
  fc.json({ maxDepth: 1 }).map((text) => JSON.parse(text) as unknown),
);
const NAMES = [
  ...["to", "mailbox", "subject", "body", "eml", "attachments", "headers", "folder", "receivedAt"],
  ...["importance", "displayName", "parent", "count", "isRead", "status", "categories", "kind"],
  ...["probability", "times", "where", "options", "userPrincipalName", "mail", "hasMailbox"],
  ...["secrets", "appRoles", "delegatedScopes", "accessTokenVersion", "event", "notify", "by"],
  ...["deliveryDelayMs", "messageDeltaPageSize", "moveNotification", "tokenLifetimeSeconds"],
  ...["message", "table", "url", "auth", "from", "internetMessageId", "permanently"],
];
/** Valid in one or two places, so that the odd parts are reached. */
const sound = fc.constantFrom<object>(
  ...[{}, { to: operations }, { mailbox: operations }, { kind: "throttle" }, { by: "1s" }],
  ...[{ userPrincipalName: "somebody" }, { event: "missed" }, { message: "Create" }],
  { to: operations, attachments: [{ name: "a.pdf", contentBytes: "JVBERg==" }] },
);
const json = fc
  .tuple(sound, fc.dictionary(fc.constantFrom(...NAMES), odd, { maxKeys: 3 }))
  .map(([one, more]) => JSON.stringify({ ...one, ...more }));
const body = fc.oneof(
  { weight: 6, arbitrary: json },
  { weight: 1, arbitrary: fc.constantFrom("", "{", "[]", "null", '"x"', "<entry>") },
);
const adminPath = fc.constantFrom(
  ...["/mail", "/users", "/users/x", `/users/${other}`, "/apps", `/apps/${tenant.clientId}`],
  ...["/faults", "/faults/x", "/switches", "/journal?after=x", "/journal?kind=%", "/snapshot"],
  ...["/mailboxes/x/messages", `/mailboxes/${operations}/messages?top=-1`, "/mailboxes/x/fill"],
  ...[`/mailboxes/${operations}/folders`, "/messages/latest/move", "/messages/latest/read"],
  ...["/messages/latest/flag", "/messages/latest/categorize", "/messages/x/delete", "/clock"],
  ...[
    "/subscriptions/all/remove",
    "/subscriptions/x/lifecycle",
    "/dataverse/accounts",
    "/queues/x",
  ],
  ...["/dataverse/x", "/dataverse/webhooks", "/containers", "/keys", "/%", "/queues/%/y", ""],
);
const atomPath = fc.constantFrom(
  ...["/", "/$Resources/queues", "/$Resources/queues?$skip=x&$top=-1", "/$namespaceinfo", "/q"],
  ...["/office-profile", "/a/b/c", "/%", "/q/$management", "/office-profile/$DeadLetterQueue"],
);
const atomBody = fc
  .dictionary(
    fc.constantFrom(
      "LockDuration",
      "MaxDeliveryCount",
      "Status",
      "MaxSizeInMegabytes",
      "RequiresSession",
      "DefaultMessageTimeToLive",
      "MaxMessageSizeInKilobytes",
    ),
    fc.constantFrom("", "x", "-1", "PT1M", "P1Y2M3DT4H", "1e400", "true", "0", "&amp;", "Active"),
  )
  .map((all) =>
    Object.entries(all)
      .map(([name, value]) => `<${name}>${value}</${name}>`)
      .join(""),
  );

const send = (method: string, target: string, text: string, token: string | null) =>
  tenant.handle(
    createTenantRequest({
      method,
      target,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      body: text,
    }),
  );
const method = fc.constantFrom("GET", "POST", "POST", "POST", "PATCH", "PUT", "DELETE");

it("an invalid call of the admin API is refused with its error, and the tenant keeps running", async () => {
  await fc.assert(
    fc.asyncProperty(method, adminPath, body, async (verb, path, text) => {
      const answer = await send(verb, `/admin${path}`, text, null);
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400)
        expect(JSON.parse(answer.body.toString("utf8"))).toHaveProperty("error.message");
      tenant.faults.disarm(); // a correctly armed fault may well answer with a 500
      const mail = `/v1.0/users/${operations}/messages?$top=1&$select=subject,internetMessageHeaders,receivedDateTime,body`;
      expect((await send("GET", mail, "", reading)).status).toBe(200);
      expect((await send("GET", "/admin/mailboxes", "", null)).status).toBe(200);
    }),
    { numRuns: 600, seed: 20_260_105 },
  );
});

it("an invalid call of Service Bus' management is refused in its own error format", async () => {
  const token = fc.constantFrom(managing, managing, managing, reading, "x", null);
  await fc.assert(
    fc.asyncProperty(method, atomPath, atomBody, token, async (verb, path, text, bearer) => {
      const answer = await send(verb, `/servicebus${path}`, text, bearer);
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400)
        expect(answer.body.toString("utf8")).toMatch(/<Error><Code>|"error"/);
    }),
    { numRuns: 500, seed: 20_260_105 },
  );
});
