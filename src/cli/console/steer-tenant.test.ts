import { beforeAll, describe, expect, it } from "vitest";
import type { Tenant } from "../../../tenant/index.ts";
import { anApp, aTenant, type TestApp } from "../../../test/helpers/app.ts";
import { sendExamples } from "../../../test/helpers/examples.ts";
import { createSampleSignIn } from "./sample-people.ts";

let tenant: Tenant;
let app: TestApp;
let tokenOf: (name: string) => Promise<string>;

const settingsOf = ({ apps, tenantId }: Tenant) => ({
  API_APP_ID: apps[1]!.appId,
  API_CLIENT_SECRET: apps[1]!.secrets[0]!,
  TENANT_ID: tenantId,
});
const signInTo = ({ addresses, tenantId, apps, users }: Tenant) =>
  createSampleSignIn({ ...addresses, tenantId, apps, users });

beforeAll(async () => {
  tenant = await aTenant();
  const sampleSignIn = await signInTo(tenant);
  app = await anApp(tenant, settingsOf(tenant), { roles: ["api"], sampleSignIn });
  tokenOf = async (name) => {
    const person = sampleSignIn.people.find((each) => each.name === name)!;
    return (await sampleSignIn.tokenFor(person.id)).token;
  };
});

type Method = "GET" | "POST" | "DELETE";

async function call(method: Method, url: string, payload?: object, by = "Nina Berg", to = app) {
  const answer = await to.server.inject({
    ...{ method, url, headers: { authorization: `Bearer ${await tokenOf(by)}` } },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, text: answer.body, json: () => answer.json() };
}

const inbox = () => tenant.graph.admin.mailboxTruth(tenant.users[0]!.userPrincipalName);

describe("the routes to the local tenant", () => {
  it("do not exist with a tenant of Microsoft", async () => {
    const real = await anApp(tenant, settingsOf(tenant), { roles: ["api"] });
    expect((await call("GET", "/api/tenant", undefined, "Nina Berg", real)).status).toBe(404);
    const { paths } = (await real.server.inject({ url: "/api/openapi.json" })).json();
    expect(Object.keys(paths).filter((path) => path.startsWith("/api/tenant"))).toEqual([]);
  });

  it("are for operators: a reviewer sees nothing and sends nothing", async () => {
    const to = tenant.users[0]!.userPrincipalName;
    const before = inbox().length;
    for (const [method, url, body] of [
      ["GET", "/api/tenant", undefined],
      ["POST", "/api/tenant/mail", { to, isNote: true }],
      ["POST", "/api/tenant/faults", { kind: "throttle" }],
      ["DELETE", "/api/tenant/faults", undefined],
      ["POST", "/api/tenant/scenarios/throttled", undefined],
    ] as const)
      expect((await call(method, url, body, "Omar Haddad")).status).toBe(403);
    expect(inbox()).toHaveLength(before);
    expect(tenant.faults.list()).toEqual([]);
  });

  it("show no address and no secret of the tenant", async () => {
    const { status, text, json } = await call("GET", "/api/tenant");
    expect(status).toBe(200);
    expect(json()).toMatchObject({ clock: { isVirtual: false }, faults: [] });
    for (const secret of [tenant.clientSecret, tenant.apps[1]!.secrets[0]!, tenant.addresses.admin])
      expect(text).not.toContain(secret);
  });

  it("let a contract note arrive, with the check of its sender as chosen", async () => {
    const to = tenant.users[0]!.userPrincipalName;
    const sent = await call("POST", "/api/tenant/mail", { to, isNote: true, auth: "fail" });
    expect(sent.status).toBe(201);
    const { value } = await readMessage(sent.json().id);
    expect(value.subject).toBe(sent.json().subject);
    expect(value.hasAttachments).toBe(true);
    const results = value.internetMessageHeaders.find(
      ({ name }) => name.toLowerCase() === "authentication-results",
    );
    expect(results?.value).toMatch(/dmarc=fail/);
    const unknown = await call("POST", "/api/tenant/mail", { to: "nobody@x.example" });
    expect([unknown.status, unknown.json().detail]).toEqual([
      404,
      "nobody@x.example has no mailbox here; postroom tenant users lists who has one",
    ]);
  });

  it("arm and clear faults, and refuse one that could never fire", async () => {
    const where = { part: "graph" };
    const armed = await call("POST", "/api/tenant/faults", { kind: "throttle", times: 2, where });
    expect(armed.json()).toMatchObject({ kind: "throttle", remaining: 2 });
    await call("POST", "/api/tenant/faults", { kind: "reset", where });
    expect(await call("DELETE", `/api/tenant/faults/${armed.json().id}`)).toMatchObject({
      status: 204,
    });
    const { faults } = (await call("GET", "/api/tenant")).json();
    expect(faults.map(({ kind }: { kind: string }) => kind)).toEqual(["reset"]);
    await call("DELETE", "/api/tenant/faults");
    expect(tenant.faults.list()).toEqual([]);
    expect((await call("POST", "/api/tenant/faults", { kind: "throtle" })).status).toBe(400);
  });

  it("answer the example of every operation as the description declares", async () => {
    const virtual = await aTenant({ clock: "virtual" });
    const sampleSignIn = await signInTo(virtual);
    const other = await anApp(virtual, settingsOf(virtual), { roles: ["api"], sampleSignIn });
    const fault = virtual.faults.arm({ kind: "reset", where: { part: "graph" } });
    const { sent, wrong } = await sendExamples({
      app: other,
      headers: { authorization: `Bearer ${other.operatorKey}` },
      given: {
        clearTenantFault: { params: { id: fault.id } },
        sendTenantMail: { body: { to: virtual.users[0]!.userPrincipalName, isNote: true } },
      },
      isSent: (path) => path.startsWith("/api/tenant"),
      // Clearing all of them would also remove the one that is named.
      lastnessOf: ({ operation }) => (operation.operationId === "clearTenantFaults" ? 1 : 0),
    });
    expect(wrong).toEqual({});
    expect(sent).toHaveLength(7);
    await sampleSignIn.close();
  });

  it("move a virtual clock, and say that a real one cannot be moved", async () => {
    expect((await call("POST", "/api/tenant/clock", { by: "3d" })).status).toBe(409);
    const virtual = await aTenant({ clock: "virtual" });
    const { steering } = await signInTo(virtual);
    const { now: before } = (await steering.state()).clock;
    const { now: after } = await steering.advance("3d");
    expect(Date.parse(after) - Date.parse(before)).toBe(3 * 86_400_000);
  });

  it("play every scenario that they name, and no other", async () => {
    const { scenarios } = (await call("GET", "/api/tenant")).json();
    expect(scenarios.length).toBeGreaterThan(0);
    for (const { name } of scenarios) {
      const before = inbox().length;
      const { status, json } = await call("POST", `/api/tenant/scenarios/${name}`);
      expect([name, status]).toEqual([name, 200]);
      expect(inbox().length).toBeGreaterThan(before);
      expect(json().steps.length).toBeGreaterThan(0);
      tenant.faults.disarm();
    }
    expect((await call("POST", "/api/tenant/scenarios/nothing")).status).toBe(404);
  });
});

async function readMessage(id: string) {
  const user = tenant.users[0]!;
  const url = `${tenant.addresses.graph}/v1.0/users/${user.id}/messages/${id}?$select=subject,hasAttachments,internetMessageHeaders`;
  const token = tenant.tokenFor({ app: tenant.clientId });
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const value = (await answer.json()) as {
    subject: string;
    hasAttachments: boolean;
    internetMessageHeaders: { name: string; value: string }[];
  };
  return { value };
}
