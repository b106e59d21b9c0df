import { beforeEach, expect, it } from "vitest";
import { ADA, ADA_ID, APP_ID, type Ask, openDataverse } from "../../test/helpers/dataverse-part.ts";
import { tokenFor } from "../../test/helpers/tenant-context.ts";
import { createTenantRequest } from "../http.ts";

let world: ReturnType<typeof openDataverse>;
beforeEach(() => {
  world = openDataverse();
});

it("a user with access to own rows only cannot read or list other people's rows", async () => {
  const { part, ask, matter } = world;
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

it("RetrievePrincipalAccess returns the rights as one string, or None", async () => {
  const { part, ask, matter } = world;
  const id = await matter();
  part.admin.setScope(ADA_ID, "user");
  const path = `systemusers(${part.admin.userIdOf(ADA_ID)})/Microsoft.Dynamics.CRM.RetrievePrincipalAccess(Target=@t)?@t=`;
  const target = encodeURIComponent(`{'@odata.id':'sprk_matters(${id})'}`);
  expect((await ask(path + target)).json.AccessRights).toBe("None");
  part.admin.share(ADA_ID, "sprk_matter", id, ["WriteAccess", "ReadAccess"]);
  expect((await ask(path + target)).json.AccessRights).toBe("ReadAccess, WriteAccess");
});

it("an app without an application user and a missing token are refused", async () => {
  const { part, ask } = world;
  expect((await ask("WhoAmI", { token: null })).status).toBe(401);
  const stranger = tokenFor({ appId: "44444444-4444-4444-8444-444444444444" });
  expect((await ask("WhoAmI", { token: stranger })).status).toBe(403);
  await part.admin.remove("systemuser", part.admin.userIdOf(ADA_ID)!);
  expect((await ask("WhoAmI", { token: ADA })).status).toBe(403);
});

it("somebody who joins the tenant later is a user of the environment too", async () => {
  const { context, part, ask } = world;
  const id = "66666666-6666-4666-8666-666666666666";
  context.users.push({ id, displayName: "New", mail: "n@x", userPrincipalName: "n@x" } as never);
  const token = tokenFor({ appId: APP_ID, objectId: id, isAppOnly: false });
  expect((await ask("WhoAmI", { token })).json.UserId).toBe(part.admin.userIdOf(id));
});

it("an attachment belongs to its mail, and its body can be read raw", async () => {
  const { ask } = world;
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

it("annotations are returned only if they are requested", async () => {
  const { part, ask, matter } = world;
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

it("a mail has at most one document", async () => {
  const { part, ask } = world;
  const mail = (await part.admin.create("email", { subject: "m" })).id;
  const body = { sprk_documentname: "d", "sprk_Email@odata.bind": `/emails(${mail})` };
  expect((await ask("sprk_documents", { method: "POST", body })).status).toBe(204);
  const second = await ask("sprk_documents", { method: "POST", body });
  expect([second.status, second.json.error.code]).toEqual([412, "0x80060892"]);
  expect((await ask(`sprk_documents(_sprk_email_value=${mail})`)).status).toBe(200);
});

it("a user may send six thousand requests in five minutes, in a sliding window", async () => {
  const { context, ask } = world;
  context.switches["dataverseRequests"] = 3;
  for (let call = 0; call < 3; call++) expect((await ask("WhoAmI")).status).toBe(200);
  const refused = await ask("WhoAmI");
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "300"]);
  expect((await ask("WhoAmI", { token: ADA })).status).toBe(200);
  await context.clock.advance(301_000);
  expect((await ask("WhoAmI")).status).toBe(200);
});

it("filters know text, times, numbers, lists, nulls and related rows", async () => {
  const { part, ask, matter } = world;
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
  expect(
    await count("Microsoft.Dynamics.CRM.In(PropertyName='sprk_filesize',PropertyValues=['5','6'])"),
  ).toBe(1);
  expect(await count("sprk_Matter/sprk_number eq 'A-1'")).toBe(1);
  expect(await count("statecode eq 0")).toBe(2);
});

it("invalid requests get Dataverse's error format and never a 500", async () => {
  const { part, ask, matter } = world;
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
