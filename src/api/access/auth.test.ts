import { createHmac, createPublicKey, generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { Tenant } from "../../../tenant/index.ts";
import { anApp, aTenant, type TestApp } from "../../../test/helpers/app.ts";

let tenant: Tenant;
let app: TestApp;
let apiId: string;

beforeAll(async () => {
  tenant = await aTenant();
  const api = tenant.apps[1]!;
  apiId = api.appId;
  app = await anApp(
    tenant,
    { API_APP_ID: api.appId, API_CLIENT_SECRET: api.secrets[0]!, TENANT_ID: tenant.tenantId },
    { roles: ["api"] },
  );
});

const userToken = () =>
  tenant.tokenFor({
    user: tenant.users[1]!.id,
    app: tenant.apps[2]!.appId,
    scope: `api://${apiId}/user_impersonation`,
  });

async function status(authorization?: string, url = "/api/events"): Promise<number> {
  const answer = await app.server.inject({
    url,
    headers: authorization === undefined ? {} : { authorization },
  });
  return answer.statusCode;
}

/** A token with our claims, signed by the given key or not at all. */
async function forged(
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const nowSeconds = Math.floor(Date.now() / 1_000);
  return new SignJWT({
    oid: "x",
    tid: tenant.tenantId,
    scp: "user_impersonation",
    aud: apiId,
    iss: `https://login.microsoftonline.com/${tenant.tenantId}/v2.0`,
    iat: nowSeconds,
    exp: nowSeconds + 600,
    ...claims,
  })
    .setProtectedHeader({ alg: "RS256", kid: tenant.keys.current().kid, ...header })
    .sign(privateKey);
}

describe("who may ask", () => {
  it("a user with a token for our API, whatever the case of the scheme [AUTH-03] [AUTH-04] [AUTH-09]", async () => {
    expect(await status(`Bearer ${userToken()}`)).toBe(200);
    expect(await status(`bearer ${userToken()}`)).toBe(200);
  });

  it.each([
    ["nothing", undefined],
    ["another scheme", "Basic abc"],
    ["an empty token", "Bearer "],
    ["rubbish", "Bearer abc"],
    ["two tokens", "Bearer a, Bearer b"],
  ])("nobody with %s [AUTH-03] [AUTH-04] [SEC-05]", async (_, authorization) => {
    expect(await status(authorization)).toBe(401);
  });

  it("nobody with Graph's own token, an app's token, or another tenant's [AUTH-09] [SEC-05]", async () => {
    expect(await status(`Bearer ${tenant.tokenFor({ user: tenant.users[1]!.id })}`)).toBe(401);
    expect(await status(`Bearer ${tenant.tokenFor({ scope: `api://${apiId}/.default` })}`)).toBe(
      401,
    );
    expect(await status(`Bearer ${await forged({ tid: "another" })}`)).toBe(401);
  });

  it("nobody with a token that somebody else signed, or that names its own key [SEC-05]", async () => {
    expect(await status(`Bearer ${await forged({})}`)).toBe(401);
    expect(await status(`Bearer ${await forged({}, { kid: "unknown" })}`)).toBe(401);
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    expect(
      await status(`Bearer ${await forged({}, { jwk: publicKey.export({ format: "jwk" }) })}`),
    ).toBe(401);
  });

  it("nobody with an unsigned token or one signed with the public key as a password [SEC-05]", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = part({
      oid: "x",
      tid: tenant.tenantId,
      aud: apiId,
      scp: "user_impersonation",
      exp: 9_999_999_999,
    });
    expect(await status(`Bearer ${part({ alg: "none" })}.${claims}.`)).toBe(401);
    const key = tenant.keys.current();
    const head = part({ alg: "HS256", kid: key.kid });
    const pem = createPublicKey(key.publicKey.export({ type: "spki", format: "pem" })).export({
      type: "spki",
      format: "pem",
    });
    const signature = createHmac("sha256", pem).update(`${head}.${claims}`).digest("base64url");
    expect(await status(`Bearer ${head}.${claims}.${signature}`)).toBe(401);
  });

  it("a token in the URL is ignored", async () => {
    expect(await status(undefined, `/api/events?access_token=${userToken()}`)).toBe(401);
  });

  it("the operator's key from the home folder opens everything, a user's token only what is theirs [OBS-19] [H-10]", async () => {
    expect(await status(`Bearer ${app.operatorKey}`, "/api/subscriptions")).toBe(200);
    expect(await status(`Bearer ${userToken()}`, "/api/subscriptions")).toBe(403);
    expect(await status(`Bearer ${userToken()}`, "/api/trades")).toBe(403);
  });

  it("health needs no token, everything else does [OPS-01] [AUTH-04]", async () => {
    const health = await app.server.inject({ url: "/healthz" });
    expect([health.statusCode, health.body]).toEqual([200, "Healthy"]);
    for (const url of [
      "/api/events",
      "/api/mailboxes",
      "/api/trades",
      "/api/reviews",
      "/api/jobs",
      "/api/dlq",
      "/api/evidence",
      "/api/coverage",
    ]) {
      expect(await status(undefined, url)).toBe(401);
    }
  });
});

describe("an error", () => {
  it("is problem details with a correlation id and neither stack nor SQL [X-11]", async () => {
    const answer = await app.server.inject({
      url: "/api/events?limit=9999",
      headers: { authorization: `Bearer ${app.operatorKey}`, "x-correlation-id": "my-id-1" },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect(answer.json()).toMatchObject({
      title: "Bad Request",
      status: 400,
      correlationId: "my-id-1",
    });
    expect(answer.body).not.toMatch(/at .*\.ts:|SELECT/);
  });
});
