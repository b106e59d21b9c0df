import { beforeEach, expect, it } from "vitest";
import { openDataverse } from "../../test/helpers/dataverse-part.ts";

let world: ReturnType<typeof openDataverse>;
beforeEach(() => {
  world = openDataverse();
});

it("a webhook gets the execution context with pairs, option sets, references and escaped dates", async () => {
  const { context, part, sent, matter } = world;
  await part.admin.registerWebhook({
    url: "http://127.0.0.1:9/hook?a=b",
    table: "email",
    message: "Create",
    auth: { type: "key", key: "s3cret" },
    postImage: "Post",
  });
  const regarding = await matter();
  const email = await part.admin.create("email", {
    subject: "Hello",
    actualend: "2026-01-05T07:00:00Z",
    prioritycode: 2,
    "regardingobjectid_sprk_matter_email@odata.bind": `/sprk_matters(${regarding})`,
  });
  await context.clock.advance(1);
  const [post] = sent;
  expect(post!.url).toBe("http://127.0.0.1:9/hook?a=b&code=s3cret");
  expect(post!.headers).toMatchObject({
    "x-ms-dynamics-entity-name": "email",
    "x-ms-dynamics-request-name": "Create",
    "x-ms-dynamics-organization": expect.any(String),
  });
  expect(post!.body).toContain(String.raw`"OperationCreatedOn":"\/Date(`);
  const body = JSON.parse(post!.body);
  expect(body).toMatchObject({
    MessageName: "Create",
    PrimaryEntityName: "email",
    PrimaryEntityId: email.id,
    Stage: 40,
    Mode: 1,
    SecondaryEntityName: "none",
  });
  const [{ value: target }] = body.InputParameters;
  const attributes = new Map(
    target.Attributes.map(({ key, value }: { key: string; value: unknown }) => [key, value]),
  );
  expect(attributes.get("actualend")).toBe(`/Date(${Date.parse("2026-01-05T07:00:00Z")})/`);
  expect(attributes.get("prioritycode")).toMatchObject({ Value: 2 });
  expect(attributes.get("regardingobjectid")).toMatchObject({
    LogicalName: "sprk_matter",
    Id: regarding,
  });
  expect(body.PostEntityImages[0]).toMatchObject({ key: "Post", value: { LogicalName: "email" } });
});

it("secrets can be sent as headers or in the query, and filtering columns suppress updates", async () => {
  const { context, part, sent, matter } = world;
  const settings = { "x-ms-dynamics-msg-keyvalue": "s3cret" };
  const common = {
    url: "http://127.0.0.1:9/hook",
    table: "sprk_matter",
    message: "Update" as const,
  };
  await part.admin.registerWebhook({ ...common, auth: { type: "header", settings } });
  await part.admin.registerWebhook({
    ...common,
    auth: { type: "query", settings: { k: "v" } },
    filteringAttributes: ["sprk_number"],
  });
  const id = await matter();
  await part.admin.update("sprk_matter", id, { sprk_name: "renamed" });
  await context.clock.advance(1);
  expect(sent).toHaveLength(1);
  expect(sent[0]!.headers["x-ms-dynamics-msg-keyvalue"]).toBe("s3cret");
  await part.admin.update("sprk_matter", id, { sprk_number: "7" });
  await context.clock.advance(1);
  expect(sent.map(({ url }) => url)).toContain("http://127.0.0.1:9/hook?k=v");
});

it("dates can carry an offset, which does not change the time", async () => {
  const { context, part, sent } = world;
  context.switches["dataverseDateOffset"] = "-0700";
  await part.admin.registerWebhook({
    url: "http://127.0.0.1:9/h",
    table: "email",
    message: "Create",
  });
  await part.admin.create("email", { subject: "a" });
  const nowMs = context.clock.now();
  await context.clock.advance(1);
  expect(sent[0]!.body).toContain(String.raw`"OperationCreatedOn":"\/Date(${nowMs}-0700)\/"`);
});

it("a body above 256 KB is stripped and says so", async () => {
  const { context, part, sent } = world;
  await part.admin.registerWebhook({
    url: "http://127.0.0.1:9/hook",
    table: "email",
    message: "Create",
  });
  const { id } = await part.admin.create("email", {
    subject: "big",
    description: "x".repeat(300_000),
  });
  await context.clock.advance(1);
  expect(sent[0]!.headers["x-ms-dynamics-msg-size-exceeded"]).toBeDefined();
  const body = JSON.parse(sent[0]!.body);
  expect(body.PrimaryEntityId).toBe(id);
  expect(body).not.toHaveProperty("InputParameters");
  expect(body).not.toHaveProperty("PostEntityImages");
});

it("502, 503 and 504 are tried once more, other failures end as a failed system job", async () => {
  const { context, part, sent, statuses } = world;
  await part.admin.registerWebhook({
    url: "http://127.0.0.1:9/hook",
    table: "email",
    message: "Create",
  });
  statuses.push(503, 200);
  await part.admin.create("email", { subject: "a" });
  await context.clock.advance(1);
  expect([sent.length, part.admin.rows("asyncoperation").length]).toEqual([2, 0]);
  statuses.push(500);
  await part.admin.create("email", { subject: "b" });
  await context.clock.advance(1);
  expect(sent).toHaveLength(3);
  expect(part.admin.rows("asyncoperation")[0]!.values["statuscode"]).toBe(31);
});

it("a failing synchronous webhook undoes the operation", async () => {
  const { part, sent, statuses, ask } = world;
  await part.admin.registerWebhook({
    url: "http://127.0.0.1:9/hook",
    table: "sprk_matter",
    message: "Create",
    isSynchronous: true,
  });
  statuses.push(500);
  const refused = await ask("sprk_matters", { method: "POST", body: { sprk_name: "never" } });
  expect(refused.status).toBe(400);
  expect(sent).toHaveLength(1);
  expect(part.admin.rows("sprk_matter")).toEqual([]);
});

it("a webhook can be registered through the Web API, and its secret is never shown", async () => {
  const { context, sent, ask, matter } = world;
  const prefer = { prefer: "return=representation" };
  const endpoint = await ask("serviceendpoints", {
    method: "POST",
    headers: prefer,
    body: {
      name: "hook",
      contract: 8,
      authtype: 4,
      url: "http://127.0.0.1:9/h",
      authvalue: "secret",
    },
  });
  expect(endpoint.json).not.toHaveProperty("authvalue");
  expect((await ask("serviceendpoints?$select=authvalue")).status).toBe(400);
  const message = (await ask("sdkmessages?$filter=name eq 'Delete'")).json.value[0];
  const filter = (
    await ask(
      `sdkmessagefilters?$filter=primaryobjecttypecode eq 'sprk_matter' and _sdkmessageid_value eq ${message.sdkmessageid}`,
    )
  ).json.value[0];
  const step = await ask("sdkmessageprocessingsteps", {
    method: "POST",
    body: {
      name: "step",
      stage: 40,
      mode: 1,
      "sdkmessageid@odata.bind": `/sdkmessages(${message.sdkmessageid})`,
      "sdkmessagefilterid@odata.bind": `/sdkmessagefilters(${filter.sdkmessagefilterid})`,
      "eventhandler_serviceendpoint@odata.bind": `/serviceendpoints(${endpoint.json.serviceendpointid})`,
    },
  });
  expect(step.status).toBe(204);
  const id = await matter();
  await ask(`sprk_matters(${id})`, { method: "DELETE" });
  await context.clock.advance(1);
  expect(JSON.parse(sent[0]!.body)).toMatchObject({ MessageName: "Delete", PrimaryEntityId: id });
});

it("a key may contain any characters, and an invalid webhook address only makes the call fail", async () => {
  const { context, part, ask } = world;
  const path = "sprk_processingjobs(sprk_idempotencykey='50%25 of (a)/b''s')";
  expect((await ask(path, { method: "PATCH", body: { sprk_name: "job" } })).status).toBe(204);
  expect((await ask(path)).json.sprk_idempotencykey).toBe("50% of (a)/b's");
  await part.admin.registerWebhook({ url: "nowhere", table: "email", message: "Create" });
  await part.admin.create("email", { subject: "a" });
  await context.clock.advance(1);
  expect(part.admin.rows("asyncoperation")[0]!.values["statuscode"]).toBe(31);
});
