/**
 * App registrations as Microsoft documents them: learn.microsoft.com/graph/api/application-post-applications,
 * application-addpassword, serviceprincipal-post-serviceprincipals; learn.microsoft.com/entra/identity-platform/
 * reference-error-codes for AADSTS7000229.
 */
import { afterAll, describe, expect, it } from "vitest";
import { createTenantRequest } from "../../http.ts";
import { createTenant } from "../../index.ts";
import { createGraphBench } from "../testing/graph-bench.ts";

const tenant = await createTenant({ host: null, company: "none", serviceBus: false });
afterAll(() => tenant.close());
const RIGHTS = ["Application.ReadWrite.All", "AppRoleAssignment.ReadWrite.All"];
tenant.apps[0]!.appRoles.push(...RIGHTS);
const admin = tenant.tokenFor({});
const nobody = tenant.tokenFor({ app: tenant.apps[2]!.appId });

async function ask(method: string, target: string, body?: object, token = admin) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const text = body === undefined ? undefined : JSON.stringify(body);
  const answer = await tenant.handle(createTenantRequest({ method, target, headers, body: text }));
  return { status: answer.status, json: JSON.parse(answer.body.toString()) };
}

async function tokenOf(id: string, secret: string) {
  const form = new URLSearchParams({
    ...{ grant_type: "client_credentials", client_id: id, client_secret: secret },
    scope: "https://graph.microsoft.com/.default",
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const target = `/${tenant.tenantId}/oauth2/v2.0/token`;
  const request = { method: "POST", target, headers, body: form.toString() };
  return JSON.parse((await tenant.handle(createTenantRequest(request))).body.toString());
}

describe("an app registration", () => {
  it("becomes usable with a secret that is shown once and a service principal that exists once", async () => {
    const made = await ask("POST", "/v1.0/applications", { displayName: "New" });
    expect(made).toMatchObject({ status: 201, json: { signInAudience: "AzureADMyOrg" } });
    const { id, appId } = made.json;
    const { status, json } = await ask("POST", `/v1.0/applications/${id}/addPassword`, {});
    expect([status, typeof json.secretText]).toEqual([200, "string"]);
    const again = await ask("GET", `/v1.0/applications(appId='${appId}')`);
    expect(again.json.passwordCredentials).toMatchObject([{ keyId: json.keyId, secretText: null }]);
    expect((await tokenOf(appId, json.secretText)).error_codes).toEqual([7000229]);
    expect((await ask("POST", "/v1.0/servicePrincipals", { appId })).status).toBe(201);
    expect((await tokenOf(appId, json.secretText)).token_type).toBe("Bearer");
    expect(await ask("POST", "/v1.0/servicePrincipals", { appId })).toMatchObject({
      status: 409,
      json: { error: { code: "Request_MultipleObjectsWithSameKeyValue" } },
    });
  });

  it.each([
    ["without a name", {}, 400],
    [
      "for other audiences, which the tenant does not model",
      { signInAudience: "AzureADMultipleOrgs" },
      501,
    ],
  ])("is refused %s", async (_, changes, status) => {
    const name = status === 400 ? {} : { displayName: "Other" };
    const before = tenant.apps.length;
    const answer = await ask("POST", "/v1.0/applications", { ...name, ...changes });
    expect([answer.status, tenant.apps.length]).toEqual([status, before]);
  });

  it.each([
    ["POST", "/v1.0/applications", { displayName: "Other" }],
    ["GET", "/v1.0/applications", undefined],
    ["POST", "/v1.0/servicePrincipals", { appId: "x" }],
  ])("%s %s needs a right of the directory", async (method, path, body) => {
    const answer = await ask(method, path, body, nobody);
    expect(answer).toMatchObject({
      status: 403,
      json: { error: { code: "Authorization_RequestDenied" } },
    });
  });
});

it.each(["users", "servicePrincipals", "applications"])(
  "%s/delta is not taken for somebody's id",
  async (set) => {
    const { status, json } = await createGraphBench().get(`/v1.0/${set}/delta`);
    expect([status, json.error.code]).toEqual([501, "NotImplemented"]);
    expect(json.error.message).toBe("Changes of the directory: not part of the local tenant.");
  },
);
