import { beforeEach, expect, it } from "vitest";
import { createTestContext, tokenFor } from "../../test/helpers/tenant-context.ts";
import type { OutgoingRequest, TenantContext } from "../context.ts";
import { createTenantRequest, type TenantResponse } from "../http.ts";
import { createDataversePart, type DataversePart } from "./dataverse-part.ts";

const ADA_ID = "11111111-1111-4111-8111-111111111111";
const APP_ID = "22222222-2222-4222-8222-222222222222";
const APP = tokenFor({ appId: APP_ID });
const ADA = tokenFor({
  appId: APP_ID,
  objectId: ADA_ID,
  isAppOnly: false,
  scopes: ["user_impersonation"],
});

let context: TenantContext;
let part: DataversePart;
let sent: OutgoingRequest[];
let statuses: number[];

beforeEach(() => {
  sent = [];
  statuses = [];
  context = createTestContext({
    clock: "virtual",
    async send(request) {
      sent.push(request);
      return { status: statuses.shift() ?? 200, headers: {}, body: "", tookMs: 1 };
    },
  });
  context.users.push({
    id: ADA_ID,
    displayName: "Ada",
    mail: "ada@x",
    userPrincipalName: "ada@x",
  } as never);
  context.apps.push({
    appId: APP_ID,
    displayName: "App",
    servicePrincipalId: "33333333-3333-4333-8333-333333333333",
  } as never);
  part = createDataversePart(context);
});

interface Ask {
  method?: string;
  token?: string | null;
  headers?: Record<string, string>;
  body?: unknown;
}

async function ask(path: string, { method = "GET", token = APP, headers = {}, body }: Ask = {}) {
  const answer = (await part.handle(
    createTenantRequest({
      method,
      target: `/api/data/v9.2/${path}`,
      headers: token === null ? headers : { authorization: token, ...headers },
      body: typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body),
    }),
  )) as TenantResponse;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  return { ...answer, headers: answer.headers ?? {}, json: answer.body as any };
}

const matter = async (body: object = {}) =>
  (await part.admin.create("sprk_matter", { sprk_name: "M", ...body })).id;

it("a user who is confined to his own rows is refused a foreign one and does not see it in lists", async () => {
  const id = await matter();
  part.admin.setScope(ADA_ID, "user");
  const foreign = await ask(`sprk_matters(${id})?$select=sprk_matterid`, { token: ADA });
  expect([foreign.status, foreign.json.error.code]).toEqual([403, "0x80048306"]);
  expect((await ask("sprk_matters", { token: ADA })).json.value).toEqual([]);
  part.admin.share(ADA_ID, "sprk_matter", id, ["ReadAccess"]);
  expect((await ask(`sprk_matters(${id})`, { token: ADA })).status).toBe(200);
  expect(
    (await ask(`sprk_matters(${id})`, { method: "PATCH", token: ADA, body: { sprk_name: "x" } }))
      .status,
  ).toBe(403);
  const made = await ask("sprk_matters", {
    method: "POST",
    token: ADA,
    body: { sprk_name: "own" },
  });
  expect(made.status).toBe(204);
  expect((await ask("sprk_matters", { token: ADA })).json.value).toHaveLength(2);
});

it("rights of a principal are told as one text, and None when there are none", async () => {
  const id = await matter();
  part.admin.setScope(ADA_ID, "user");
  const path = `systemusers(${part.admin.userIdOf(ADA_ID)})/Microsoft.Dynamics.CRM.RetrievePrincipalAccess(Target=@t)?@t=`;
  const target = encodeURIComponent(`{'@odata.id':'sprk_matters(${id})'}`);
  expect((await ask(path + target)).json.AccessRights).toBe("None");
  part.admin.share(ADA_ID, "sprk_matter", id, ["WriteAccess", "ReadAccess"]);
  expect((await ask(path + target)).json.AccessRights).toBe("ReadAccess, WriteAccess");
});

it("an app without an application user and a missing token are refused", async () => {
  expect((await ask("WhoAmI", { token: null })).status).toBe(401);
  const stranger = tokenFor({ appId: "44444444-4444-4444-8444-444444444444" });
  expect((await ask("WhoAmI", { token: stranger })).status).toBe(403);
  await part.admin.remove("systemuser", part.admin.userIdOf(ADA_ID)!);
  expect((await ask("WhoAmI", { token: ADA })).status).toBe(403);
});

it("somebody who joins the tenant later is a user of the environment too", async () => {
  const id = "66666666-6666-4666-8666-666666666666";
  context.users.push({ id, displayName: "New", mail: "n@x", userPrincipalName: "n@x" } as never);
  const token = tokenFor({ appId: APP_ID, objectId: id, isAppOnly: false });
  expect((await ask("WhoAmI", { token })).json.UserId).toBe(part.admin.userIdOf(id));
});

it("a webhook gets the execution context with pairs, option sets, references and escaped dates", async () => {
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

it("secrets can travel as headers or in the query, and filtering columns keep updates quiet", async () => {
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

it("dates can carry an offset, which does not change the moment", async () => {
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
  await part.admin.registerWebhook({
    url: "http://127.0.0.1:9/hook",
    table: "email",
    message: "Create",
  });
  statuses = [503, 200];
  await part.admin.create("email", { subject: "a" });
  await context.clock.advance(1);
  expect([sent.length, part.admin.rows("asyncoperation").length]).toEqual([2, 0]);
  statuses = [500];
  await part.admin.create("email", { subject: "b" });
  await context.clock.advance(1);
  expect(sent).toHaveLength(3);
  expect(part.admin.rows("asyncoperation")[0]!.values["statuscode"]).toBe(31);
});

it("a failing synchronous webhook takes the operation back", async () => {
  await part.admin.registerWebhook({
    url: "http://127.0.0.1:9/hook",
    table: "sprk_matter",
    message: "Create",
    isSynchronous: true,
  });
  statuses = [500];
  const refused = await ask("sprk_matters", { method: "POST", body: { sprk_name: "never" } });
  expect(refused.status).toBe(400);
  expect(sent).toHaveLength(1);
  expect(part.admin.rows("sprk_matter")).toEqual([]);
});

it("a webhook can be registered through the Web API, and its secret is never shown", async () => {
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

it("an attachment belongs to its mail, and its body can be read raw", async () => {
  const email = await ask("emails", {
    method: "POST",
    headers: { prefer: "return=representation" },
    body: {
      subject: "with file",
      email_activity_parties: [{ addressused: "a@x", participationtypemask: 1 }],
      email_activity_mime_attachment: [
        { filename: "a.txt", body: Buffer.from("hello").toString("base64") },
      ],
    },
  });
  expect(email.status).toBe(201);
  const id = email.json.activityid;
  const found = await ask(
    `activitymimeattachments?$filter=_objectid_value eq ${id}&$select=filename,filesize`,
  );
  expect(found.json.value).toMatchObject([{ filename: "a.txt", filesize: 5 }]);
  const raw = await ask(
    `activitymimeattachments(${found.json.value[0].activitymimeattachmentid})/body/$value`,
  );
  expect(Buffer.from(String(raw.body), "base64").toString()).toBe("hello");
  const parties = await ask(
    `emails(${id})?$select=attachmentcount&$expand=email_activity_parties($select=addressused)`,
  );
  expect(parties.json).toMatchObject({
    attachmentcount: 1,
    email_activity_parties: [{ addressused: "a@x" }],
  });
});

it("annotations come only when they are asked for", async () => {
  const id = await matter();
  const made = await part.admin.create("sprk_document", {
    sprk_documentname: "d",
    sprk_documenttype: 100000006,
    "sprk_Matter@odata.bind": `sprk_matters(${id})`,
  });
  const path = `sprk_documents(${made.id})?$select=sprk_documenttype,_sprk_matter_value`;
  expect(Object.keys((await ask(path)).json).some((name) => name.includes("FormattedValue"))).toBe(
    false,
  );
  const annotated = await ask(path, { headers: { prefer: 'odata.include-annotations="*"' } });
  expect(annotated.json).toMatchObject({
    "sprk_documenttype@OData.Community.Display.V1.FormattedValue": "Email",
    "_sprk_matter_value@Microsoft.Dynamics.CRM.lookuplogicalname": "sprk_matter",
    "_sprk_matter_value@Microsoft.Dynamics.CRM.associatednavigationproperty": "sprk_Matter",
  });
});

it("one mail has one document at most", async () => {
  const mail = (await part.admin.create("email", { subject: "m" })).id;
  const body = { sprk_documentname: "d", "sprk_Email@odata.bind": `/emails(${mail})` };
  expect((await ask("sprk_documents", { method: "POST", body })).status).toBe(204);
  const second = await ask("sprk_documents", { method: "POST", body });
  expect([second.status, second.json.error.code]).toEqual([412, "0x80060892"]);
  expect((await ask(`sprk_documents(_sprk_email_value=${mail})`)).status).toBe(200);
});

it("six thousand requests in five minutes are the limit of a user, and the window slides", async () => {
  context.switches["dataverseRequests"] = 3;
  for (let call = 0; call < 3; call++) expect((await ask("WhoAmI")).status).toBe(200);
  const refused = await ask("WhoAmI");
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "300"]);
  expect((await ask("WhoAmI", { token: ADA })).status).toBe(200);
  await context.clock.advance(301_000);
  expect((await ask("WhoAmI")).status).toBe(200);
});

it("a key may hold any characters, and a webhook address that is none only fails", async () => {
  const path = "sprk_processingjobs(sprk_idempotencykey='50%25 of (a)/b''s')";
  expect((await ask(path, { method: "PATCH", body: { sprk_name: "job" } })).status).toBe(204);
  expect((await ask(path)).json.sprk_idempotencykey).toBe("50% of (a)/b's");
  await part.admin.registerWebhook({ url: "nowhere", table: "email", message: "Create" });
  await part.admin.create("email", { subject: "a" });
  await context.clock.advance(1);
  expect(part.admin.rows("asyncoperation")[0]!.values["statuscode"]).toBe(31);
});

it("filters know text, times, numbers, lists, nulls and related rows", async () => {
  const id = await matter({ sprk_number: "A-1" });
  await part.admin.create("sprk_document", {
    sprk_documentname: "It's here",
    sprk_filesize: 5,
    sprk_emaildate: "2026-01-01T00:00:00Z",
    "sprk_Matter@odata.bind": `/sprk_matters(${id})`,
  });
  await part.admin.create("sprk_document", { sprk_documentname: "other" });
  const count = async (filter: string) =>
    (await ask(`sprk_documents?$filter=${encodeURIComponent(filter)}`)).json.value?.length;
  expect(await count("sprk_documentname eq 'it''s HERE'")).toBe(1);
  expect(await count("contains(sprk_documentname,'HER') and not (sprk_filesize gt 5)")).toBe(2);
  expect(
    await count("startswith(sprk_documentname,'It') or endswith(sprk_documentname,'er')"),
  ).toBe(2);
  expect(await count("sprk_emaildate ge 2025-12-31T23:59:59Z")).toBe(1);
  expect(await count("sprk_filesize eq null")).toBe(1);
  expect(await count("sprk_filesize in (5,6)")).toBe(1);
  expect(await count("sprk_Matter/sprk_number eq 'A-1'")).toBe(1);
  expect(await count("statecode eq 0")).toBe(2);
});

it("wrong requests get Dataverse's error shape and never a 500", async () => {
  const id = await matter();
  const wrong: [string, Ask, number][] = [
    ["nonsense", {}, 404],
    ["sprk_matters(abc)", {}, 400],
    ["sprk_matters(sprk_name='x')", {}, 400],
    ["sprk_matters?$filter=sprk_name eq", {}, 400],
    ["sprk_matters?$filter=nothing eq 1", {}, 400],
    ["sprk_matters?$orderby=nothing", {}, 400],
    ["sprk_matters?$top=x", {}, 400],
    ["sprk_matters?$expand=nothing", {}, 400],
    ["sprk_matters?$apply=x", {}, 400],
    ["sprk_matters", { method: "DELETE" }, 405],
    ["sprk_matters", { method: "POST", body: "{" }, 400],
    ["emails", { method: "POST", body: { email_activity_parties: [null] } }, 400],
    ["emails", { method: "POST", body: { email_activity_parties: [1] } }, 400],
    ["sprk_documents", { method: "POST", body: { sprk_Matter: [] } }, 400],
    ["sprk_processingjobs(sprk_idempotencykey=5)", { method: "PATCH", body: {} }, 400],
    [`sprk_matters(${id})/nothing`, {}, 404],
    [`sprk_matters(${id})/$ref`, {}, 404],
    ["EntityDefinitions(LogicalName='nothing')", {}, 404],
    ["RelationshipDefinitions?$filter=ReferencingEntity eq 'sprk_document'", {}, 400],
    ["RelationshipDefinitions(SchemaName='nothing')", {}, 404],
    ["systemusers(x)/RetrievePrincipalAccess(Target=@t)", {}, 404],
    ["WhoAmI", { headers: { callerobjectid: "55555555-5555-4555-8555-555555555555" } }, 403],
    [
      `sprk_documents`,
      { method: "POST", body: { "sprk_Matter@odata.bind": `/accounts(${id})` } },
      400,
    ],
    [
      `sprk_documents`,
      { method: "POST", body: { "sprk_Matter@odata.bind": `/sprk_matters(${ADA_ID})` } },
      404,
    ],
    [`sprk_documents`, { method: "POST", body: { sprk_matter: id } }, 400],
  ];
  for (const [path, options, status] of wrong) {
    const answer = await ask(path, options);
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.json.error).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
    });
  }
  expect(await part.handle(createTenantRequest({ method: "GET", target: "/v1.0/me" }))).toBeNull();
});
