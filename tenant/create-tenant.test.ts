import { afterAll, expect, it } from "vitest";
import { createTenant, createTenantRequest } from "./index.ts";

const tenant = await createTenant();
afterAll(() => tenant.close());

const askToken = async (form: Record<string, string>, tenantId = tenant.tenantId) => {
  const answer = await fetch(`${tenant.addresses.entra}/${tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const credentials = () => ({
  grant_type: "client_credentials",
  client_id: tenant.clientId,
  client_secret: tenant.clientSecret,
  scope: "https://graph.microsoft.com/.default",
});

it("a client with its secret gets a version-1 token for Graph with its roles", async () => {
  const { status, body } = await askToken(credentials());
  expect(status).toBe(200);
  const claims = JSON.parse(
    Buffer.from(String(body["access_token"]).split(".")[1]!, "base64url").toString(),
  );
  expect(claims).toMatchObject({
    aud: "https://graph.microsoft.com",
    iss: `https://sts.windows.net/${tenant.tenantId}/`,
    appid: tenant.clientId,
    ver: "1.0",
    idtyp: "app",
  });
  expect(claims.roles).toContain("Mail.Read");
  expect(body["scope"]).toBeUndefined();
  const caller = await tenant.context.authenticate(
    `Bearer ${body["access_token"]}`,
    "https://graph.microsoft.com",
  );
  expect(caller?.isAppOnly).toBe(true);
  expect(
    await tenant.context.authenticate(`Bearer ${body["access_token"]}`, tenant.origin),
  ).toBeNull();
});

it("a path that no part knows is refused in the error format of its part, never with a 500", async () => {
  const graph = await fetch(`${tenant.origin}/v1.0/nonsense`, {
    headers: { "client-request-id": "abc" },
  });
  expect(graph.status).toBeLessThan(500);
  const { error } = (await graph.json()) as {
    error: { code: string; innerError: Record<string, string> };
  };
  expect(error.innerError["client-request-id"]).toBe("abc");
  expect(graph.headers.get("client-request-id")).toBe("abc");
  const entra = await fetch(`${tenant.origin}/common/oauth2/v2.0/nonsense`);
  expect(entra.status).toBe(404);
  expect((await entra.json()) as object).toMatchObject({ error: "invalid_request" });
});

it("armed faults happen on the network: a hung request, a reset and a truncated body", async () => {
  const url = `${tenant.origin}/common/v2.0/.well-known/openid-configuration`;
  tenant.faults.arm({ kind: "reset", remaining: 1 });
  await expect(fetch(url)).rejects.toThrow();
  tenant.faults.arm({ kind: "cut-body", remaining: 1 });
  const cut = await fetch(url);
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toThrow();
  tenant.faults.arm({ kind: "timeout", remaining: 1 });
  await expect(fetch(url, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
  tenant.faults.arm({ kind: "throttle", remaining: 1, options: { retryAfterSeconds: 7 } });
  const throttled = await fetch(url);
  expect(throttled.status).toBe(429);
  expect(throttled.headers.get("retry-after")).toBe("7");
  expect((await fetch(url)).status).toBe(200);
});

it("the tenant answers in-process without a socket", async () => {
  const offline = await createTenant({ host: null, clock: "virtual" });
  const answer = await offline.handle(
    createTenantRequest({ method: "GET", target: "/admin/clock" }),
  );
  expect(JSON.parse(answer.body.toString())).toEqual({
    now: "2026-01-05T08:00:00.000Z",
    isVirtual: true,
  });
  await offline.close();
});

it("the admin API answers only this machine, whatever page the browser shows", async () => {
  const ask = (headers: Record<string, string>) =>
    tenant.handle(createTenantRequest({ method: "GET", target: "/admin/clock", headers }));
  expect((await ask({ host: "127.0.0.1:80" })).status).toBe(200);
  expect((await ask({ host: "127.0.0.1", origin: "https://elsewhere.example" })).status).toBe(403);
  expect((await ask({ host: "rebound.example" })).status).toBe(403);
});

it("a claims challenge reaches only clients that declared support for it", async () => {
  tenant.faults.arm({ kind: "claims-challenge", where: { part: "graph" } });
  const claims = JSON.stringify({ access_token: { xms_cc: { values: ["CP1"] } } });
  const get = async (extra: Record<string, string>) => {
    const { body } = await askToken({ ...credentials(), ...extra });
    const authorization = `Bearer ${body["access_token"]}`;
    return fetch(`${tenant.origin}/v1.0/users`, { headers: { authorization } });
  };
  const aware = await get({ claims });
  const unaware = await get({});
  tenant.faults.disarm();
  expect(aware.status).toBe(401);
  expect(aware.headers.get("www-authenticate")).toMatch(
    /error="insufficient_claims", claims="[^"]+"/,
  );
  expect(unaware.status).toBe(401);
  expect(unaware.headers.get("www-authenticate")).toBeNull();
});

it("reset returns a tenant to its initial state, including switches and faults", async () => {
  await using tenant = await createTenant({ host: null, clock: "virtual" });
  const user = tenant.users[0]!.id;
  const before = tenant.journal.toJsonLines();
  await tenant.graph.admin.sendMail({ to: user, subject: "gone after the reset" });
  await tenant.dataverse.admin.create("account", { name: "gone too" });
  tenant.faults.arm({ kind: "throttle" });
  tenant.switches["mailboxLatencyMs"] = 5;
  tenant.reset();
  expect(tenant.graph.admin.mailboxTruth(user)).toEqual([]);
  expect(tenant.dataverse.admin.rows("account")).toEqual([]);
  expect(tenant.faults.list()).toEqual([]);
  expect(tenant.switches).not.toHaveProperty("mailboxLatencyMs");
  expect(tenant.journal.toJsonLines()).toBe(before);
});

it("a part delays every response if its latency is set", async () => {
  await using tenant = await createTenant({ host: null, switches: { dataverseLatencyMs: 7 } });
  const ask = (target: string) => tenant.handle(createTenantRequest({ method: "GET", target }));
  expect((await ask("/api/data/v9.2/WhoAmI")).wire).toEqual({ delayMs: 7 });
  expect((await ask("/v1.0/me")).wire).toBeUndefined();
});

it("by default a mailbox call takes long enough that the fifth at a time is throttled", async () => {
  await using tenant = await createTenant({ host: null, company: "none" });
  const token = tenant.tokenFor({});
  const read = () =>
    tenant.handle(
      createTenantRequest({
        method: "GET",
        target: `/v1.0/users/${tenant.users[1]!.id}/messages`,
        headers: { authorization: `Bearer ${token}` },
      }),
    );
  const together = await Promise.all([read(), read(), read(), read(), read()]);
  expect(together.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429]);
  for (let call = 0; call < 10; call++) expect((await read()).status).toBe(200);
});
