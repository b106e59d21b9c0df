/** Container types and their registrations: who may do what, and what is refused. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTenant, createTenantRequest } from "../index.ts";

const tenant = await createTenant({ host: null, company: "none", serviceBus: false });
afterAll(() => tenant.close());
const [owner, other] = tenant.apps;
const admin = () => tenant.tokenFor({ user: tenant.users[1]!.id, app: owner!.appId });
const ROOT = "/v1.0/storage/fileStorage";

beforeAll(() => {
  owner!.delegatedScopes.push("FileStorageContainerType.Manage.All");
  for (const app of [owner!, other!]) app.appRoles.push("FileStorageContainerTypeReg.Selected");
});

async function call(method: string, path: string, token: string, body?: object) {
  const answer = await tenant.handle(
    createTenantRequest({
      ...{ method, target: `${ROOT}${path}` },
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    }),
  );
  return { status: answer.status, json: JSON.parse(answer.body.toString() || "null") };
}

it("an administrator makes a type; an app with its own token does not", async () => {
  const wanted = { name: "Notes", owningAppId: owner!.appId };
  const asApp = await call("POST", "/containerTypes", tenant.tokenFor({}), wanted);
  expect(asApp.status).toBe(403);
  for (const wrong of [
    { ...wanted, name: "" },
    { ...wanted, owningAppId: "nobody" },
    { ...wanted, billingClassification: "free" },
    { ...wanted, color: "red" },
  ])
    expect((await call("POST", "/containerTypes", admin(), wrong)).status).toBe(400);
  expect(await call("POST", "/containerTypes", admin(), wanted)).toMatchObject({ status: 201 });
  expect((await call("GET", "/containerTypes", admin())).json.value).toMatchObject([wanted]);
});

it("its owner registers it and grants other apps; nobody else does", async () => {
  const [type] = (await call("GET", "/containerTypes", admin())).json.value;
  const path = `/containerTypeRegistrations/${type.id}`;
  const grants = `${path}/applicationPermissionGrants`;
  const ownToken = tenant.tokenFor({});
  expect((await call("GET", grants, ownToken)).status).toBe(404);
  const body = { applicationPermissionGrants: [{ appId: owner!.appId }] };
  const foreign = tenant.tokenFor({ app: other!.appId });
  expect((await call("PUT", path, foreign, body)).status).toBe(403);
  expect((await call("PUT", path, ownToken, body)).status).toBe(201);
  const wanted = { applicationPermissions: ["readContent"], delegatedPermissions: [] };
  const wrong = { ...wanted, applicationPermissions: ["readEverything"] };
  expect((await call("PUT", `${grants}/${other!.appId}`, ownToken, wrong)).status).toBe(400);
  expect((await call("PUT", `${grants}/${other!.appId}`, ownToken, wanted)).status).toBe(201);
  expect((await call("PUT", `${grants}/${other!.appId}`, ownToken, wanted)).status).toBe(200);
  expect((await call("GET", grants, ownToken)).json.value).toEqual([
    { appId: owner!.appId, delegatedPermissions: [], applicationPermissions: [] },
    { appId: other!.appId, ...wanted },
  ]);
});
