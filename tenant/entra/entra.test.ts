import { createHash } from "node:crypto";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type AppRegistration, createTenant, createTenantRequest } from "../index.ts";

const GRAPH = "https://graph.microsoft.com";
const tenant = await createTenant({ host: null, clock: "virtual" });
afterAll(() => tenant.close());
beforeEach(() => tenant.faults.disarm());
const [daemon, api, page] = tenant.apps as [AppRegistration, AppRegistration, AppRegistration];
const user = tenant.users[1]!;

// biome-ignore lint/suspicious/noExplicitAny: each test knows the fields it reads.
type Json = Record<string, any>;

async function ask(
  form: Record<string, string>,
  path = `/${tenant.tenantId}/oauth2/v2.0/token`,
  more: Record<string, string> = {},
) {
  const answer = await tenant.handle(
    createTenantRequest({
      method: "POST",
      target: path,
      headers: { "content-type": "application/x-www-form-urlencoded", ...more },
      body: new URLSearchParams(form).toString(),
    }),
  );
  return { status: answer.status, body: JSON.parse(answer.body.toString()) as Json };
}

const credentials = (more: Record<string, string> = {}) => ({
  grant_type: "client_credentials",
  client_id: daemon.appId,
  client_secret: daemon.secrets[0]!,
  scope: `${GRAPH}/.default`,
  ...more,
});
const onBehalfOf = (assertion: string, scope = `${GRAPH}/.default`) => ({
  grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
  requested_token_use: "on_behalf_of",
  client_id: api.appId,
  client_secret: api.secrets[0]!,
  assertion,
  scope,
});
const apiToken = () =>
  tenant.tokenFor({
    user: user.id,
    app: page.appId,
    scope: `api://${api.appId}/user_impersonation`,
  });
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString());

describe("every refusal has its number, its OAuth error and its status", () => {
  const cases: [
    what: string,
    form: () => Record<string, string>,
    number: number,
    error: string,
    status: number,
  ][] = [
    ["a wrong secret", () => credentials({ client_secret: "x" }), 7000215, "invalid_client", 401],
    [
      "an expired secret",
      () => credentials({ client_secret: daemon.expiredSecrets![0]! }),
      7000222,
      "invalid_client",
      401,
    ],
    ["no proof at all", () => credentials({ client_secret: "" }), 7000218, "invalid_client", 401],
    [
      "an unknown app",
      () => credentials({ client_id: tenant.tenantId }),
      700016,
      "unauthorized_client",
      400,
    ],
    ["a missing parameter", () => ({ client_id: daemon.appId }), 900144, "invalid_request", 400],
    [
      "a scope that is none",
      () => credentials({ scope: `${GRAPH}/` }),
      70011,
      "invalid_scope",
      400,
    ],
    [
      "a scope without .default",
      () => credentials({ scope: `${GRAPH}/Mail.Read` }),
      1002012,
      "invalid_scope",
      400,
    ],
    [
      "two resources",
      () => credentials({ scope: `${GRAPH}/.default api://${api.appId}/.default` }),
      700022,
      "invalid_scope",
      400,
    ],
    [
      "an unknown resource",
      () => credentials({ scope: "https://nowhere.invalid/.default" }),
      500011,
      "invalid_resource",
      400,
    ],
    [
      "an unknown grant",
      () => credentials({ grant_type: "magic" }),
      70003,
      "unsupported_grant_type",
      400,
    ],
    ["a forged assertion", () => onBehalfOf(`${apiToken()}x`), 50013, "invalid_grant", 400],
    [
      "an assertion for another audience",
      () => onBehalfOf(tenant.tokenFor({ user: user.id })),
      500131,
      "invalid_grant",
      400,
    ],
    [
      "an app's token as assertion",
      () => onBehalfOf(tenant.tokenFor({ scope: `api://${api.appId}/.default` })),
      7000114,
      "unauthorized_client",
      400,
    ],
    [
      "a scope without consent",
      () => onBehalfOf(apiToken(), `${GRAPH}/Calendars.Read`),
      65001,
      "invalid_grant",
      400,
    ],
    [
      "a resource the app does not list",
      () => onBehalfOf(apiToken(), `api://${daemon.appId}/x`),
      650057,
      "invalid_resource",
      400,
    ],
    [
      "a wrong password",
      () => ({
        grant_type: "password",
        client_id: page.appId,
        username: user.mail,
        password: "x",
        scope: "openid",
      }),
      50126,
      "invalid_grant",
      400,
    ],
  ];
  it.each(cases)("%s", async (_what, form, number, error, status) => {
    const answer = await ask(form());
    expect(answer).toMatchObject({ status, body: { error, error_codes: [number] } });
    expect(answer.body["error_description"]).toMatch(
      new RegExp(
        `^AADSTS${number}: [^\\r]+\\r\\nTrace ID: \\S+\\r\\nCorrelation ID: \\S+\\r\\nTimestamp: \\S+ \\S+Z$`,
      ),
    );
  });

  it("an unknown tenant", async () => {
    const answer = await ask(credentials(), "/nowhere.example/oauth2/v2.0/token");
    expect(answer).toMatchObject({
      status: 400,
      body: { error: "invalid_request", error_codes: [90002] },
    });
  });

  it.each([50076, 50079, 53003, 700020])("a policy with AADSTS%i", async (number) => {
    tenant.faults.arm({
      kind: "interaction-required",
      where: { user: user.userPrincipalName },
      options: { number },
    });
    const answer = await ask(onBehalfOf(apiToken()));
    expect(answer).toMatchObject({
      status: 400,
      body: { error: "interaction_required", error_codes: [number] },
    });
    expect(JSON.parse(answer.body["claims"])).toHaveProperty("access_token");
  });

  it("a client that does not cache tokens gets AADSTS50196 when the switch is set", async () => {
    tenant.switches.tokenLoopLimit = 3;
    const statuses = [];
    for (let turn = 0; turn < 4; turn++) statuses.push((await ask(credentials())).status);
    const last = await ask(credentials());
    await tenant.clock.advance(6 * 60_000);
    const later = await ask(credentials());
    tenant.switches.tokenLoopLimit = 0;
    expect(statuses).toEqual([200, 200, 200, 400]);
    expect(last.body["error_codes"]).toEqual([50196]);
    expect(later.status).toBe(200);
  });
});

describe("tokens", () => {
  it("last 60 to 90 minutes unless the switch says otherwise, and are refused afterwards", async () => {
    const drawn = [];
    for (let turn = 0; turn < 20; turn++)
      drawn.push((await ask(credentials())).body["expires_in"] as number);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(3600);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(5400);
    expect(new Set(drawn).size).toBeGreaterThan(5);
    tenant.switches.tokenLifetimeSeconds = 60;
    const { body } = await ask(credentials());
    tenant.switches.tokenLifetimeSeconds = "random";
    const bearer = `Bearer ${body["access_token"]}`;
    expect(await tenant.context.authenticate(bearer, GRAPH)).not.toBeNull();
    await tenant.clock.advance(61_000);
    expect(await tenant.context.authenticate(bearer, GRAPH)).toBeNull();
  });

  it("are refused once the key that signed them is no longer published", async () => {
    const bearer = `Bearer ${(await ask(credentials())).body["access_token"]}`;
    expect(await tenant.context.authenticate(bearer, GRAPH)).not.toBeNull();
    await tenant.keys.rotate();
    expect(await tenant.context.authenticate(bearer, GRAPH)).not.toBeNull();
    await tenant.keys.rotate(true);
    expect(await tenant.context.authenticate(bearer, GRAPH)).toBeNull();
  });

  it("carry the capabilities that the client declared (cp1)", async () => {
    const claims = JSON.stringify({ access_token: { xms_cc: { values: ["CP1"] } } });
    const { body } = await ask({ ...onBehalfOf(apiToken()), claims });
    expect(claimsOf(body["access_token"])["xms_cc"]).toEqual(["cp1"]);
  });

  it("show the user's roles in an API, and one resource under any local name of the tenant", async () => {
    Object.assign(user, { appRoles: { [api.appId]: ["Reviewer"] } });
    expect(claimsOf(apiToken())["roles"]).toEqual(["Reviewer"]);
    const here = await createTenant({ serviceBus: false });
    const { port } = new URL(here.origin);
    const token = here.tokenFor({ scope: `http://localhost:${port}/.default` });
    expect(await here.context.authenticate(`Bearer ${token}`, here.origin)).not.toBeNull();
    await here.close();
  });

  it("a policy is satisfied by a sign-in that brings the claims of its challenge", async () => {
    tenant.faults.arm({
      kind: "interaction-required",
      where: { user: user.userPrincipalName, resource: "graph" },
    });
    const challenge = (await ask(onBehalfOf(apiToken()))).body["claims"] as string;
    const strong = await signIn({ claims: challenge });
    expect((await ask(onBehalfOf(strong.body["access_token"]))).status).toBe(200);
  });
});

/** Acts as the browser: requests, signs in, and redeems the code. */
async function signIn(more: Record<string, string> = {}, redeem: Record<string, string> = {}) {
  const verifier = "a-verifier-of-more-than-forty-three-characters-here";
  const asked = {
    client_id: page.appId,
    redirect_uri: page.redirectUris[0]!,
    response_type: "code",
    scope: `openid profile offline_access api://${api.appId}/user_impersonation`,
    state: "s",
    nonce: "n",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...more,
  };
  const answer = await tenant.handle(
    createTenantRequest({
      method: "POST",
      target: `/${tenant.tenantId}/oauth2/v2.0/authorize`,
      body: new URLSearchParams({
        ...asked,
        username: user.mail,
        password: user.password,
      }).toString(),
    }),
  );
  const code = new URL(answer.headers["location"]!).searchParams.get("code")!;
  const form = {
    grant_type: "authorization_code",
    client_id: page.appId,
    redirect_uri: page.redirectUris[0]!,
    code,
    code_verifier: verifier,
    client_info: "1",
    ...redeem,
  };
  // The console is a page in a browser, so its codes come with an origin.
  const redeemForm = () => ask(form, undefined, { origin: "http://localhost:8010" });
  return { ...(await redeemForm()), again: redeemForm };
}

describe("code and refresh", () => {
  it("a code can be redeemed once, by the holder of its verifier, before it expires", async () => {
    const first = await signIn();
    expect(first.status).toBe(200);
    expect(claimsOf(first.body["id_token"])).toMatchObject({
      aud: page.appId,
      nonce: "n",
      oid: user.id,
    });
    expect(JSON.parse(Buffer.from(first.body["client_info"], "base64url").toString())).toEqual({
      uid: user.id,
      utid: tenant.tenantId,
    });
    expect((await first.again()).body["error_codes"]).toEqual([54005]);
    expect((await signIn({}, { code_verifier: "another" })).body["error_codes"]).toEqual([501481]);
  });

  it("a refresh token gives new tokens until it expires", async () => {
    const { body } = await signIn();
    const refresh = {
      grant_type: "refresh_token",
      client_id: page.appId,
      refresh_token: body["refresh_token"],
    };
    const next = await ask({ ...refresh, scope: body["scope"] });
    expect(next.status).toBe(200);
    expect(next.body["access_token"]).not.toBe(body["access_token"]);
    await tenant.clock.advance(86_400_000);
    expect((await ask(refresh)).body).toMatchObject({
      error: "invalid_grant",
      error_codes: [700082],
    });
  });
});

describe("discovery", () => {
  const get = async (target: string) => {
    const answer = await tenant.handle(createTenantRequest({ method: "GET", target }));
    return JSON.parse(answer.body.toString()) as Json;
  };

  it("version 1 and 2, one tenant and many name their issuers as Entra does", async () => {
    const path = ".well-known/openid-configuration";
    const issuers = [
      `/${tenant.tenantId}/v2.0/${path}`,
      `/${tenant.tenantId}/${path}`,
      `/common/v2.0/${path}`,
    ];
    expect(await Promise.all(issuers.map(async (each) => (await get(each))["issuer"]))).toEqual([
      `https://login.microsoftonline.com/${tenant.tenantId}/v2.0`,
      `https://sts.windows.net/${tenant.tenantId}/`,
      "https://login.microsoftonline.com/{tenantid}/v2.0",
    ]);
  });

  it("the instance document names the tenant's host and its discovery document", async () => {
    const found = await get(
      `/common/discovery/instance?api-version=1.1&authorization_endpoint=${tenant.origin}/common/oauth2/v2.0/authorize`,
    );
    expect(found["tenant_discovery_endpoint"]).toContain("openid-configuration");
    expect(found["metadata"][0].aliases).toContain(new URL(tenant.origin).host);
  });

  it("keys contain what clients look for, and the common document names the issuer of each", async () => {
    const { keys } = await get("/common/discovery/keys");
    for (const field of ["kty", "use", "kid", "x5t", "n", "e", "x5c", "issuer"])
      expect(keys[0]).toHaveProperty(field);
  });
});
